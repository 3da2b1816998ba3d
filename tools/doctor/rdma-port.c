// SPDX-License-Identifier: GPL-2.0
/*
 * rdma-port.c - RDMA ports, as sysfs tells of them, and this node's network interfaces, as
 * `ip -j address show` lists them.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "doctor.h"

#define SECONDS 10

/** rdma_port_attr() - a file of a port, to free; NULL if it can't be read */
char *rdma_port_attr(const struct rdma_port *port, const char *name)
{
	return attr_read("%s/class/infiniband/%s/ports/%u/%s", sysfs_root(), port->device,
			 port->number, name);
}

/* "4: ACTIVE" says the number for programs and the word for people. */
static void read_word(const struct rdma_port *port, const char *name, char *word, size_t size)
{
	CLEANUP_FREE char *text = rdma_port_attr(port, name);
	const char *from = text ? strstr(text, ": ") : NULL;

	snprintf(word, size, "%s", from ? from + 2 : text ? text : "");
}

/* Entries that are not in use give an error; any that is names the interface. */
static void read_netdev(struct rdma_port *port)
{
	CLEANUP_FREE char *parent = NULL;
	int i;

	for (i = 0; i < 16 && !*port->netdev; i++) {
		CLEANUP_FREE char *attr = text_format("gid_attrs/ndevs/%d", i);

		read_word(port, attr, port->netdev, sizeof(port->netdev));
	}
	if (*port->netdev)
		return;
	/* A soft device has one even when no address has made a GID of it. */
	parent = attr_read("%s/class/infiniband/%s/parent", sysfs_root(), port->device);
	snprintf(port->netdev, sizeof(port->netdev), "%s", parent ? parent : "");
}

static void fill(struct rdma_port *port, const char *device, const char *number)
{
	CLEANUP_FREE char *type = attr_read("%s/class/infiniband/%s/node_type", sysfs_root(), device);

	snprintf(port->device, sizeof(port->device), "%s", device);
	port->number = strtoul(number, NULL, 10);
	read_word(port, "state", port->state, sizeof(port->state));
	read_word(port, "phys_state", port->physical, sizeof(port->physical));
	read_word(port, "link_layer", port->layer, sizeof(port->layer));
	read_word(port, "rate", port->rate, sizeof(port->rate));
	read_netdev(port);
	/* One with hardware stands on a device of a bus. */
	port->soft = file_missing("%s/class/infiniband/%s/device", sysfs_root(), device);
	port->iwarp = type && *type == '4';
}

/** rdma_ports() - all ports of all devices, @count of them, to free */
struct rdma_port *rdma_ports(size_t *count)
{
	struct rdma_port *ports = NULL;

	*count = 0;
	EACH_NAME(device, name_list("%s/class/infiniband", sysfs_root())) {
		EACH_NAME(number, name_list("%s/class/infiniband/%s/ports", sysfs_root(), *device.at)) {
			ports = checked(reallocarray(ports, *count + 1, sizeof(*ports)));
			memset(&ports[*count], 0, sizeof(*ports));
			fill(&ports[(*count)++], *device.at, *number.at);
		}
	}
	return ports;
}

/** rdma_port_is() - is its link layer this one, "Ethernet" or "InfiniBand"? */
bool rdma_port_is(const struct rdma_port *port, const char *layer)
{
	return !strcmp(port->layer, layer);
}

/* Is it up, with an address that another node could reach? */
static bool is_reachable(json_t *interface)
{
	bool up = false, global = false;
	json_t *each;
	size_t i;

	json_array_foreach(json_object_get(interface, "flags"), i, each)
		up |= json_string_value(each) && !strcmp(json_string_value(each), "UP");
	json_array_foreach(json_object_get(interface, "addr_info"), i, each) {
		const char *scope = json_string_value(json_object_get(each, "scope"));

		global |= scope && !strcmp(scope, "global");
	}
	return up && global;
}

/**
 * interface_names() - the interfaces of a type, for name_list_free(); NULL: `ip` does not tell
 * @type: "ether", "infiniband"
 * @addressed: only those that are up and have an address that another node can reach
 */
char **interface_names(const char *type, bool addressed)
{
	CLEANUP_FREE char *output = NULL;
	json_t *list = NULL, *each;
	size_t i, count = 0;
	char **names;

	if (!command_ask(&output, SECONDS, "ip", "-j", "address", "show", NULL))
		list = json_loads(output, 0, NULL);
	names = checked(calloc(json_array_size(list) + 1, sizeof(*names)));
	json_array_foreach(list, i, each) {
		const char *its = json_string_value(json_object_get(each, "link_type"));
		const char *name = json_string_value(json_object_get(each, "ifname"));

		if (its && name && !strcmp(its, type) && (!addressed || is_reachable(each)))
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

/** ipoib_of() - the IPoIB interface of a port, as interface_names(); to free, or NULL */
char *ipoib_of(const struct rdma_port *port, bool addressed)
{
	EACH_NAME(interface, interface_names("infiniband", addressed))
		if (belongs(*interface.at, port))
			return text_copy(*interface.at);
	return NULL;
}
