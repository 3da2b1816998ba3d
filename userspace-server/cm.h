/* SPDX-License-Identifier: GPL-2.0 */
/* cm.h - rdma_cm: the event channel and the listeners */
#ifndef CM_H
#define CM_H

#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct server;

/**
 * struct cm_event - a copy of an rdma_cm event that is acknowledged already
 * @type: what
 * @status: of the event, 0 or -errno
 * @id: whose; the new one in a CONNECT_REQUEST
 * @responder_resources: READs that the peer wants to have in flight
 * @data: private data
 * @len: bytes of it
 *
 * A copy, because an id can't be destroyed before its events are acknowledged.
 */
struct cm_event {
	enum rdma_cm_event_type type;
	int status;
	struct rdma_cm_id *id;
	uint8_t responder_resources;
	size_t len;
	uint8_t data[256];
};

/**
 * struct cm_handler - what an id's context points to
 * @event: called for each of its events; may destroy the id and the handler
 */
struct cm_handler {
	void (*event)(struct cm_handler *handler, const struct cm_event *event);
};

/**
 * cm_open() - open the event channel and bind the listeners
 * @server: with its options and its event loop
 *
 * Logs which address cannot be had and what to do.
 * Return: 0 or -errno.
 */
int cm_open(struct server *server);

/* cm_listen() - let clients come.  Return: 0 or -errno, logged. */
int cm_listen(struct server *server);

/*
 * cm_hear() - read events of connections, or leave them to the kernel.  It keeps a few
 * requests then, and refuses others by itself.
 */
void cm_hear(struct server *server, bool on);

/* cm_close() - close listeners and channel; ids that are left go with the process */
void cm_close(struct server *server);

/*
 * cm_is_listening() - on all addresses that it should; false: some device is away.  Of
 * all addresses: there is no device at all.
 */
bool cm_is_listening(const struct server *server);

/* cm_forget_device() - drop the listeners' ids of a device */
void cm_forget_device(struct server *server, struct ibv_context *verbs);

/**
 * cm_probe_address() - can this address be listened on?
 * @addr: IPv4 or IPv6, with the port
 *
 * Return: 0 or -errno.
 */
int cm_probe_address(const struct sockaddr *addr);

/**
 * cm_address_hint() - what to do about an address that can't be bound
 * @error: what binding gave, negative
 */
const char *cm_address_hint(int error);

/* cm_addresses() - the addresses that options name, or all; returns how many */
unsigned int cm_addresses(const struct server *server, struct sockaddr_storage addr[]);

#endif /* CM_H */
