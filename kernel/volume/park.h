/* SPDX-License-Identifier: GPL-2.0 */
/*
 * park.h - where a volume's I/O waits while its session recovers.
 *
 * Parking allocates nothing: bios and requests are linked as they are.  All of
 * them hold a reference of volume->io meanwhile.
 */
#ifndef FARMEM_PARK_H
#define FARMEM_PARK_H

#include <linux/bio.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct farmem_request;
struct farmem_volume;

/* What io_deadline= may be, in seconds; -1 is for ever, 0 not at all. */
#define FARMEM_DEADLINE_MAX 86400
#define FARMEM_DEADLINE_DEFAULT 30

/*
 * Writes of swap wait so long at most, in seconds, whatever io_deadline says.  Their
 * bios are the kernel's, which has but a few when memory is short; while all of them
 * wait here nobody can reclaim, nor get as far as the OOM killer.  Swap keeps the page
 * of a write that failed.
 */
#define FARMEM_SWAP_OUT_DEADLINE 30

enum farmem_lane {
	FARMEM_LANE_RECLAIM,	/* reclaim waits for it, and can do without */
	FARMEM_LANE_OTHER,
	FARMEM_LANES,
};

enum farmem_park_verdict {
	FARMEM_PARK_GO,		/* the session is live: send it */
	FARMEM_PARK_WAIT,
	FARMEM_PARK_FAIL,	/* it is too late, or there is no hope */
};

/**
 * struct farmem_park_lane - I/O that waits equally long
 * @bios: never posted
 * @requests: posted once and given back by the fence
 */
struct farmem_park_lane {
	struct bio_list bios;
	struct list_head requests;
};

/**
 * struct farmem_park - the place to wait
 * @lock: guards the lanes' lists; taken with interrupts off
 * @lanes: what waits, by how long it may
 * @count: of all that is in them
 * @shut: the volume goes off
 * @replay: sends bios off again, which may have to wait for requests
 * @repost: the same for requests that come late, which waits for nothing
 * @deadline: fails them, from softirq: no worker need be free; the next of any lane's
 * @killed: looks whether whoever waits for a request has been killed
 * @wait: submitters that wait themselves
 */
struct farmem_park {
	spinlock_t lock;
	struct farmem_park_lane lanes[FARMEM_LANES];
	unsigned int count;
	bool shut;
	struct work_struct replay;
	struct work_struct repost;
	struct timer_list deadline;
	struct timer_list killed;
	wait_queue_head_t wait;
};

void farmem_park_init(struct farmem_park *park);

/** farmem_park_reset() - before the volume is powered on. */
void farmem_park_reset(struct farmem_park *park);

/**
 * farmem_park_bio() - what becomes of a bio that finds its session not live
 * @v: its volume
 * @bio: waits here if that is the verdict; not to be touched then
 *
 * Context: any up to softirq.
 */
enum farmem_park_verdict farmem_park_bio(struct farmem_volume *v,
					 struct bio *bio);

/**
 * farmem_park_wait() - the same for a submitter that waits itself
 * @v: its volume
 *
 * Context: may sleep.  Return: the verdict, not FARMEM_PARK_WAIT; FARMEM_PARK_FAIL
 * when the submitter is killed.
 */
enum farmem_park_verdict farmem_park_wait(struct farmem_volume *v);

/**
 * farmem_park_request() - keep a request that its queue gave back
 * @req: unmapped, on no list
 *
 * Context: any up to softirq.  Return: false if it is to fail.
 */
bool farmem_park_request(struct farmem_request *req);

/**
 * farmem_park_resume() - requests that waited for another one may go
 * @requests: of a volume; unmapped, linked by @entry; empty afterwards
 *
 * Context: any up to softirq.
 */
void farmem_park_resume(struct list_head *requests);

/**
 * farmem_park_update() - the session's state, or the deadline, is another one
 * @v: powered
 *
 * Sends off, fails or times what is parked.  Context: up to softirq, interrupts on.
 */
void farmem_park_update(struct farmem_volume *v);

/**
 * farmem_park_shut() - fail what is parked, and whatever would be
 * @v: on its way off; until farmem_park_reset()
 */
void farmem_park_shut(struct farmem_volume *v);

/**
 * farmem_park_stop() - wait until nothing of it runs any more
 * @park: empty, and its volume's disk is gone
 */
void farmem_park_stop(struct farmem_park *park);

#endif /* FARMEM_PARK_H */
