// SPDX-License-Identifier: GPL-2.0
/*
 * A work request names an operation, pieces of memory of this end (a scatter/gather
 * list), and for a one-sided operation an address and a key of the other end.  Its wr_id
 * comes back in the completion and means whatever the program likes: here, the number of
 * the work request on its queue, from 1, or the slot of a receive.
 */
#include "work.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mode.h"
#include "session.h"
#include "trouble.h"
#include "wait.h"

/*
 * Only a completion gives slots of the send queue back.  So one in so many asks for one,
 * and always the one that fills the queue: else nobody would ever learn that there is
 * room again.
 */
static bool must_signal(const struct session *session, const struct queue *queue,
			const struct work *work)
{
	return work->last || queue->unsignaled + 1 >= session->options->signal_every ||
	       queue->posted + 1 - queue->done >= session->options->depth;
}

static void address(const struct session *session, const struct queue *queue,
		    const struct work *work, struct ibv_send_wr *wr)
{
	uint64_t remote = queue->peer_addr + (uint64_t)work->slot * queue->peer_stride;

	switch (work->opcode) {
	case IBV_WR_ATOMIC_CMP_AND_SWP:
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		/* All of a queue's atomics go to one counter. */
		wr->wr.atomic.remote_addr = queue->peer_addr;
		wr->wr.atomic.rkey = queue->peer_rkey;
		wr->wr.atomic.compare_add = work->opcode == IBV_WR_ATOMIC_CMP_AND_SWP
						    ? work->compare : work->operand;
		wr->wr.atomic.swap = work->operand;
		break;
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_WRITE_WITH_IMM:
	case IBV_WR_RDMA_READ:
		wr->wr.rdma.remote_addr = remote;
		wr->wr.rdma.rkey = queue->peer_rkey;
		break;
	default:
		if (session->options->transport != TRANSPORT_UD)
			break;
		wr->wr.ud.ah = queue->ah;
		wr->wr.ud.remote_qpn = queue->peer_qpn;
		wr->wr.ud.remote_qkey = queue->peer_qkey;
	}
}

static int post(struct queue *queue, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;

	errno = ibv_post_send(queue->qp, wr, &bad);
	return errno ? trouble_verbs("posting to the send queue of queue %u", queue->index) : 0;
}

/**
 * work_room() - wait while the send queue is full
 * @session: the session
 * @queue: which queue
 *
 * Return: 0 or -1.
 */
int work_room(struct session *session, struct queue *queue)
{
	while (queue->posted - queue->done >= session->options->depth)
		if (wait_step(session))
			return -1;
	return 0;
}

/**
 * work_post() - have one operation done; waits while the send queue is full
 * @session: the session
 * @queue: on which queue
 * @work: what
 *
 * Return: 0 or -1.
 */
int work_post(struct session *session, struct queue *queue, const struct work *work)
{
	unsigned int pieces = session->server ? session->options->remote_sge
					      : session->options->sge;
	struct ibv_sge list[SGE_MAX];
	struct ibv_send_wr wr = {
		.opcode = work->opcode,
		.sg_list = list,
		.imm_data = work->imm,
	};

	if (work_room(session, queue))
		return -1;
	if (work->size)
		wr.num_sge = memory_pieces(&session->memory, AREA_OUT, queue->index, work->slot,
					   work->size, pieces, list);
	address(session, queue, work, &wr);
	if (session->options->inline_data && work->size <= session->inline_max)
		wr.send_flags |= IBV_SEND_INLINE;
	if (must_signal(session, queue, work)) {
		wr.send_flags |= IBV_SEND_SIGNALED;
		queue->unsignaled = 0;
	} else {
		queue->unsignaled++;
	}
	wr.wr_id = ++queue->posted;
	return post(queue, &wr);
}

/**
 * work_receive() - post a receive: room for one message of the other end
 * @session: the session
 * @queue: on which queue; with a shared receive queue, any
 * @slot: of AREA_IN, counted over all queues
 *
 * Return: 0 or -1.
 */
int work_receive(struct session *session, struct queue *queue, unsigned int slot)
{
	const struct memory *memory = &session->memory;
	struct ibv_sge list[SGE_MAX + 1];
	struct ibv_recv_wr *bad, wr = { .wr_id = QUEUE_RECEIVE | slot, .sg_list = list };

	wr.num_sge = memory_receive_pieces(session, slot / memory->slots, slot % memory->slots,
					   list);
	if (session->options->show == SHOW_LENGTH) {
		list[0].length = 1;
		wr.num_sge = 1;
	}
	errno = session->srq ? ibv_post_srq_recv(session->srq, &wr, &bad)
			     : ibv_post_recv(queue->qp, &wr, &bad);
	return errno ? trouble_verbs("posting a receive of queue %u", queue->index) : 0;
}

/**
 * work_receive_all() - fill the receive queues
 * @session: with queue pairs in INIT at least
 *
 * Return: 0 or -1.
 */
int work_receive_all(struct session *session)
{
	const struct options *options = session->options;
	unsigned int slot;

	if (!mode_has_receives(options) || options->show == SHOW_RNR)
		return 0;
	for (slot = 0; slot < options->depth * options->queues; slot++)
		if (work_receive(session, &session->queues[slot / options->depth], slot))
			return -1;
	return 0;
}

static int bind_window(struct session *session, struct queue *queue)
{
	struct memory *memory = &session->memory;
	struct ibv_send_wr wr = { .opcode = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED };

	queue->mw = ibv_alloc_mw(session->pd, IBV_MW_TYPE_2);
	if (!queue->mw) {
		trouble_errno("allocating a memory window of type 2");
		trouble_advice("the device may have none: ibv_devinfo -v | grep MEM_WINDOW; leave out --mw");
		return -1;
	}
	/* The key's last byte is the user's: each binding takes another. */
	wr.bind_mw.mw = queue->mw;
	wr.bind_mw.rkey = ibv_inc_rkey(queue->mw->rkey);
	wr.bind_mw.bind_info = (struct ibv_mw_bind_info) {
		.mr = memory->mr,
		.addr = (uintptr_t)memory_slot(memory, AREA_TARGET, queue->index, 0),
		.length = memory->stride * memory->slots,
		.mw_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ,
	};
	if (session->device.attr.atomic_cap != IBV_ATOMIC_NONE)
		wr.bind_mw.bind_info.mw_access_flags |= IBV_ACCESS_REMOTE_ATOMIC;
	wr.wr_id = ++queue->posted;
	if (post(queue, &wr) || wait_done(session, queue))
		return -1;
	queue->mw->rkey = wr.bind_mw.rkey;
	return 0;
}

/**
 * work_bind() - open a memory window over each queue's target
 * @session: connected
 *
 * A window gives a key of its own to a part of a registration, and takes it back, by a
 * work request instead of a system call.  One of type 2 works on one queue pair only.
 *
 * Return: 0 or -1.
 */
int work_bind(struct session *session)
{
	unsigned int i;

	for (i = 0; i < session->options->queues; i++)
		if (bind_window(session, &session->queues[i]))
			return -1;
	return 0;
}

/**
 * work_invalidate() - close a window: its key is of no use any more
 * @session: the session
 * @queue: whose window
 *
 * Return: 0 or -1.
 */
int work_invalidate(struct session *session, struct queue *queue)
{
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_LOCAL_INV,
		.send_flags = IBV_SEND_SIGNALED,
		.invalidate_rkey = queue->mw->rkey,
		.wr_id = ++queue->posted,
	};

	return post(queue, &wr) || wait_done(session, queue) ? -1 : 0;
}
