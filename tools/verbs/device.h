/* SPDX-License-Identifier: GPL-2.0 */
/*
 * device.h - which adapter, which port, which address on it.
 */
#ifndef VERBS_DEVICE_H
#define VERBS_DEVICE_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "options.h"

#define GID_TEXT 64

/**
 * struct device - an open adapter and the way out of it
 * @context: the open device
 * @own: ibv_open_device() was ours: rdma_cm opens and closes its own
 * @name: "rxe0"
 * @attr: what the adapter can do
 * @port: its port, from 1
 * @port_attr: the port's state, MTU, LID
 * @gid_index: row of the port's GID table
 * @gid: what is in that row: on RoCE, an IP address of the port
 */
struct device {
	struct ibv_context *context;
	bool own;
	char name[64];
	struct ibv_device_attr attr;
	uint8_t port;
	struct ibv_port_attr port_attr;
	unsigned int gid_index;
	union ibv_gid gid;
};

int device_open(struct device *device, const struct options *options,
		const struct sockaddr_storage *address);
int device_adopt(struct device *device, struct ibv_context *context, uint8_t port,
		 const union ibv_gid *gid);
void device_close(struct device *device);
void device_events(const struct device *device);
void device_describe(const struct device *device, char *text, size_t size);
const char *device_gid_text(const union ibv_gid *gid, char *text);
unsigned int device_mtu(const struct device *device);

#endif
