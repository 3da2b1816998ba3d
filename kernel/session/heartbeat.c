// SPDX-License-Identifier: GPL-2.0
/*
 * heartbeat.c - a session that nobody uses finds out that its peer is gone, and
 * one whose adapter has stopped answering ends all the same.
 *
 * Each beat is a READ and a WRITE of few bytes, in requests like all others.  A
 * peer that is gone makes the adapter fail them (connect.c: peer_timeout), and so
 * the session.  The clock here is for an adapter that does not: a beat that is not
 * answered, or a queue that has requests and ends none.
 *
 * The work takes no lock that recovery holds while it waits, and its requests are its
 * session's own: volumes whose I/O is parked have none of them.
 */
#include <linux/mm.h>

#include "arm.h"
#include "barrier.h"
#include "fault.h"
#include "heartbeat.h"
#include "message.h"
#include "post.h"
#include "session.h"
#include "wq.h"

static unsigned long beat_interval(const struct farmem_session *s)
{
	return s->config.heartbeat * HZ;
}

unsigned long farmem_heartbeat_patience(const struct farmem_session *s)
{
	return msecs_to_jiffies(2 * s->config.peer_timeout) + beat_interval(s);
}

static void beat_request_done(struct farmem_request *req, blk_status_t status)
{
	struct farmem_session *s = req->private;

	if (!status)
		atomic_inc(&s->heartbeat.passed[req->op == FARMEM_OP_READ]);
	/* What was read has been read before the next beat may overwrite it. */
	smp_mb__before_atomic();
	atomic_dec(&s->heartbeat.under_way);
}

static void beat_written(struct farmem_request *req, blk_status_t status)
{
	/* An error has failed the session already: reap.c. */
	beat_request_done(req, status);
}

static void beat_status_read(struct farmem_request *req, blk_status_t status)
{
	struct farmem_session *s = req->private;
	struct farmem_status_info info;

	if (status) {
		beat_request_done(req, status);
		return;
	}
	if (farmem_message_parse_status(page_address(req->data.page), &info)) {
		farmem_session_fail(s, -EPROTO,
				    "the server's status page does not make sense; is it a farmemd of this version?");
		beat_request_done(req, status);
		return;
	}
	if (info.generation != s->link.generation)
		farmem_session_fail(s, -ESTALE,
				    "the server has other memory than before");
	else if (info.flags & FARMEM_STATUS_SHUTTING_DOWN)
		farmem_session_fail(s, -EHOSTDOWN,
				    "the server is shutting down");
	WRITE_ONCE(s->link.free, info.free);
	WRITE_ONCE(s->link.pressure, info.pressure);
	/* A process that reads wanted and then within never takes an old 0 for urgent. */
	if (info.wanted)
		WRITE_ONCE(s->link.within, info.within);
	smp_wmb();
	WRITE_ONCE(s->link.wanted, info.wanted);
	farmem_barrier_say(s, info.barrier);
	beat_request_done(req, status);
}

static const struct farmem_request_ops beat_ops = { .done = beat_written };
static const struct farmem_request_ops status_ops = { .done = beat_status_read };

/* Return: false if there is no request to be had now. */
static bool beat_post(struct farmem_session *s, enum farmem_op op,
		      const struct farmem_extent *where, struct page *page,
		      u32 bytes, const struct farmem_request_ops *ops)
{
	struct farmem_request *req = farmem_request_alloc(s->requests,
							  GFP_NOWAIT);

	if (!req)
		return false;
	req->op = op;
	req->data.page = page;
	req->bytes = bytes;
	req->extent = where;
	req->within = 0;
	req->ops = ops;
	req->target = &farmem_target_ready;
	req->private = s;
	atomic_inc(&s->heartbeat.under_way);
	farmem_post_request(farmem_session_queue(s, op == FARMEM_OP_READ ?
						 FARMEM_QUEUE_READ :
						 FARMEM_QUEUE_WRITE), req);
	return true;
}

static void beat_send(struct farmem_session *s)
{
	struct farmem_heartbeat *hb = &s->heartbeat;

	hb->sent = jiffies;
	if (farmem_fault(FARMEM_FAULT_BEAT)) {
		hb->dropped = true;
		return;
	}
	le64_add_cpu(page_address(hb->beat_page), 1);
	if (beat_post(s, FARMEM_OP_WRITE, &hb->counter, hb->beat_page,
		      sizeof(__le64), &beat_ops))
		beat_post(s, FARMEM_OP_READ, &hb->status, hb->status_page,
			  sizeof(struct farmem_status), &status_ops);
}

