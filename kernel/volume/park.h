/* SPDX-License-Identifier: GPL-2.0 */
/*
 * park.h - where a volume's bios wait while its memory cannot serve them.
 *
 * They were never posted, are linked as they are, and each holds a reference of
 * volume->io meanwhile.
 */
#ifndef FARMEM_PARK_H
#define FARMEM_PARK_H

#include <linux/bio.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "verdict.h"

struct farmem_volume;

/**
 * struct farmem_park - the place to wait
 * @lock: guards @bios, @since and @count; taken with interrupts off
 * @bios: by how long they may wait
 * @since: when the first of those in @bios came (latency.h)
 * @count: of all of them
 * @replay: sends them off again, which may have to wait for requests
 * @deadline: fails them, from softirq: no worker need be free; the next of any lane's
 * @wait: submitters that wait themselves
 */
struct farmem_park {
	spinlock_t lock;
	struct bio_list bios[FARMEM_LANES];
	u64 since[FARMEM_LANES];
	unsigned int count;
	struct work_struct replay;
	struct timer_list deadline;
	wait_queue_head_t wait;
};

void farmem_park_init(struct farmem_park *park);

/**
 * farmem_park_bio() - what becomes of a bio whose memory cannot serve it
 * @v: its volume
 * @bio: waits here if that is the verdict; not to be touched then
 * @arrived: when it came (latency.h)
 *
 * Context: any up to softirq.
 */
enum farmem_verdict farmem_park_bio(struct farmem_volume *v, struct bio *bio, u64 arrived);

/**
 * farmem_park_wait() - the same for a submitter that waits itself
 * @v: its volume
 * @opf: its bio's operation and flags
 *
 * Context: may sleep.  Return: the verdict, not FARMEM_VERDICT_WAIT; FARMEM_VERDICT_FAIL
 * when the submitter is killed.
 */
enum farmem_verdict farmem_park_wait(struct farmem_volume *v, blk_opf_t opf);

/**
 * farmem_park_update() - the verdict, or the deadline, is another one
 * @v: powered
 *
 * Sends off, fails or times the requests and the bios that wait.  Context: up to softirq,
 * interrupts on.
 */
void farmem_park_update(struct farmem_volume *v);

/**
 * farmem_park_note_failfast() - a bio of a volume, that was to fail fast, has failed
 * @v: powered
 *
 * Context: up to softirq, interrupts on.
 */
void farmem_park_note_failfast(struct farmem_volume *v);

/**
 * farmem_park_shut() - fail what waits, and whatever would
 * @v: on its way off
 */
void farmem_park_shut(struct farmem_volume *v);

/** farmem_park_stop() - wait until nothing of it runs; the volume's disk is gone. */
void farmem_park_stop(struct farmem_volume *v);

#endif /* FARMEM_PARK_H */
