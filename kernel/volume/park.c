// SPDX-License-Identifier: GPL-2.0
/*
 * park.c - I/O that waits for its session: parked, sent again, or failed.
 *
 * Whether to wait follows from the session's state, the clock, and whether the
 * volume goes off (park_judge()).  Lists are only added to, under park->lock, while
 * the verdict is to wait; whatever changes the verdict looks at the lists after
 * that.  So nothing stays behind.
 */
#include <linux/sched/signal.h>

#include "extents.h"
#include "park.h"
#include "queue.h"
#include "volume.h"
#include "wq.h"

static enum farmem_lane park_lane_of(const struct farmem_volume *v, bool write,
				     bool swap)
{
	return write && (swap || v->sync) ? FARMEM_LANE_RECLAIM :
					    FARMEM_LANE_OTHER;
}

/* Seconds; negative: for ever. */
static int park_deadline_of(const struct farmem_volume *v, enum farmem_lane lane)
{
	int deadline = READ_ONCE(v->io_deadline);

	if (lane == FARMEM_LANE_OTHER)
		return deadline;
	/* It waits for each page there. */
	if (v->sync)
		return 0;
	return deadline < 0 ? FARMEM_SWAP_OUT_DEADLINE :
			      min(deadline, FARMEM_SWAP_OUT_DEADLINE);
}

/* It is over from the moment that it is, whether or not the timer has struck. */
static bool park_expired(const struct farmem_volume *v, enum farmem_lane lane,
			 unsigned long since)
{
	int deadline = park_deadline_of(v, lane);

	return deadline >= 0 &&
	       time_after_eq(jiffies, since + (unsigned long)deadline * HZ);
}

/* When the volume's I/O began to wait: for its session, or for itself since before that. */
static unsigned long park_waits_since(const struct farmem_volume *v)
{
	return farmem_memory_away(&v->memory) ? READ_ONCE(v->memory.away_since) :
						READ_ONCE(v->memory.session->left_live);
}

/* park->lock need not be held to guess. */
static enum farmem_park_verdict park_judge(const struct farmem_volume *v,
					   enum farmem_lane lane)
{
	/* Acquired: a reader that sees the session recover also sees when it left live. */
	enum farmem_session_state state = smp_load_acquire(&v->memory.session->state);
	enum farmem_phase phase = farmem_memory_phase(&v->memory);

	if (state == FARMEM_SESSION_LIVE && likely(phase == FARMEM_PHASE_HELD))
		return FARMEM_PARK_GO;
	if ((state != FARMEM_SESSION_LIVE && state != FARMEM_SESSION_RECOVERING) ||
	    phase >= FARMEM_PHASE_MISPLACED)
		return FARMEM_PARK_FAIL;
	return READ_ONCE(v->park.shut) || park_expired(v, lane, park_waits_since(v)) ?
		FARMEM_PARK_FAIL : FARMEM_PARK_WAIT;
}

/*
 * Whoever waits sets the clock going: who else does needs the session's lock, and may
 * have to wait for it.  When it strikes early, farmem_park_update() sets it anew.
 */
static void park_start_clock(struct farmem_volume *v, enum farmem_lane lane)
{
	int deadline = park_deadline_of(v, lane);

	if (deadline >= 0)
		timer_reduce(&v->park.deadline,
			     park_waits_since(v) + (unsigned long)deadline * HZ);
}

enum farmem_park_verdict farmem_park_bio(struct farmem_volume *v,
					 struct bio *bio)
{
	enum farmem_lane lane = park_lane_of(v, op_is_write(bio_op(bio)),
					     bio->bi_opf & REQ_SWAP);
	struct farmem_park *park = &v->park;
	enum farmem_park_verdict verdict;
	unsigned long flags;

	spin_lock_irqsave(&park->lock, flags);
	verdict = park_judge(v, lane);
	if (verdict == FARMEM_PARK_WAIT) {
		bio_list_add(&park->lanes[lane].bios, bio);
		park->count++;
		park_start_clock(v, lane);
	}
	spin_unlock_irqrestore(&park->lock, flags);
	return verdict;
}

enum farmem_park_verdict farmem_park_wait(struct farmem_volume *v)
{
	enum farmem_park_verdict verdict;

