/* SPDX-License-Identifier: GPL-2.0 */
/*
 * queue.h - queue pairs, the completion queues they report to, and their states.
 */
#ifndef VERBS_QUEUE_H
#define VERBS_QUEUE_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>

struct session;

#define QUEUES_MAX 64
/* Of a work request's wr_id: it is a receive, and the rest is its slot. */
#define QUEUE_RECEIVE (1ull << 63)
#define QKEY 0x11111111		/* a datagram's sender must know it; rdma_cm has its own */

/**
 * struct arrival - a message that came
 * @slot: the receive's, counted over all queues
 * @length: its bytes, with the header of a datagram
 * @has_imm: it carries an immediate value
 * @imm: that value
 */
struct arrival {
	unsigned int slot, length;
	bool has_imm;
	uint32_t imm;
};

/**
 * struct queue - a queue pair and what is known about its other end
 * @index: its place in the session
 * @qp: the queue pair
 * @cq: where its work completes
 * @id: rdma_cm's handle, NULL when set up by hand
 * @connected: by rdma_cm
 * @psn: number of the first packet that this end sends
 * @peer_qpn: the other end's number; for datagrams, where each one goes
 * @peer_qkey: of datagrams
 * @peer_psn: number of the first packet that the other end sends
 * @ah: the way to the other end, of datagrams; a connected queue pair knows it
 * @mw: window over this queue's target, NULL if the region's own key is given
 * @peer_addr: the other end's target
 * @peer_rkey: the key to it
 * @peer_stride: from one slot of it to the next
 * @posted: work requests posted to the send queue, ever
 * @done: of those, known to be over
 * @unsignaled: posted since the last that asks for a completion
 * @arrivals: messages that came and were not looked at yet, a ring
 * @arrivals_max: its size
 * @came: messages, ever
 * @taken: of those, looked at
 * @credit: messages for which the other end has a receive
 * @owed: receives posted anew of which the other end does not know yet
 * @checked: of the posted ones, those whose data was looked at
 * @atomics: operations on the other end's counter, ever
 * @atomics_checked: of those, whose results were looked at
 */
struct queue {
	unsigned int index;
	struct ibv_qp *qp;
	struct ibv_cq *cq;
	struct rdma_cm_id *id;
	bool connected;
	uint32_t psn, peer_qpn, peer_qkey, peer_psn;
	struct ibv_ah *ah;
	struct ibv_mw *mw;
	uint64_t peer_addr;
	uint32_t peer_rkey, peer_stride;
	uint64_t posted, done;
	unsigned int unsignaled;
	struct arrival *arrivals;
	unsigned int arrivals_max;
	uint64_t came, taken;
	unsigned int credit, owed;
	uint64_t checked, atomics, atomics_checked;
};

/**
 * struct way - how to reach the other end's port, set up by hand
 * @lid: its address in an InfiniBand subnet, 0 on RoCE
 * @gid: its global address
 * @mtu: enum ibv_mtu, the smaller one of both ends
 * @reads: READs and atomics that it answers at once
 */
struct way {
	uint16_t lid;
	union ibv_gid gid;
	unsigned int mtu, reads;
};

/** smaller() - of two; ends seldom allow the same */
static inline unsigned int smaller(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

int queue_create_cqs(struct session *session);
int queue_create(struct session *session, struct queue *queue);
void queue_destroy(struct queue *queue);
void queue_destroy_cqs(struct session *session);
struct queue *queue_of(struct session *session, uint32_t qpn);
unsigned int queue_responder_resources(const struct session *session);
unsigned int queue_initiator_depth(const struct session *session);

int queue_init(struct session *session, struct queue *queue);
int queue_rtr(struct session *session, struct queue *queue, const struct way *way);
int queue_rts(struct session *session, struct queue *queue, const struct way *way);
void queue_address(const struct session *session, const struct way *way,
		   struct ibv_ah_attr *attr);

#endif
