/* SPDX-License-Identifier: GPL-2.0 */
/*
 * verdict.h - may I/O of a volume go now, has it to wait, or is it to fail?
 */
#ifndef FARMEM_VERDICT_H
#define FARMEM_VERDICT_H

#include <linux/blk_types.h>
#include <linux/timer.h>

struct farmem_memory;

/* What io_deadline= may be, in milliseconds. */
#define FARMEM_DEADLINE_FOR_EVER -1
#define FARMEM_DEADLINE_MAX (86400 * 1000)
#define FARMEM_DEADLINE_DEFAULT (30 * 1000)

/*
 * Writes of swap wait so long at most, in milliseconds, whatever io_deadline says.  Their
 * bios are the kernel's, which has but a few when memory is short; while all of them
 * wait here nobody can reclaim, nor get as far as the OOM killer.  Swap keeps the page
 * of a write that failed.
 */
#define FARMEM_SWAP_OUT_DEADLINE (30 * 1000)

enum farmem_lane {
	FARMEM_LANE_FAILFAST,	/* its submitter has the data elsewhere: md, dm-multipath */
	FARMEM_LANE_RECLAIM,	/* reclaim waits for it, and can do without */
	FARMEM_LANE_READ,	/* like the next, unless its submitter has the data elsewhere too */
	FARMEM_LANE_WRITE,
	FARMEM_LANES,
};

enum farmem_verdict {
	FARMEM_VERDICT_GO,	/* the session is live, and the memory is held: send it */
	FARMEM_VERDICT_WAIT,
	FARMEM_VERDICT_FAIL,	/* it is too late and its partner serves, or there is no hope */
};

/**
 * struct farmem_policy - how long a volume's I/O waits
 * @io_deadline: milliseconds, or FARMEM_DEADLINE_FOR_EVER; may change at any time
 * @sync: the volume completes I/O in its submitters' context, where none can wait
 * @shut: the volume goes off: what waits fails
 * @elsewhere: jiffies: the submitters have the data elsewhere as long as I/O waits since then
 */
struct farmem_policy {
	int io_deadline;
	bool sync;
	bool shut;
	unsigned long elsewhere;
};

/** farmem_verdict_parse_deadline() - seconds as text, or "-1".  Return: 0 or -EINVAL. */
int farmem_verdict_parse_deadline(const char *text, int *deadline);

/** farmem_verdict_lane() - of I/O with a bio's operation and flags.  Context: any. */
enum farmem_lane farmem_verdict_lane(const struct farmem_memory *m, blk_opf_t opf);

/**
 * farmem_verdict() - of I/O in a lane, now, if there were any
 * @m: open
 * @lane: the I/O's
 *
 * Context: any.  Code that changes the verdict then walks the waiting lists under their
 * locks, so I/O that is added under the same lock is not left behind.
 */
enum farmem_verdict farmem_verdict(const struct farmem_memory *m, enum farmem_lane lane);

/**
 * farmem_verdict_pass() - of I/O that is there, and does as it says
 * @m: open; stale if it has a partner, and the I/O is to fail (pair.h)
 * @lane: the I/O's
 * @timer: started if it is to wait, as farmem_verdict_start_clock() does
 *
 * Context: any up to softirq; as farmem_verdict().
 */
enum farmem_verdict farmem_verdict_pass(struct farmem_memory *m, enum farmem_lane lane,
					struct timer_list *timer);

/**
 * farmem_verdict_stands() - is it still the verdict, of I/O that has waited?
 * @m: open
 * @lane: the I/O's
 * @verdict: what is to be done with it; FARMEM_VERDICT_FAIL is passed then
 * @timer: as of farmem_verdict_pass()
 *
 * Context: any up to softirq.
 */
bool farmem_verdict_stands(struct farmem_memory *m, enum farmem_lane lane,
			   enum farmem_verdict verdict, struct timer_list *timer);

/**
 * farmem_verdict_note_elsewhere() - I/O that was to fail fast has failed
 * @m: open
 *
 * Reads of its volume now fail at once as well, until it can serve again: md sets no flags on
 * a read that goes on where another one ended, and would wait for it before it lets the
 * member go (raid1.c:read_balance()).
 *
 * Context: any.  Return: whether that is a new verdict.
 */
bool farmem_verdict_note_elsewhere(struct farmem_memory *m);

/** farmem_verdict_expired() - has I/O that waits since @since, jiffies, waited too long? */
bool farmem_verdict_expired(const struct farmem_memory *m, enum farmem_lane lane,
			    unsigned long since);

/**
 * farmem_verdict_start_clock() - a timer strikes at the latest when a lane's I/O is to fail
 * @m: where the I/O waits
 * @lane: the I/O's; in one that may wait for ever nothing is done
 * @timer: looks at the verdict when it strikes, and starts the clock again if that is early;
 *	in the future if only a partner is waited for
 *
 * Whatever waits starts it itself: to be told of a new state takes the session's lock, for
 * which a thread may have to wait.  Context: any up to softirq.
 */
void farmem_verdict_start_clock(const struct farmem_memory *m, enum farmem_lane lane,
				struct timer_list *timer);

#endif /* FARMEM_VERDICT_H */
