// SPDX-License-Identifier: GPL-2.0
/*
 * barrier.c - a token on each queue, behind all that was posted before.
 *
 * A server lends memory that this client gave up only when no request can be under way to
 * it any more.  It asks by a token that came after the memory's keys had gone (docs/protocol.md,
 * "Barrier").  The token needs a receive of the server's, which that has posted once: so
 * each queue says a token once, and data behind it never waits for the server's CPU.
 */
#include "barrier.h"
#include "post.h"
#include "session.h"

static void barrier_said(struct farmem_request *req, blk_status_t status)
{
	struct farmem_queue *q = req->private;

	/* Not on its way: a queue that was down. */
	if (status) {
		WRITE_ONCE(q->barrier, 0);
		return;
	}
	/* It proves nothing of large packets: queue-set.c:queues_carried(). */
	spin_lock_bh(&q->lock);
	if (req->send.signaled)
		q->succeeded--;
	spin_unlock_bh(&q->lock);
}

static const struct farmem_request_ops barrier_ops = { .done = barrier_said };

static void barrier_say_on(struct farmem_queue *q, struct farmem_request *req, u32 token)
{
	req->op = FARMEM_OP_BARRIER;
	req->bytes = 0;
	req->ops = &barrier_ops;
	req->target = &farmem_target_ready;
	req->private = q;
	req->send.token = token;
	WRITE_ONCE(q->barrier, token);
	farmem_post_request(q, req);
}

void farmem_barrier_say(struct farmem_session *s, u32 token)
{
	struct farmem_request *req;
	unsigned int i;

	for (i = 0; token && i < READ_ONCE(s->set.count); i++) {
		struct farmem_queue *q = &s->set.queues[i];

		if (READ_ONCE(q->barrier) == token)
			continue;
		req = farmem_request_alloc(s->requests, GFP_NOWAIT);
		if (!req)
			return;
		barrier_say_on(q, req, token);
	}
}