	if (park_judge(v, FARMEM_LANE_OTHER) == FARMEM_PARK_WAIT)
		park_start_clock(v, FARMEM_LANE_OTHER);
	if (farmem_wait_freezable(v->park.wait,
				  (verdict = park_judge(v, FARMEM_LANE_OTHER)) !=
				  FARMEM_PARK_WAIT))
		return FARMEM_PARK_FAIL;
	return verdict;
}

/*
 * I/O that ends each session that it comes to would be replayed for ever: its own
 * time is over too.
 */
static bool park_too_old(const struct farmem_volume *v, enum farmem_lane lane,
			 struct farmem_request *req)
{
	if (!req->parked)
		req->parked = jiffies ?: 1;
	return park_expired(v, lane, req->parked);
}

/* Such a request is over before its waiter can go: the task is there. */
static bool park_waiter_killed(const struct farmem_request *req)
{
	return req->waiter && fatal_signal_pending(req->waiter);
}

static void park_look_soon(struct farmem_park *park)
{
	if (!timer_pending(&park->killed))
		mod_timer(&park->killed, jiffies + HZ);
}

/* Return: false if it is to fail; with @timed also because its own time is over. */
static bool park_keep(struct farmem_request *req, bool timed)
{
	struct farmem_volume *v = req->volume;
	enum farmem_lane lane = park_lane_of(v, req->op != FARMEM_OP_READ, req->swap);
	struct farmem_park *park = &v->park;
	enum farmem_park_verdict verdict;
	unsigned long flags;
	bool fail;

	spin_lock_irqsave(&park->lock, flags);
	verdict = park_judge(v, lane);
	fail = verdict == FARMEM_PARK_FAIL ||
	       (timed && park_too_old(v, lane, req)) || park_waiter_killed(req);
	if (!fail) {
		list_add_tail(&req->entry, &park->lanes[lane].requests);
		park->count++;
		if (req->waiter)
			park_look_soon(park);
		/* It came late: the session is live again. */
		if (verdict == FARMEM_PARK_GO)
			queue_work(farmem_wq, &park->repost);
		else
			park_start_clock(v, lane);
	}
	spin_unlock_irqrestore(&park->lock, flags);
	return !fail;
}

bool farmem_park_request(struct farmem_request *req)
{
	if (unlikely(farmem_target_flags(req->target) & FARMEM_TARGET_LOOK) &&
	    !farmem_extents_place(req)) {
		farmem_request_finish(req, BLK_STS_AGAIN);
		return true;
	}
	return park_keep(req, true);
}

void farmem_park_resume(struct list_head *requests)
{
	struct farmem_request *req, *next;

	list_for_each_entry_safe(req, next, requests, entry) {
		list_del(&req->entry);
		if (!park_keep(req, false))
			farmem_request_finish(req, BLK_STS_TRANSPORT);
	}
}

/* One of the requests that are parked, if that is still the verdict, or NULL. */
static struct farmem_request *park_take_request(struct farmem_volume *v,
						enum farmem_lane lane,
						enum farmem_park_verdict verdict)
{
	struct farmem_park *park = &v->park;
	struct farmem_request *req = NULL;
	unsigned long flags;

	spin_lock_irqsave(&park->lock, flags);
	if (park_judge(v, lane) == verdict)
		req = list_first_entry_or_null(&park->lanes[lane].requests,
					       struct farmem_request, entry);
	if (req) {
		list_del(&req->entry);
		park->count--;
	}
	spin_unlock_irqrestore(&park->lock, flags);
	return req;
}

static struct bio *park_take_bio(struct farmem_volume *v, enum farmem_lane lane,
				 enum farmem_park_verdict verdict)
{
	struct farmem_park *park = &v->park;
	struct bio *bio = NULL;
	unsigned long flags;

	spin_lock_irqsave(&park->lock, flags);
	if (park_judge(v, lane) == verdict)
		bio = bio_list_pop(&park->lanes[lane].bios);
	if (bio)
		park->count--;
	spin_unlock_irqrestore(&park->lock, flags);
	return bio;
}

/* Neither sleeps nor allocates: it is what others may have to wait for. */
static void park_repost_lane(struct farmem_volume *v, enum farmem_lane lane)
{
	struct farmem_request *req;

	while ((req = park_take_request(v, lane, FARMEM_PARK_GO))) {
		enum farmem_queue_type type =
			farmem_queue_type_of(req->op, false);

		/* Whoever polled for it has given up: the old queue is gone. */
		req->polled = false;
		farmem_queue_post(farmem_session_queue(v->memory.session, type), req);
	}
}

