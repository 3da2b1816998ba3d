// SPDX-License-Identifier: GPL-2.0
/*
 * verdict.c - whether I/O goes, waits or fails: from the session's state, the memory's
 * phase, the clock, the volume's policy, and its partner.
 */
#include <linux/string.h>

#include "memory.h"
#include "text.h"
#include "verdict.h"

/* I/O whose deadline is over looks so often whether its partner serves. */
#define VERDICT_LOOKS (HZ / 2)

int farmem_verdict_parse_deadline(const char *text, int *deadline)
{
	unsigned int ms;

	if (sysfs_streq(text, "-1")) {
		*deadline = FARMEM_DEADLINE_FOR_EVER;
		return 0;
	}
	if (farmem_text_parse_seconds(text, &ms) || ms > FARMEM_DEADLINE_MAX)
		return -EINVAL;
	*deadline = ms;
	return 0;
}

enum farmem_lane farmem_verdict_lane(const struct farmem_memory *m, blk_opf_t opf)
{
	if (opf & REQ_FAILFAST_MASK)
		return FARMEM_LANE_FAILFAST;
	if (!op_is_write(opf))
		return FARMEM_LANE_READ;
	return opf & REQ_SWAP || m->policy.sync ? FARMEM_LANE_RECLAIM : FARMEM_LANE_WRITE;
}

/* When the volume's I/O began to wait: for its session, or for itself since before that. */
static unsigned long verdict_waits_since(const struct farmem_memory *m)
{
	return farmem_memory_away(m) ? READ_ONCE(m->away_since) :
				       READ_ONCE(m->session->recovery.left_live);
}

static bool verdict_elsewhere(const struct farmem_memory *m)
{
	return READ_ONCE(m->policy.elsewhere) == verdict_waits_since(m);
}

/* Milliseconds; negative: for ever. */
static int verdict_deadline_of(const struct farmem_memory *m, enum farmem_lane lane)
{
	int deadline = READ_ONCE(m->policy.io_deadline);

	switch (lane) {
	case FARMEM_LANE_FAILFAST:
		return 0;
	case FARMEM_LANE_RECLAIM:
		/* A synchronous volume's waits for each page. */
		if (m->policy.sync)
			return 0;
		return deadline < 0 ? FARMEM_SWAP_OUT_DEADLINE :
				      min(deadline, FARMEM_SWAP_OUT_DEADLINE);
	case FARMEM_LANE_READ:
		return verdict_elsewhere(m) ? 0 : deadline;
	default:
		return deadline;
	}
}

bool farmem_verdict_note_elsewhere(struct farmem_memory *m)
{
	if (farmem_verdict(m, FARMEM_LANE_FAILFAST) == FARMEM_VERDICT_GO || verdict_elsewhere(m))
		return false;
	WRITE_ONCE(m->policy.elsewhere, verdict_waits_since(m));
	return true;
}

bool farmem_verdict_expired(const struct farmem_memory *m, enum farmem_lane lane,
			    unsigned long since)
{
	int deadline = verdict_deadline_of(m, lane);

	return deadline >= 0 &&
	       time_after_eq(jiffies, since + msecs_to_jiffies(deadline));
}

void farmem_verdict_start_clock(const struct farmem_memory *m, enum farmem_lane lane,
				struct timer_list *timer)
{
	int deadline = verdict_deadline_of(m, lane);
	unsigned long at;

	if (deadline < 0)
		return;
	at = verdict_waits_since(m) + msecs_to_jiffies(deadline);
	/* It is over, and the I/O waits: for its partner, which tells nobody that it serves. */
	if (farmem_pair_has(&m->pair) && time_after_eq(jiffies, at))
		at = jiffies + VERDICT_LOOKS;
	timer_reduce(timer, at);
}

/* Time changes nothing, or there is none left. */
static bool verdict_hopeless(const struct farmem_memory *m)
{
	/* Acquired: a reader that sees the session recover also sees when it left live. */
	enum farmem_session_state state = smp_load_acquire(&m->session->state);

	return (state != FARMEM_SESSION_LIVE && state != FARMEM_SESSION_RECOVERING) ||
	       farmem_memory_phase(m) >= FARMEM_PHASE_MISPLACED || READ_ONCE(m->policy.shut);
}

enum farmem_verdict farmem_verdict(const struct farmem_memory *m, enum farmem_lane lane)
{
	enum farmem_session_state state = smp_load_acquire(&m->session->state);

	if (state == FARMEM_SESSION_LIVE && likely(farmem_memory_phase(m) == FARMEM_PHASE_HELD))
		return FARMEM_VERDICT_GO;
	if (verdict_hopeless(m))
		return FARMEM_VERDICT_FAIL;
	/* The deadline is over when the clock says so, whether or not a timer has struck. */
	return farmem_verdict_expired(m, lane, verdict_waits_since(m)) &&
	       farmem_pair_may_let_go(m) ? FARMEM_VERDICT_FAIL : FARMEM_VERDICT_WAIT;
}

/* I/O that fails without hope has failed all the same: what it wrote the partner may have. */
static bool verdict_let_go(struct farmem_memory *m)
{
	if (!verdict_hopeless(m))
		return farmem_pair_let_go(m);
	farmem_pair_fall_behind(m);
	return true;
}

enum farmem_verdict farmem_verdict_pass(struct farmem_memory *m, enum farmem_lane lane,
					struct timer_list *timer)
{
	enum farmem_verdict verdict = farmem_verdict(m, lane);

	if (verdict == FARMEM_VERDICT_FAIL && !verdict_let_go(m))
		verdict = FARMEM_VERDICT_WAIT;
	if (verdict == FARMEM_VERDICT_WAIT)
		farmem_verdict_start_clock(m, lane, timer);
	return verdict;
}

bool farmem_verdict_stands(struct farmem_memory *m, enum farmem_lane lane,
			   enum farmem_verdict verdict, struct timer_list *timer)
{
	return (verdict == FARMEM_VERDICT_FAIL ? farmem_verdict_pass(m, lane, timer) :
						 farmem_verdict(m, lane)) == verdict;
}
