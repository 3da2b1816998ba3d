// SPDX-License-Identifier: GPL-2.0
/*
 * A queue pair is two lists of work requests, one to send and one to receive, that the
 * adapter works off by itself.  It begins in the state RESET and is led by hand, or by
 * rdma_cm, to
 *
 *   INIT  it may be given receives,
 *   RTR   ready to receive: it knows its other end, and answers,
 *   RTS   ready to send.
 *
 * Any error leads to ERR, where all work that is left is flushed: it completes, with
 * the status IBV_WC_WR_FLUSH_ERR, and nothing else happens any more.
 */
#include "queue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "trouble.h"

#define ACK_TIMEOUT 14		/* 4.096 us times 2^14: 67 ms until a packet is sent again */
#define RNR_TIMER 6		/* 0.08 ms until a sender that found no receive tries again */
#define HOPS 64
#define INLINE_MAX 65536	/* more than any adapter carries */

static const enum ibv_qp_type qp_types[] = {
	[TRANSPORT_RC] = IBV_QPT_RC,
	[TRANSPORT_UC] = IBV_QPT_UC,
	[TRANSPORT_UD] = IBV_QPT_UD,
};

/* A waiter sleeps on one channel, which all completion queues report to. */
static int create_channel(struct session *session)
{
	if (session->options->wait != WAIT_EVENT)
		return 0;
	session->channel = ibv_create_comp_channel(session->device.context);
	return session->channel ? 0 : trouble_verbs("creating a completion channel");
}

/**
 * queue_create_cqs() - where work completes
 * @session: with a device
 *
 * A completion queue that runs over is lost, with all queue pairs that report to
 * it: so it has room for all that can be posted to them.
 *
 * Return: 0 or -1.
 */
int queue_create_cqs(struct session *session)
{
	const struct options *options = session->options;
	unsigned int queues = options->shared_cq ? options->queues : 1;
	int room = (2 * options->depth + 4) * queues;

	if (options->srq)
		room = (options->depth + 4) * queues + options->depth * options->queues;
	if (create_channel(session))
		return -1;
	while (session->cqs < (options->shared_cq ? 1 : options->queues)) {
		struct ibv_cq *cq = ibv_create_cq(session->device.context, room,
						  (void *)(uintptr_t)session->cqs,
						  session->channel, 0);

		if (!cq)
			return trouble_verbs("creating a completion queue for %d entries (%s has room for %d)",
					     room, session->device.name,
					     session->device.attr.max_cqe);
		session->cq[session->cqs++] = cq;
	}
	return 0;
}

static void describe(struct session *session, struct queue *queue, unsigned int inline_size,
		     struct ibv_qp_init_attr *attr)
{
	const struct options *options = session->options;
	unsigned int pieces = session->server ? options->remote_sge : options->sge;

	*attr = (struct ibv_qp_init_attr) {
		.send_cq = queue->cq,
		.recv_cq = queue->cq,
		.srq = session->srq,
		.qp_type = qp_types[options->transport],
		.cap = {
			.max_send_wr = options->depth + 2,	/* and a window bound, cut */
			.max_send_sge = pieces,
			.max_recv_wr = session->srq ? 0 : options->depth,
			.max_recv_sge = pieces + (options->transport == TRANSPORT_UD),
			.max_inline_data = inline_size,
		},
	};
}

static bool can_create(struct session *session, struct queue *queue, unsigned int inline_size)
{
	struct ibv_qp_init_attr attr;
	struct ibv_qp *qp;

	describe(session, queue, inline_size, &attr);
	qp = ibv_create_qp(session->pd, &attr);
	if (qp)
		ibv_destroy_qp(qp);
	return qp;
}

/* No verb tells how much a work request can carry: it takes trying. */
static unsigned int inline_limit(struct session *session, struct queue *queue)
{
	unsigned int low = 0, high = options_largest(session->options);

	if (high < INLINE_MAX)
		high = INLINE_MAX;
	while (low < high) {
		unsigned int try = low + (high - low + 1) / 2;

		if (can_create(session, queue, try))
			low = try;
		else
			high = try - 1;
	}
	return low;
}

/*
 * How much this session's work requests will carry.  A queue pair that cannot be made even
 * without any has another reason, which creating it will tell.
 */
static int plan_inline(struct session *session, struct queue *queue)
{
	const struct options *options = session->options;
	unsigned int limit;

	if (!options->inline_data || session->inline_max || !can_create(session, queue, 0))
		return 0;
	limit = inline_limit(session, queue);
	session->inline_max = limit;
	if (options->size == SIZE_ALL ? limit : limit >= options->size)
		return 0;
	trouble_refuse("%s carries at most %u bytes inline, not %u", session->device.name, limit,
		       options_largest(options));
	if (limit)
		trouble_advice("use --size %u, or leave out --inline", limit);
	else
		trouble_advice("leave out --inline");
	return -1;
}

