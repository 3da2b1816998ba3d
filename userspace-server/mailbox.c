// SPDX-License-Identifier: GPL-2.0
/*
 * mailbox.c - the message buffers of a session, and their work requests on queue 0.
 *
 * Owns struct mailbox.  Called by session.c, which makes it, by conn.c, which posts the
 * receives of a new queue pair, and by dialog.c and grant.c, which send.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mailbox.h"

#define BYTES		(2 * FARMEM_MSG_RECVS * FARMEM_MSG_MAX)

int mailbox_open(struct mailbox *mailbox, struct ibv_pd *pd)
{
	mailbox->buffers = aligned_alloc(FARMEM_MSG_MAX, BYTES);
	if (!mailbox->buffers)
		return -ENOMEM;
	memset(mailbox->buffers, 0, BYTES);
	mailbox->mr = ibv_reg_mr(pd, mailbox->buffers, BYTES, IBV_ACCESS_LOCAL_WRITE);
	return mailbox->mr ? 0 : -errno;
}

int mailbox_listen(struct mailbox *mailbox, struct ibv_qp *qp)
{
	unsigned int i;
	int ret = 0;

	mailbox->qp = qp;
	for (i = 0; i < FARMEM_MSG_RECVS && !ret; i++)
		ret = -mailbox_post(mailbox, i);
	return ret;
}

int mailbox_post(const struct mailbox *mailbox, unsigned int slot)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)mailbox_received(mailbox, slot),
		.length = FARMEM_MSG_MAX,
		.lkey = mailbox->mr->lkey,
	};
	struct ibv_recv_wr *bad, wr = { .wr_id = slot, .sg_list = &sge, .num_sge = 1 };

	return ibv_post_recv(mailbox->qp, &wr, &bad);
}

uint8_t *mailbox_received(const struct mailbox *mailbox, unsigned int slot)
{
	return mailbox->buffers + slot * FARMEM_MSG_MAX;
}

int mailbox_send(struct mailbox *mailbox, const void *msg, size_t len)
{
	int slot = __builtin_ctz(~mailbox->busy), ret;
	uint8_t *buffer = mailbox_received(mailbox, FARMEM_MSG_RECVS + slot);
	struct ibv_sge sge = {
		.addr = (uintptr_t)buffer,
		.length = len,
		.lkey = mailbox->mr->lkey,
	};
	struct ibv_send_wr *bad, wr = {
		.wr_id = MAILBOX_SEND + slot,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED | IBV_SEND_SOLICITED,
	};

	if (slot == MAILBOX_SENDS)
		return ENOBUFS;
	memcpy(buffer, msg, len);
	ret = ibv_post_send(mailbox->qp, &wr, &bad);
	if (!ret)
		mailbox->busy |= 1u << slot;
	return ret;
}

void mailbox_sent(struct mailbox *mailbox, unsigned int slot)
{
	mailbox->busy &= ~(1u << slot);
}

unsigned int mailbox_sends(const struct mailbox *mailbox)
{
	return __builtin_popcount(mailbox->busy);
}

int mailbox_watch(struct ibv_qp *qp, uint16_t index)
{
	struct ibv_recv_wr *bad, wr = { .wr_id = MAILBOX_QUEUE + index };

	return ibv_post_recv(qp, &wr, &bad);
}
