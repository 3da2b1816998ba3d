// SPDX-License-Identifier: GPL-2.0
/*
 * The adapter reports finished work in completion queues.  Looking there costs nothing
 * but a CPU; to sleep instead, a queue is armed: its next completion then makes an event
 * on the channel, whose file descriptor poll(2) waits for.  Between the last look and
 * arming a completion may have come that makes no event, so one looks once more after
 * arming.  That is the whole secret.
 */
#include "wait.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "cm.h"
#include "measure.h"
#include "session.h"
#include "trouble.h"

#define BATCH 16
#define NAP_MS 100		/* and a look at the rest of the world */

/**
 * wait_begin() - from now on the clock runs
 * @session: of which wait_step() is called next
 */
void wait_begin(struct session *session)
{
	session->idle = 0;
	session->deadline = measure_now() + session->options->timeout * 1000000000ull;
}

static int failed_completion(struct session *session, const struct ibv_wc *wc)
{
	const struct queue *queue = queue_of(session, wc->qp_num);
	char what[64], vendor[32] = "";

	session->error = *wc;
	session->failed = true;
	if (session->expects_error)
		return -1;
	/* Of a failed one no other field is valid: not even what kind of work it was. */
	if (wc->wr_id & QUEUE_RECEIVE)
		snprintf(what, sizeof(what), "a receive");
	else
		snprintf(what, sizeof(what), "work request %llu",
			 (unsigned long long)wc->wr_id);
	/* What only the adapter's maker can explain. */
	if (wc->vendor_err)
		snprintf(vendor, sizeof(vendor), ", vendor_err 0x%x", wc->vendor_err);
	trouble_explain(EXPLAIN_WC, wc->status, "%s of queue %u failed%s", what,
			queue ? queue->index : 0, vendor);
	device_events(&session->device);
	return -1;
}

/* A datagram names its sender: in its completion, and in the 40 bytes before it. */
static int learn_sender(struct session *session, struct queue *queue, struct ibv_wc *wc,
			unsigned int slot)
{
	struct memory *memory = &session->memory;
	struct ibv_sge list[SGE_MAX + 1];

	memory_receive_pieces(session, slot / memory->slots, slot % memory->slots, list);
	queue->peer_qpn = wc->src_qp;
	queue->peer_qkey = session->cm.channel ? RDMA_UDP_QKEY : QKEY;
	queue->ah = ibv_create_ah_from_wc(session->pd, wc, (void *)(uintptr_t)list[0].addr,
					  session->device.port);
	return queue->ah ? 0 : trouble_verbs("making an address handle for the sender");
}

static int received(struct session *session, struct queue *queue, struct ibv_wc *wc)
{
	unsigned int slot = wc->wr_id & ~QUEUE_RECEIVE;

	if (session->options->transport == TRANSPORT_UD && !queue->ah &&
	    learn_sender(session, queue, wc, slot))
		return -1;
	if (queue->came - queue->taken == queue->arrivals_max)
		return trouble("queue %u: more messages came than receives were posted",
			       queue->index);
	queue->arrivals[queue->came++ % queue->arrivals_max] = (struct arrival) {
		.slot = slot,
		.length = wc->byte_len,
		.has_imm = wc->wc_flags & IBV_WC_WITH_IMM,
		.imm = wc->imm_data,
	};
	return 0;
}

static int completed(struct session *session, struct ibv_wc *wc)
{
	struct queue *queue = queue_of(session, wc->qp_num);

	if (!queue)
		return trouble("a completion names queue pair 0x%06x, which does not exist here",
			       wc->qp_num);
	if (wc->status != IBV_WC_SUCCESS)
		return failed_completion(session, wc);
	if (wc->wr_id & QUEUE_RECEIVE)
		return received(session, queue, wc);
	/* One success proves all that was posted before it on its queue. */
	queue->done = wc->wr_id;
	if (session->on_completion)
		session->on_completion(session, queue, wc->wr_id);
	return 0;
}

