// SPDX-License-Identifier: GPL-2.0
#include "rdma-port.h"

#include <stdlib.h>
#include <string.h>

#include "attr.h"

/** rdma_port_attr() - a file of a port, to free; NULL if it can't be read */
char *rdma_port_attr(const struct rdma_port *port, const char *name)
{
	return attr_read("%s/class/infiniband/%s/ports/%u/%s", sysfs_root(), port->device,
			 port->number, name);
}

/* "4: ACTIVE" says the number for programs and the word for people. */
static char *word(const struct rdma_port *port, const char *name)
{
	CLEANUP_FREE char *text = rdma_port_attr(port, name);
	char *from = text ? strstr(text, ": ") : NULL;

	return text_copy(from ? from + 2 : text ? text : "");
}

static bool device_has(const char *device, const char *name)
{
	return !file_missing("%s/class/infiniband/%s/%s", sysfs_root(), device, name);
}

static bool is_iwarp(const char *device)
{
	CLEANUP_FREE char *type = attr_read("%s/class/infiniband/%s/node_type", sysfs_root(), device);

	return type && *type == '4';
}

/* Entries that are not in use give an error; any that is names the interface. */
static char *netdev_of(const struct rdma_port *port)
{
	char *name = NULL;
	int i;

	for (i = 0; i < 16 && !name; i++) {
		CLEANUP_FREE char *attr = text_format("gid_attrs/ndevs/%d", i);

		name = rdma_port_attr(port, attr);
	}
	/* A soft device has one even when no address has made a GID of it. */
	if (!name) {
	
		name = attr_read("%s/class/infiniband/%s/parent", sysfs_root(), port->device);
	}
	if (name && !*name) {
		free(name);
		name = NULL;
	}
	return name;
}

static void fill(struct rdma_port *port, const char *device, const char *number)
{
	port->device = text_copy(device);
	port->number = strtoul(number, NULL, 10);
	port->state = word(port, "state");
	port->physical = word(port, "phys_state");
	port->layer = word(port, "link_layer");
	port->rate = word(port, "rate");
	port->netdev = netdev_of(port);
	/* One with hardware stands on a device of a bus. */
	port->soft = !device_has(device, "device");
	port->iwarp = is_iwarp(device);
}

static struct rdma_port *add_ports(struct rdma_port *ports, size_t *count, const char *device)
{
	char **names = name_list("%s/class/infiniband/%s/ports", sysfs_root(), device);
	char **name;

	for (name = names; name && *name; name++) {
		struct rdma_port *more = reallocarray(ports, *count + 1, sizeof(*ports));

		if (!more)
			exit(fail("out of memory"));
		ports = more;
		memset(&ports[*count], 0, sizeof(*ports));
		fill(&ports[(*count)++], device, *name);
	}
	name_list_free(names);
	return ports;
}

/**
 * rdma_ports() - all ports of all devices
 * @count: how many
 *
 * Return: an array for rdma_ports_free(); NULL if there is none.
 */
struct rdma_port *rdma_ports(size_t *count)
{
	char **names = name_list("%s/class/infiniband", sysfs_root());
	struct rdma_port *ports = NULL;
	char **name;

	*count = 0;
	for (name = names; name && *name; name++)
		ports = add_ports(ports, count, *name);
	name_list_free(names);
	return ports;
}

/** rdma_ports_free() - what rdma_ports() returned */
void rdma_ports_free(struct rdma_port *ports, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		free(ports[i].device);
		free(ports[i].state);
		free(ports[i].physical);
		free(ports[i].layer);
		free(ports[i].rate);
		free(ports[i].netdev);
	}
	free(ports);
}

/** rdma_port_is() - is its link layer this one, "Ethernet" or "InfiniBand"? */
bool rdma_port_is(const struct rdma_port *port, const char *layer)
{
	return !strcmp(port->layer, layer);
}