static int explain_creation(struct session *session, struct queue *queue)
{
	trouble_errno("creating queue pair %u", queue->index);
	fprintf(stderr, "  %s allows %d queue pairs, %d work requests in each, %d pieces in each work request.\n",
		session->device.name, session->device.attr.max_qp, session->device.attr.max_qp_wr,
		session->device.attr.max_sge);
	trouble_advice("use a smaller --queues, --depth or --sge; ulimit -l: some adapters count queues as locked memory");
	return -1;
}

static int create_ring(struct session *session, struct queue *queue)
{
	unsigned int most = session->options->depth;

	if (session->srq)
		most *= session->options->queues;
	queue->arrivals_max = most;
	queue->arrivals = calloc(most, sizeof(*queue->arrivals));
	return queue->arrivals ? 0 : trouble("out of memory");
}

/**
 * queue_create() - a queue pair in the state RESET; by rdma_cm, in INIT, one of UD in RTS
 * @session: with protection domain and completion queues
 * @queue: with index, and the id if rdma_cm sets it up
 *
 * Return: 0 or -1.
 */
int queue_create(struct session *session, struct queue *queue)
{
	struct ibv_qp_init_attr attr;

	queue->cq = session->cq[session->cqs == 1 ? 0 : queue->index];
	if (create_ring(session, queue) || plan_inline(session, queue))
		return -1;
	describe(session, queue, smaller(session->inline_max, options_largest(session->options)),
		 &attr);
	if (queue->id) {
		if (!rdma_create_qp(queue->id, session->pd, &attr))
			queue->qp = queue->id->qp;
	} else {
		queue->qp = ibv_create_qp(session->pd, &attr);
	}
	if (!queue->qp)
		return explain_creation(session, queue);
	return 0;
}

/**
 * queue_destroy() - the queue pair, and what hangs on it
 * @queue: created, or in part, or not
 *
 * A bound window knows its queue pair: soft-RoCE has it wait for the window's end.
 */
void queue_destroy(struct queue *queue)
{
	if (queue->mw)
		ibv_dealloc_mw(queue->mw);
	if (queue->qp && queue->id)
		rdma_destroy_qp(queue->id);
	else if (queue->qp)
		ibv_destroy_qp(queue->qp);
	if (queue->ah)
		ibv_destroy_ah(queue->ah);
	free(queue->arrivals);
	queue->arrivals = NULL;
	queue->qp = NULL;
	queue->ah = NULL;
	queue->mw = NULL;
}

/**
 * queue_destroy_cqs() - the completion queues and their channel
 * @session: without queue pairs by now
 *
 * Events that were taken and not acknowledged would be waited for: they are first.
 */
void queue_destroy_cqs(struct session *session)
{
	while (session->cqs) {
		struct ibv_cq *cq = session->cq[--session->cqs];

		ibv_ack_cq_events(cq, session->events[session->cqs]);
		session->events[session->cqs] = 0;
		ibv_destroy_cq(cq);
	}
	if (session->channel)
		ibv_destroy_comp_channel(session->channel);
	session->channel = NULL;
}

/**
 * queue_of() - whose work a completion is of
 * @session: the session
 * @qpn: number of the queue pair, all that a shared completion queue tells
 *
 * Return: it or NULL.
 */
struct queue *queue_of(struct session *session, uint32_t qpn)
{
	unsigned int i;

	for (i = 0; i < session->options->queues; i++)
		if (session->queues[i].qp && session->queues[i].qp->qp_num == qpn)
			return &session->queues[i];
	return NULL;
}

/**
 * queue_responder_resources() - room for READs and atomics of the other end that are being answered
 * @session: the session
 */
unsigned int queue_responder_resources(const struct session *session)
{
	unsigned int most = smaller(session->device.attr.max_qp_rd_atom, 255);
	unsigned int asked = session->options->responder_resources;

	/* The option means the server's; a client is asked for nothing but by accident. */
	return session->server && asked != AUTO ? smaller(asked, most) : smaller(most, 16);
}

/**
 * queue_initiator_depth() - READs and atomics of this end that wait for their answers
 * @session: the session
 */
unsigned int queue_initiator_depth(const struct session *session)
{
	unsigned int most = smaller(session->device.attr.max_qp_init_rd_atom, 255);
	unsigned int asked = session->options->initiator_depth;

	return !session->server && asked != AUTO ? smaller(asked, most) : smaller(most, 16);
}

static int failed(struct session *session, struct queue *queue, const char *state)
{
	char text[256];

	trouble_errno("moving queue pair %u to state %s", queue->index, state);
	device_describe(&session->device, text, sizeof(text));
	fprintf(stderr, "  This end: %s.\n", text);
	return -1;
}

