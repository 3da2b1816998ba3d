// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-ipoib.c - which IPoIB interface belongs to an InfiniBand port: both stand on the
 * same device of a bus.  Called by doctor-port.c.
 */
#include "doctor-ipoib.h"

#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "interface.h"
#include "rdma-port.h"

/* Of this port?  Ports of one card are told apart by a number that counts from 0. */
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
	json_t *list = interface_list(), *each;
	char *found = NULL;
	size_t i;

	json_array_foreach(list, i, each) {
		const char *type = json_string_value(json_object_get(each, "link_type"));
		const char *name = json_string_value(json_object_get(each, "ifname"));

		if (found || !name || !type || strcmp(type, "infiniband") || !belongs(name, port))
			continue;
		if (!addressed || (interface_is_up(each) && interface_has_address(each)))
			found = text_copy(name);
	}
	json_decref(list);
	return found;
}