static void park_repost_work(struct work_struct *work)
{
	struct farmem_volume *v =
		container_of(work, struct farmem_volume, park.repost);
	enum farmem_lane lane;

	for (lane = 0; lane < FARMEM_LANES; lane++)
		park_repost_lane(v, lane);
}

static void park_replay_work(struct work_struct *work)
{
	struct farmem_volume *v =
		container_of(work, struct farmem_volume, park.replay);
	enum farmem_lane lane;
	struct bio *bio;

	for (lane = 0; lane < FARMEM_LANES; lane++) {
		while ((bio = park_take_bio(v, lane, FARMEM_PARK_GO))) {
			v->ops->resubmit(v, bio);
			cond_resched();
		}
	}
}

static void park_fail_lane(struct farmem_volume *v, enum farmem_lane lane)
{
	struct farmem_request *req;
	struct bio *bio;

	while ((req = park_take_request(v, lane, FARMEM_PARK_FAIL)))
		farmem_request_finish(req, BLK_STS_TRANSPORT);
	while ((bio = park_take_bio(v, lane, FARMEM_PARK_FAIL)))
		v->ops->refuse(v, bio);
}

/*
 * Nobody tells us of a kill, and nobody but us can wake these.  No adapter knows of
 * their pages any more.
 */
static void park_look_for_killed(struct timer_list *timer)
{
	struct farmem_park *park = container_of(timer, struct farmem_park, killed);
	struct farmem_request *req, *next;
	unsigned long flags;
	LIST_HEAD(killed);

	spin_lock_irqsave(&park->lock, flags);
	list_for_each_entry_safe(req, next,
				 &park->lanes[FARMEM_LANE_OTHER].requests, entry) {
		if (park_waiter_killed(req)) {
			list_move_tail(&req->entry, &killed);
			park->count--;
		} else if (req->waiter) {
			park_look_soon(park);
		}
	}
	spin_unlock_irqrestore(&park->lock, flags);
	list_for_each_entry_safe(req, next, &killed, entry)
		farmem_request_finish(req, BLK_STS_TRANSPORT);
}

static void park_deadline_over(struct timer_list *timer)
{
	farmem_park_update(container_of(timer, struct farmem_volume,
					park.deadline));
}

static void park_update_lane(struct farmem_volume *v, enum farmem_lane lane)
{
	switch (park_judge(v, lane)) {
	case FARMEM_PARK_GO:
		park_repost_lane(v, lane);
		queue_work(v->memory.session->io_wq, &v->park.replay);
		break;
	case FARMEM_PARK_WAIT:
		park_start_clock(v, lane);
		break;
	case FARMEM_PARK_FAIL:
		park_fail_lane(v, lane);
		break;
	}
}

void farmem_park_update(struct farmem_volume *v)
{
	enum farmem_lane lane;

	for (lane = 0; lane < FARMEM_LANES; lane++)
		park_update_lane(v, lane);
	wake_up_all(&v->park.wait);
}

void farmem_park_shut(struct farmem_volume *v)
{
	WRITE_ONCE(v->park.shut, true);
	farmem_park_update(v);
}

void farmem_park_reset(struct farmem_park *park)
{
	park->shut = false;
}

void farmem_park_stop(struct farmem_park *park)
{
	timer_delete_sync(&park->deadline);
	timer_delete_sync(&park->killed);
	cancel_work_sync(&park->repost);
	cancel_work_sync(&park->replay);
}

void farmem_park_init(struct farmem_park *park)
{
	enum farmem_lane lane;

	spin_lock_init(&park->lock);
	for (lane = 0; lane < FARMEM_LANES; lane++) {
		bio_list_init(&park->lanes[lane].bios);
		INIT_LIST_HEAD(&park->lanes[lane].requests);
	}
	INIT_WORK(&park->replay, park_replay_work);
	INIT_WORK(&park->repost, park_repost_work);
	timer_setup(&park->deadline, park_deadline_over, 0);
	timer_setup(&park->killed, park_look_for_killed, 0);
	init_waitqueue_head(&park->wait);
}
