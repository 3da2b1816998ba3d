// SPDX-License-Identifier: GPL-2.0
#include "interface.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "command.h"
#include "rdma-port.h"

#define SECONDS 10

static bool is_up(json_t *interface)
{
	json_t *flag;
	size_t i;

	json_array_foreach(json_object_get(interface, "flags"), i, flag)
		if (json_string_value(flag) && !strcmp(json_string_value(flag), "UP"))
			return true;
	return false;
}

/* One that somebody else could reach? */
static bool has_address(json_t *interface)
{
	json_t *each;
	size_t i;

	json_array_foreach(json_object_get(interface, "addr_info"), i, each) {
		const char *scope = json_string_value(json_object_get(each, "scope"));

		if (scope && !strcmp(scope, "global"))
			return true;
	}
	return false;
}

/**
 * interface_names() - the interfaces of a type
 * @type: "ether", "infiniband"
 * @addressed: those alone that are up and have an address that others can reach
 *
 * Return: for name_list_free(); NULL: `ip` does not tell.
 */
char **interface_names(const char *type, bool addressed)
{
	CLEANUP_FREE char *output = NULL;
	json_t *list = NULL, *each;
	size_t i, count = 0;
	char **names;

	if (!command_ask(&output, SECONDS, "ip", "-j", "address", "show", NULL))
		list = json_loads(output, 0, NULL);
	names = calloc(json_array_size(list) + 1, sizeof(*names));
	json_array_foreach(list, i, each) {
		const char *its = json_string_value(json_object_get(each, "link_type"));
		const char *name = json_string_value(json_object_get(each, "ifname"));

		if (names && its && name && !strcmp(its, type) &&
		    (!addressed || (is_up(each) && has_address(each))))
			names[count++] = text_copy(name);
	}
	json_decref(list);
	return names;
}

/*
 * Is it of this port?  Both stand on the same device of a bus; ports of one card are told
 * apart by a number that counts from 0.
 */
static bool belongs(const char *interface, const struct rdma_port *port)
{
	CLEANUP_FREE char *net = text_format("%s/class/net/%s/device", sysfs_root(), interface);
	CLEANUP_FREE char *rdma = text_format("%s/class/infiniband/%s/device", sysfs_root(),
					      port->device);
	CLEANUP_FREE char *net_real = realpath(net, NULL);
	CLEANUP_FREE char *rdma_real = realpath(rdma, NULL);
	CLEANUP_FREE char *number = attr_read("%s/class/net/%s/dev_port", sysfs_root(), interface);

	return net_real && rdma_real && !strcmp(net_real, rdma_real) &&
	       (!number || strtoul(number, NULL, 10) + 1 == port->number);
}

/**
 * ipoib_of() - the IPoIB interface of a port
 * @port: of InfiniBand
 * @addressed: only one that is up and has an address that others can reach
 *
 * Return: its name, to free; NULL: there is none, or `ip` does not tell.
 */
char *ipoib_of(const struct rdma_port *port, bool addressed)
{
	char **names = interface_names("infiniband", addressed);
	char *found = NULL;
	char **name;

	for (name = names; name && *name && !found; name++)
		if (belongs(*name, port))
			found = text_copy(*name);
	name_list_free(names);
	return found;
}
