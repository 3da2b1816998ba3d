/* SPDX-License-Identifier: GPL-2.0 */
/*
 * peer.h - what the tests' client and their server do alike: messages.
 *
 * The memory region that they give has a slot of FARMEM_MSG_MAX bytes for each
 * of FARMEM_MSG_RECVS messages that may arrive.  A completion's wr_id is that
 * slot, or SENT.
 */
#ifndef PEER_H
#define PEER_H

#include <endian.h>
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farmem-proto.h"

#define SENT	FARMEM_MSG_RECVS

static inline void die(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

static inline void make_qp(struct rdma_cm_id *id, struct ibv_cq *cq)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 64, .max_recv_wr = FARMEM_MSG_RECVS,
			 .max_send_sge = 1, .max_recv_sge = 1 },
	};

	if (rdma_create_qp(id, NULL, &attr))
		die("queue pair");
}

static inline void post_receive(struct ibv_qp *qp, const struct ibv_mr *mr, unsigned int slot)
{
	struct ibv_sge sge = {
		(uintptr_t)mr->addr + slot * FARMEM_MSG_MAX, FARMEM_MSG_MAX, mr->lkey,
	};
	struct ibv_recv_wr *bad, wr = { .wr_id = slot, .sg_list = &sge, .num_sge = 1 };

	errno = ibv_post_recv(qp, &wr, &bad);
	if (errno)
		die("post receive");
}

/* @wr says what to do with the bytes at @data, in the region. */
static inline void post_send(struct ibv_qp *qp, const struct ibv_mr *mr, struct ibv_send_wr *wr,
			     const void *data, size_t bytes)
{
	struct ibv_sge sge = { (uintptr_t)data, bytes, mr->lkey };
	struct ibv_send_wr *bad;

	wr->wr_id = SENT;
	wr->sg_list = &sge;
	wr->num_sge = 1;
	wr->send_flags = IBV_SEND_SIGNALED | IBV_SEND_SOLICITED;
	errno = ibv_post_send(qp, wr, &bad);
	if (errno)
		die("post send");
}

static inline void fill_header(struct farmem_msg *msg, enum farmem_msg_type type, size_t bytes,
			       uint32_t id)
{
	msg->magic = htole32(FARMEM_MAGIC);
	msg->version = htole16(FARMEM_VERSION);
	msg->type = htole16(type);
	msg->length = htole32(bytes);
	msg->id = htole32(id);
}

#endif /* PEER_H */