/* Look at each completion queue once; how many there were, or -1. */
static int look(struct session *session)
{
	struct ibv_wc wc[BATCH];
	unsigned int i;
	int n, k, found = 0;

	for (i = 0; i < session->cqs; i++) {
		n = ibv_poll_cq(session->cq[i], BATCH, wc);
		if (n < 0)
			return trouble("ibv_poll_cq failed");
		for (k = 0; k < n; k++)
			if (completed(session, &wc[k]))
				return -1;
		found += n;
	}
	return found;
}

/**
 * wait_heard() - has the other end said something?
 * @session: the session
 */
bool wait_heard(const struct session *session)
{
	return talk_pending(session->talk);
}

/* Now and then: is anybody still there, and is there time left? */
static int look_around(struct session *session)
{
	/* What else it has to say waits until it is asked: its keys, while windows are bound. */
	if (talk_ended(session->talk)) {
		talk_receive(session->talk);
		return -1;
	}
	if (cm_look(session))
		return -1;
	if (measure_now() < session->deadline)
		return 0;
	trouble("nothing happened for %u s: a message was lost, or the other end hangs",
		session->options->timeout);
	device_events(&session->device);
	if (session->options->transport != TRANSPORT_RC)
		trouble_advice("use --transport rc: UC and UD do not send lost messages again");
	else
		trouble_advice("read the other end's standard error; 'rdma statistic show' on both: are packets sent again?");
	return -1;
}

static int arm(struct session *session)
{
	unsigned int i;

	for (i = 0; i < session->cqs; i++)
		if (ibv_req_notify_cq(session->cq[i], 0))
			return trouble_verbs("ibv_req_notify_cq");
	session->armed = true;
	return 0;
}

static int take_event(struct session *session)
{
	struct ibv_cq *cq;
	void *index;

	if (ibv_get_cq_event(session->channel, &cq, &index))
		return trouble_verbs("ibv_get_cq_event");
	/* Acknowledging takes a lock: it is done in bulk, when the queues are destroyed. */
	session->events[(uintptr_t)index]++;
	session->armed = false;
	return 0;
}

static int sleep_a_while(struct session *session)
{
	struct pollfd doors[] = {
		{ .fd = session->channel->fd, .events = POLLIN },
		{ .fd = session->talk->fd, .events = POLLIN },
	};

	if (!session->armed)
		return arm(session);	/* and the caller looks once more */
	/* A line that nobody asks for yet is not to keep us awake. */
	if (poll(doors, talk_pending(session->talk) ? 1 : 2, NAP_MS) < 0 && errno != EINTR)
		return trouble_errno("poll");
	if (doors[0].revents)
		return take_event(session);
	return look_around(session);
}

/*
 * The CPU is not ours alone: soft-RoCE has none but this one to work on, and neither has
 * the other end where both are one machine.
 */
static int spin(struct session *session)
{
	if (++session->idle % 64 == 0)
		sched_yield();
	return session->idle % 4096 ? 0 : look_around(session);
}

/**
 * wait_step() - look for completions once, and if there are none, wait a little
 * @session: the session, after wait_begin()
 *
 * What was found is in the counters of its queues: done, came.
 *
 * Return: 0; -1: a completion was an error, the time is over, or the other end gone.
 */
int wait_step(struct session *session)
{
	int found = look(session);

	if (found < 0)
		return -1;
	if (!found)
		return session->channel ? sleep_a_while(session) : spin(session);
	wait_begin(session);
	return 0;
}

/**
 * wait_done() - until all that was posted to a queue is over
 * @session: the session
 * @queue: whose last work request asks for a completion
 *
 * Return: 0 or -1.
 */
int wait_done(struct session *session, struct queue *queue)
{
	wait_begin(session);
	while (queue->done != queue->posted)
		if (wait_step(session))
			return -1;
	return 0;
}
