// SPDX-License-Identifier: GPL-2.0
/*
 * park.c - bios that wait for their memory: parked, sent again, or failed.
 *
 * A bio is only added, under park->lock, while the verdict is to wait; whatever changes
 * the verdict looks at the lists after that.  So none stays behind.
 */
#include "park.h"
#include "volume.h"

enum farmem_verdict farmem_park_bio(struct farmem_volume *v, struct bio *bio, u64 arrived)
{
	enum farmem_lane lane = farmem_verdict_lane(&v->memory, bio->bi_opf);
	struct farmem_park *park = &v->park;
	enum farmem_verdict verdict;
	unsigned long flags;

	spin_lock_irqsave(&park->lock, flags);
	verdict = farmem_verdict_pass(&v->memory, lane, &park->deadline);
	if (verdict == FARMEM_VERDICT_WAIT) {
		if (bio_list_empty(&park->bios[lane]))
			park->since[lane] = arrived;
		bio_list_add(&park->bios[lane], bio);
		park->count++;
	}
	spin_unlock_irqrestore(&park->lock, flags);
	return verdict;
}

enum farmem_verdict farmem_park_wait(struct farmem_volume *v, blk_opf_t opf)
{
	enum farmem_lane lane = farmem_verdict_lane(&v->memory, opf);
	enum farmem_verdict verdict;

	if (farmem_wait_freezable(v->park.wait,
				  (verdict = farmem_verdict_pass(&v->memory, lane,
								 &v->park.deadline)) !=
				  FARMEM_VERDICT_WAIT))
		return FARMEM_VERDICT_FAIL;
	return verdict;
}

/* One of those that wait, if that is still the verdict, or NULL. */
static struct bio *park_take(struct farmem_volume *v, enum farmem_lane lane,
			     enum farmem_verdict verdict, u64 *arrived)
{
	struct farmem_park *park = &v->park;
	struct bio *bio = NULL;
	unsigned long flags;

	spin_lock_irqsave(&park->lock, flags);
	if (!bio_list_empty(&park->bios[lane]) &&
	    farmem_verdict_stands(&v->memory, lane, verdict, &park->deadline))
		bio = bio_list_pop(&park->bios[lane]);
	*arrived = park->since[lane];
	if (bio)
		park->count--;
	spin_unlock_irqrestore(&park->lock, flags);
	return bio;
}

static void park_replay_work(struct work_struct *work)
{
	struct farmem_volume *v =
		container_of(work, struct farmem_volume, park.replay);
	enum farmem_lane lane;
	struct bio *bio;
	u64 arrived;

	for (lane = 0; lane < FARMEM_LANES; lane++) {
		while ((bio = park_take(v, lane, FARMEM_VERDICT_GO, &arrived))) {
			v->ops->resubmit(v, bio, arrived);
			cond_resched();
		}
	}
}

static void park_fail_lane(struct farmem_volume *v, enum farmem_lane lane)
{
	struct bio *bio;
	u64 arrived;

	while ((bio = park_take(v, lane, FARMEM_VERDICT_FAIL, &arrived)))
		v->ops->refuse(v, bio, arrived);
}

static void park_update_lane(struct farmem_volume *v, enum farmem_lane lane)
{
	switch (farmem_verdict(&v->memory, lane)) {
	case FARMEM_VERDICT_GO:
		queue_work(v->memory.session->io_wq, &v->park.replay);
		break;
	case FARMEM_VERDICT_WAIT:
		farmem_verdict_start_clock(&v->memory, lane, &v->park.deadline);
		break;
	case FARMEM_VERDICT_FAIL:
		park_fail_lane(v, lane);
		break;
	}
}

void farmem_park_update(struct farmem_volume *v)
{
	enum farmem_lane lane;

	farmem_repost_update(&v->memory);
	for (lane = 0; lane < FARMEM_LANES; lane++)
		park_update_lane(v, lane);
	wake_up_all(&v->park.wait);
}

void farmem_park_note_failfast(struct farmem_volume *v)
{
	if (farmem_verdict_note_elsewhere(&v->memory))
		farmem_park_update(v);
}

static void park_deadline_over(struct timer_list *timer)
{
	farmem_park_update(container_of(timer, struct farmem_volume,
					park.deadline));
}

void farmem_park_shut(struct farmem_volume *v)
{
	WRITE_ONCE(v->memory.policy.shut, true);
	farmem_park_update(v);
}

void farmem_park_stop(struct farmem_volume *v)
{
	timer_delete_sync(&v->park.deadline);
	cancel_work_sync(&v->park.replay);
	farmem_repost_stop(&v->memory.repost);
}

void farmem_park_init(struct farmem_park *park)
{
	enum farmem_lane lane;

	spin_lock_init(&park->lock);
	for (lane = 0; lane < FARMEM_LANES; lane++)
		bio_list_init(&park->bios[lane]);
	INIT_WORK(&park->replay, park_replay_work);
	timer_setup(&park->deadline, park_deadline_over, 0);
	init_waitqueue_head(&park->wait);
}
