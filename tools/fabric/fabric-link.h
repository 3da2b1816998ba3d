/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fabric-link.h - a connection to a server, and requests on it.
 */
#ifndef FARMEM_FABRIC_LINK_H
#define FARMEM_FABRIC_LINK_H

#include <rdma/rdma_cma.h>
#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"

/*
 * Messages that arrive, a slot each, then one that goes out, then the status page as
 * READ, then the count to WRITE, a page for each.
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
 * @memory: LINK_BYTES, registered
 * @mr: that registration
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
 * @length: of that
 */
struct fabric_event {
	int type;
	int status;
	uint8_t data[256];
	size_t length;
};

int link_open(struct fabric_link *link);
void link_wait(struct fabric_link *link, unsigned int ms, struct fabric_event *event);
int link_prepare(struct fabric_link *link);
int link_connect(struct fabric_link *link, const struct farmem_cm_req *req, uint8_t depth);
int link_send(struct fabric_link *link, size_t bytes);
int link_one_sided(struct fabric_link *link, enum ibv_wr_opcode opcode, size_t offset,
		   size_t bytes, uint64_t addr, uint32_t rkey);
int link_reap(struct fabric_link *link, unsigned int ms, struct ibv_wc *wc);
void link_close(struct fabric_link *link);

#endif
