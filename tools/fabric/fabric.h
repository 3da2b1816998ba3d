/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fabric.h - the parts of farmem-fabric's visit to a server, by file, from below.
 */
#ifndef FARMEM_FABRIC_H
#define FARMEM_FABRIC_H

#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "fabric-auth.h"
#include "report.h"

/* fabric-step.c: how a step ended, told to the doctor; -1 if it failed, else 0 */
int fabric_step(const char *id, const char *verdict, const char *advice, const char *fmt, ...)
	PRINTF_LIKE(4);

/*
 * A link's memory, in this order: messages that arrive, a slot each; a message that goes
 * out; the status page as READ; the count to WRITE.  The last two have a page each.
 */
#define LINK_OUT	(FARMEM_MSG_RECVS * FARMEM_MSG_MAX)
#define LINK_STATUS	(LINK_OUT + FARMEM_MSG_MAX)
#define LINK_BEAT	(LINK_STATUS + FARMEM_PAGE_SIZE)
#define LINK_BYTES	(LINK_BEAT + FARMEM_PAGE_SIZE)

/**
 * struct fabric_link - a connection to a server, or what there is of it
 * @channel: of its events
 * @id: rdma_cm's
 * @cq: completions
 * @memory: LINK_BYTES
 * @mr: its registration
 */
struct fabric_link {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
	struct ibv_cq *cq;
	uint8_t *memory;
	struct ibv_mr *mr;
};

/**
 * struct fabric_event - how a step of connecting ended
 * @type: the event; -1: none came in time
 * @status: its status, a negative errno or the CM's reason
 * @data: its private data
 * @length: bytes of that, 0..256
 */
struct fabric_event {
	int type;
	int status;
	uint8_t data[256];
	size_t length;
};

/* fabric-link.c: a connection, and requests on it, each bounded in time. */
int link_open(struct fabric_link *link);
void link_wait(struct fabric_link *link, unsigned int ms, struct fabric_event *event);
int link_prepare(struct fabric_link *link);
int link_connect(struct fabric_link *link, const struct farmem_cm_req *req, uint8_t depth);
int link_send(struct fabric_link *link, size_t bytes);
int link_one_sided(struct fabric_link *link, enum ibv_wr_opcode opcode, size_t offset,
		   size_t bytes, uint64_t addr, uint32_t rkey);
int link_reap(struct fabric_link *link, unsigned int ms, struct ibv_wc *wc);
void link_close(struct fabric_link *link);

/**
 * struct fabric_way - the way to a server as far as this node alone knows it
 * @link: the connection
 * @address: of the server
 * @source: ours, family 0 if the kernel is to choose
 * @host: the server's, for people
 */
struct fabric_way {
	struct fabric_link link;
	struct sockaddr_storage address;
	struct sockaddr_storage source;
	char host[INET6_ADDRSTRLEN + 8];
};

/* fabric-way.c: each tells its step; 0, or -1 if the visit ends there. */
int way_address(struct fabric_way *way, const char *server, const char *source);
int way_route(struct fabric_way *way);
int way_resolve(struct fabric_way *way);

/* fabric-visit.c */
int fabric_visit(const char *server, const char *client, const char *key, const char *source);

#endif
