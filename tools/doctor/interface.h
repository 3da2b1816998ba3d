/* SPDX-License-Identifier: GPL-2.0 */
/*
 * interface.h - this node's network interfaces, as `ip -j address show` lists them.
 */
#ifndef FARMEMCTL_INTERFACE_H
#define FARMEMCTL_INTERFACE_H

#include <stdbool.h>

struct rdma_port;

char **interface_names(const char *type, bool addressed);
char *ipoib_of(const struct rdma_port *port, bool addressed);

#endif
