/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rdma-port.h - the ports of this node's RDMA devices, as sysfs tells of them.
 */
#ifndef FARMEMCTL_RDMA_PORT_H
#define FARMEMCTL_RDMA_PORT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct rdma_port - one port
 * @device: "rxe0"
 * @number: from 1
 * @state: "ACTIVE", "DOWN", "INIT", ...
 * @physical: "LinkUp", "Disabled", "Polling", ...
 * @layer: "Ethernet" or "InfiniBand"
 * @rate: "100 Gb/sec (4X EDR)"
 * @netdev: its network interface; NULL if sysfs names none
 * @soft: no hardware: this node's own CPUs and network stack carry its packets
 * @iwarp: it speaks iWARP, over TCP
 *
 * Texts are never NULL but for @netdev; "" where sysfs says nothing.
 */
struct rdma_port {
	char *device;
	unsigned int number;
	char *state;
	char *physical;
	char *layer;
	char *rate;
	char *netdev;
	bool soft;
	bool iwarp;
};

struct rdma_port *rdma_ports(size_t *count);
void rdma_ports_free(struct rdma_port *ports, size_t count);
bool rdma_port_is(const struct rdma_port *port, const char *layer);
char *rdma_port_attr(const struct rdma_port *port, const char *name);

#endif