/**
 * queue_init() - RESET to INIT: the queue pair gets its port and what peers may do
 * @session: the session
 * @queue: set up by hand
 *
 * Return: 0 or -1.
 */
int queue_init(struct session *session, struct queue *queue)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.pkey_index = 0,
		.port_num = session->device.port,
	};
	int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;

	if (session->options->transport == TRANSPORT_UD) {
		attr.qkey = QKEY;
		mask |= IBV_QP_QKEY;
	} else {
		/* UC knows no READ and no atomics, and refuses the flags. */
		attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
		if (session->options->transport == TRANSPORT_RC)
			attr.qp_access_flags |= IBV_ACCESS_REMOTE_READ;
		if (session->options->transport == TRANSPORT_RC &&
		    session->device.attr.atomic_cap != IBV_ATOMIC_NONE)
			attr.qp_access_flags |= IBV_ACCESS_REMOTE_ATOMIC;
		mask |= IBV_QP_ACCESS_FLAGS;
	}
	errno = ibv_modify_qp(queue->qp, &attr, mask);
	return errno ? failed(session, queue, "INIT") : 0;
}

/**
 * queue_address() - the way to a port: by LID within an InfiniBand subnet, by GID on RoCE and beyond
 * @session: the session
 * @way: what the other end said of its port
 * @attr: to fill
 */
void queue_address(const struct session *session, const struct way *way,
		   struct ibv_ah_attr *attr)
{
	*attr = (struct ibv_ah_attr) {
		.dlid = way->lid,
		.port_num = session->device.port,
	};
	if (session->device.port_attr.link_layer != IBV_LINK_LAYER_ETHERNET && way->lid)
		return;
	attr->is_global = 1;
	attr->grh.dgid = way->gid;
	attr->grh.sgid_index = session->device.gid_index;
	attr->grh.hop_limit = HOPS;
}

static int create_address_handle(struct session *session, struct queue *queue,
				 const struct way *way)
{
	struct ibv_ah_attr attr;

	queue_address(session, way, &attr);
	queue->ah = ibv_create_ah(session->pd, &attr);
	return queue->ah ? 0 : trouble_verbs("making an address handle for the other end");
}

static int explain_rtr(struct session *session, struct queue *queue, const struct way *way)
{
	int error = errno;
	char text[GID_TEXT];

	failed(session, queue, "RTR");
	fprintf(stderr, "  Other end: GID %s, LID %u, queue pair 0x%06x.\n",
		device_gid_text(&way->gid, text), way->lid, queue->peer_qpn);
	if (error == EINVAL || error == ENETUNREACH || error == EHOSTUNREACH || error == ETIMEDOUT)
		trouble_advice("is there a route from this end's GID to the other's? Leave out --gid-index at both ends: the index counts rows of each node's own table, and may differ");
	return -1;
}

/**
 * queue_rtr() - INIT to RTR: the queue pair learns its other end
 * @session: the session
 * @queue: with the other end's number and first packet
 * @way: to the other end's port
 *
 * Return: 0 or -1.
 */
int queue_rtr(struct session *session, struct queue *queue, const struct way *way)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR };
	int mask = IBV_QP_STATE;

	if (session->options->transport == TRANSPORT_UD) {
		errno = ibv_modify_qp(queue->qp, &attr, mask);
		return errno ? failed(session, queue, "RTR")
			     : create_address_handle(session, queue, way);
	}
	attr.path_mtu = way->mtu;
	attr.dest_qp_num = queue->peer_qpn;
	attr.rq_psn = queue->peer_psn;
	queue_address(session, way, &attr.ah_attr);
	mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
	if (session->options->transport == TRANSPORT_RC) {
		attr.max_dest_rd_atomic = queue_responder_resources(session);
		attr.min_rnr_timer = RNR_TIMER;
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	}
	errno = ibv_modify_qp(queue->qp, &attr, mask);
	return errno ? explain_rtr(session, queue, way) : 0;
}

/**
 * queue_rts() - RTR to RTS: the queue pair may send
 * @session: the session
 * @queue: in RTR
 * @way: to the other end's port
 *
 * Return: 0 or -1.
 */
int queue_rts(struct session *session, struct queue *queue, const struct way *way)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTS, .sq_psn = queue->psn };
	int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;

	if (session->options->transport == TRANSPORT_RC) {
		/* No more than the other end answers at once. */
		attr.max_rd_atomic = smaller(queue_initiator_depth(session), way->reads);
		attr.timeout = ACK_TIMEOUT;
		attr.retry_cnt = session->options->retry_count;
		attr.rnr_retry = session->options->rnr_retry;
		mask |= IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
			IBV_QP_RNR_RETRY;
	}
	errno = ibv_modify_qp(queue->qp, &attr, mask);
	return errno ? failed(session, queue, "RTS") : 0;
}
