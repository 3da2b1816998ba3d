/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor-ipoib.h - the IP interfaces of InfiniBand ports.
 */
#ifndef FARMEMCTL_DOCTOR_IPOIB_H
#define FARMEMCTL_DOCTOR_IPOIB_H

#include <stdbool.h>

struct rdma_port;

char *ipoib_of(const struct rdma_port *port, bool addressed);

#endif