/* Has it requests, and has ended none for longer than any may take? */
static bool beat_queue_stuck(struct farmem_queue *q, unsigned long patience)
{
	bool stuck = false;

	spin_lock_bh(&q->lock);
	if (!q->live || !q->inflight_count || q->succeeded != q->seen) {
		q->seen = q->succeeded;
		q->still_since = jiffies;
	} else {
		/* Perhaps it is only that nobody looks. */
		farmem_arm_next(q);
		stuck = time_after(jiffies, q->still_since + patience);
	}
	spin_unlock_bh(&q->lock);
	return stuck;
}

static bool beat_queues_are_well(struct farmem_session *s)
{
	unsigned int i;

	for (i = 0; i < s->set.count; i++) {
		if (beat_queue_stuck(&s->set.queues[i], farmem_heartbeat_patience(s))) {
			farmem_session_fail(s, -ETIMEDOUT,
					    "queue %u has ended no request for %lu s, and its adapter reports no error",
					    i, farmem_heartbeat_patience(s) / HZ);
			return false;
		}
	}
	return true;
}

static void beat_work(struct work_struct *work)
{
	struct farmem_heartbeat *hb = container_of(to_delayed_work(work),
						   struct farmem_heartbeat,
						   work);
	struct farmem_session *s =
		container_of(hb, struct farmem_session, heartbeat);

	if (!farmem_session_live(s) || !beat_queues_are_well(s))
		return;
	if (!atomic_read(&hb->under_way) && !hb->dropped) {
		beat_send(s);
	} else if (time_after(jiffies, hb->sent + farmem_heartbeat_patience(s))) {
		farmem_session_fail(s, -ETIMEDOUT,
				    "no answer to a heartbeat for %lu s",
				    farmem_heartbeat_patience(s) / HZ);
		return;
	}
	queue_delayed_work(farmem_wq, &hb->work, beat_interval(s));
}

void farmem_heartbeat_init(struct farmem_session *s)
{
	s->config.heartbeat = FARMEM_HEARTBEAT_DEFAULT;
	INIT_DELAYED_WORK(&s->heartbeat.work, beat_work);
}

int farmem_heartbeat_alloc(struct farmem_session *s)
{
	struct farmem_heartbeat *hb = &s->heartbeat;

	/* Two: one is the device's to write, one its to read. */
	hb->status_page = farmem_fault_alloc(alloc_page(GFP_KERNEL | __GFP_ZERO));
	hb->beat_page = farmem_fault_alloc(alloc_page(GFP_KERNEL | __GFP_ZERO));
	if (hb->status_page && hb->beat_page)
		return 0;
	farmem_heartbeat_free(s);
	return -ENOMEM;
}

void farmem_heartbeat_free(struct farmem_session *s)
{
	struct farmem_heartbeat *hb = &s->heartbeat;

	if (hb->status_page)
		__free_page(hb->status_page);
	if (hb->beat_page)
		__free_page(hb->beat_page);
	hb->status_page = NULL;
	hb->beat_page = NULL;
	/* They were that server's: the next one may be this machine, which has none. */
	memset(&hb->status, 0, sizeof(hb->status));
	memset(&hb->counter, 0, sizeof(hb->counter));
}

void farmem_heartbeat_aim(struct farmem_session *s,
			  const struct farmem_welcome_info *info)
{
	struct farmem_heartbeat *hb = &s->heartbeat;

	hb->status.addr = info->status_addr;
	hb->status.rkey = info->status_rkey;
	hb->counter.addr = info->beat_addr;
	hb->counter.rkey = info->beat_rkey;
}

void farmem_heartbeat_start(struct farmem_session *s)
{
	struct farmem_heartbeat *hb = &s->heartbeat;

	hb->dropped = false;
	atomic_set(&hb->passed[0], 0);
	atomic_set(&hb->passed[1], 0);
	if (s->config.heartbeat && hb->status.addr && hb->counter.addr)
		mod_delayed_work(farmem_wq, &hb->work, beat_interval(s));
}

void farmem_heartbeat_stop(struct farmem_session *s)
{
	cancel_delayed_work_sync(&s->heartbeat.work);
}
