// SPDX-License-Identifier: GPL-2.0
/*
 * mailbox.c - the message buffers of a session, and their work requests on queue 0.
 *
 * Owns the buffers.  Called by session.c, which makes them, by conn.c, which posts the
 * receives of a new queue pair, and by dialog.c and grant.c, which send.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "beat.h"
#include "conn.h"
#include "mailbox.h"
#include "session.h"

#define BUFFERS		(2 * FARMEM_MSG_RECVS)

int mailbox_open(struct session *session)
{
	session->buffers = aligned_alloc(FARMEM_MSG_MAX, BUFFERS * FARMEM_MSG_MAX + BEAT_BYTES);
	if (!session->buffers)
		return -ENOMEM;
	memset(session->buffers, 0, BUFFERS * FARMEM_MSG_MAX + BEAT_BYTES);
	session->beat = (uint64_t *)(session->buffers + BUFFERS * FARMEM_MSG_MAX);
	session->buffers_mr = ibv_reg_mr(session->pd, session->buffers,
					 BUFFERS * FARMEM_MSG_MAX, IBV_ACCESS_LOCAL_WRITE);
	return session->buffers_mr ? 0 : -errno;
}

uint8_t *mailbox_arrived(const struct session *session, unsigned int slot)
{
	return session->buffers + slot * FARMEM_MSG_MAX;
}

void *mailbox_address(const struct session *session, int slot)
{
	return session->buffers + (FARMEM_MSG_RECVS + slot) * FARMEM_MSG_MAX;
}

int mailbox_post(struct session *session, struct ibv_qp *qp, unsigned int slot)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)mailbox_arrived(session, slot),
		.length = FARMEM_MSG_MAX,
		.lkey = session->buffers_mr->lkey,
	};
	struct ibv_recv_wr *bad, wr = { .wr_id = slot, .sg_list = &sge, .num_sge = 1 };

	return ibv_post_recv(qp, &wr, &bad);
}

int mailbox_watch(struct ibv_qp *qp, uint16_t index)
{
	struct ibv_recv_wr *bad, wr = { .wr_id = MAILBOX_QUEUE + index };

	return ibv_post_recv(qp, &wr, &bad);
}

int mailbox_listen(struct session *session, struct ibv_qp *qp)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < FARMEM_MSG_RECVS && !ret; i++)
		ret = -mailbox_post(session, qp, i);
	return ret;
}

int mailbox_buffer(const struct session *session)
{
	int slot;

	for (slot = 0; slot < FARMEM_MSG_RECVS; slot++)
		if (!(session->sends_busy & 1u << slot))
			return slot;
	return -1;
}

unsigned int mailbox_sends(const struct session *session)
{
	return __builtin_popcount(session->sends_busy);
}

int mailbox_send(struct session *session, int slot, size_t len)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)mailbox_address(session, slot),
		.length = len,
		.lkey = session->buffers_mr->lkey,
	};
	struct ibv_send_wr *bad, wr = {
		.wr_id = MAILBOX_SEND + slot,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED | IBV_SEND_SOLICITED,
	};
	int ret = ibv_post_send(session->conn[0]->qp, &wr, &bad);

	if (!ret)
		session->sends_busy |= 1u << slot;
	return ret;
}
