// SPDX-License-Identifier: GPL-2.0
/*
 * test_pair.c - of two volumes with the same bytes one lets its I/O go, and the other waits
 *
 * pair.c and verdict.c themselves are compiled here, with as much of a volume's memory and
 * of a session as they look at.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/kernel.h>
#include <linux/list.h>

#include "explore.h"
#include "pair.h"
#include "verdict.h"

/* Of memory.h. */
#define FARMEM_MEMORY_H

enum farmem_session_state {
	FARMEM_SESSION_LIVE,
	FARMEM_SESSION_RECOVERING,
	FARMEM_SESSION_FAILED,
};

struct farmem_session {
	enum farmem_session_state state;
	struct {
		unsigned long left_live;
	} recovery;
};

enum farmem_phase {
	FARMEM_PHASE_HELD,
	FARMEM_PHASE_AWAY,
	FARMEM_PHASE_MISPLACED,
	FARMEM_PHASE_LOST,
};

struct farmem_memory {
	enum farmem_phase phase;
	unsigned long away_since;
	struct farmem_session *session;
	struct farmem_policy policy;
	struct farmem_pair pair;
	const char *name;
};

/* A leg; @timer is that of what waits there. */
struct leg {
	struct farmem_memory memory;
	struct farmem_session session;
	struct timer_list timer;
	struct leg *other;
	bool newest;
};

unsigned long jiffies;
static struct leg a, b;

#define farmem_memory_phase(m) smp_load_acquire(&(m)->phase)
#define farmem_memory_away(m) (farmem_memory_phase(m) == FARMEM_PHASE_AWAY)
#define farmem_memory_live(m) (READ_ONCE((m)->session->state) == FARMEM_SESSION_LIVE && \
			       farmem_memory_phase(m) == FARMEM_PHASE_HELD)

#include "pair.c"
#include "verdict.c"

/* It says no more than that it is there. */
static void strikes(struct timer_list *timer)
{
	(void)timer;
}

static int name_partner(struct leg *leg, const char *partner)
{
	return farmem_pair_set_partner(&leg->memory, partner, strlen(partner));
}

static void make_leg(struct leg *leg, const char *name, struct leg *other)
{
	*leg = (struct leg){ .other = other, .newest = true,
			     .memory = { .session = &leg->session, .name = name,
					 .policy.io_deadline = MSEC_PER_SEC } };
	INIT_LIST_HEAD(&leg->memory.pair.entry);
	timer_setup(&leg->timer, strikes, 0);
	farmem_pair_join(&leg->memory);
}

static void set_up(void)
{
	jiffies = 1000 * HZ;
	INIT_LIST_HEAD(&pairs);
	make_leg(&a, "a", &b);
	make_leg(&b, "b", &a);
	name_partner(&a, "b\n");
	name_partner(&b, "a");
}

static int begin(void **state)
{
	(void)state;
	set_up();
	return 0;
}

/* Its server has been away for longer than its I/O may wait. */
static void break_off(struct leg *leg)
{
	leg->session.recovery.left_live = jiffies - 2 * HZ;
	WRITE_ONCE(leg->session.state, FARMEM_SESSION_RECOVERING);
}

static void come_back(struct leg *leg)
{
	WRITE_ONCE(leg->session.state, FARMEM_SESSION_LIVE);
}

/* What a mirror makes of it: the leg that fails is let go, and the other one goes on. */
static enum farmem_verdict pass(struct leg *leg, enum farmem_lane lane)
{
	enum farmem_verdict verdict = farmem_verdict_pass(&leg->memory, lane, &leg->timer);

	if (verdict == FARMEM_VERDICT_FAIL) {
		if (!leg->other->newest)
			explore_fault("both legs let their I/O go");
		leg->newest = false;
	} else if (verdict == FARMEM_VERDICT_WAIT &&
		   !(leg->timer.pending && time_after(leg->timer.expires, jiffies))) {
		explore_fault("what waits has no timer, or one that strikes at once");
	}
	return verdict;
}

static enum farmem_verdict writes(struct leg *leg)
{
	return pass(leg, FARMEM_LANE_WRITE);
}

static void the_first_goes_and_the_last_waits(void **state)
{
	(void)state;
	break_off(&a);
	assert_int_equal(writes(&a), FARMEM_VERDICT_FAIL);
	assert_true(a.memory.pair.stale);
	break_off(&b);
	assert_int_equal(writes(&b), FARMEM_VERDICT_WAIT);
	assert_int_equal(b.timer.expires, jiffies + HZ / 2);
	/* The other one is back, and does not have what was written meanwhile. */
	come_back(&a);
	assert_int_equal(writes(&b), FARMEM_VERDICT_WAIT);
	/* A stale one's fails without a look, and waits till then. */
	break_off(&a);
	assert_int_equal(writes(&a), FARMEM_VERDICT_FAIL);
	a.session.recovery.left_live = jiffies;
	assert_int_equal(writes(&a), FARMEM_VERDICT_WAIT);
	assert_int_equal(a.timer.expires, jiffies + HZ);
	come_back(&a);
	assert_int_equal(name_partner(&a, "b"), 0);
	assert_false(a.memory.pair.stale);
	assert_int_equal(writes(&b), FARMEM_VERDICT_FAIL);
}

static void every_lane_waits(void **state)
{
	enum farmem_lane lane;

	(void)state;
	break_off(&a);
	break_off(&b);
	a.memory.policy.elsewhere = a.session.recovery.left_live;
	for (lane = 0; lane < FARMEM_LANES; lane++) {
		a.timer.pending = false;
		assert_int_equal(pass(&a, lane), FARMEM_VERDICT_WAIT);
		assert_int_equal(a.timer.expires, jiffies + HZ / 2);
	}
	assert_false(a.memory.pair.stale);
}

/* It is asked for each lane whenever the state changes, I/O or none. */
static void a_look_changes_nothing(void **state)
{
	(void)state;
	break_off(&a);
	assert_int_equal(farmem_verdict(&a.memory, FARMEM_LANE_FAILFAST), FARMEM_VERDICT_FAIL);
	assert_true(farmem_verdict_stands(&a.memory, FARMEM_LANE_WRITE, FARMEM_VERDICT_FAIL, &a.timer));
	assert_true(a.memory.pair.stale);
	assert_int_equal(name_partner(&a, "b"), 0);
	assert_false(farmem_verdict_stands(&a.memory, FARMEM_LANE_WRITE, FARMEM_VERDICT_GO, &a.timer));
	assert_int_equal(farmem_verdict(&a.memory, FARMEM_LANE_FAILFAST), FARMEM_VERDICT_FAIL);
	assert_false(a.memory.pair.stale);
}

/* Away, misplaced, lost, off, of another pair, not there. */
static void only_one_that_serves_counts(void **state)
{
	enum farmem_phase phase;

	(void)state;
	break_off(&a);
	for (phase = FARMEM_PHASE_AWAY; phase <= FARMEM_PHASE_LOST; phase++) {
		b.memory.phase = phase;
		assert_int_equal(writes(&a), FARMEM_VERDICT_WAIT);
	}
	b.memory.phase = FARMEM_PHASE_HELD;
	name_partner(&b, "c");
	assert_int_equal(writes(&a), FARMEM_VERDICT_WAIT);
	name_partner(&b, "a");
	farmem_pair_leave(&b.memory);
	assert_int_equal(writes(&a), FARMEM_VERDICT_WAIT);
	farmem_pair_join(&b.memory);
	name_partner(&a, "c");
	assert_int_equal(writes(&a), FARMEM_VERDICT_WAIT);
	/* None at all: as ever. */
	name_partner(&a, "\n");
	assert_int_equal(writes(&a), FARMEM_VERDICT_FAIL);
	assert_false(a.memory.pair.stale);
}

static void what_fails_without_hope_is_stale(void **state)
{
	(void)state;
	WRITE_ONCE(a.session.state, FARMEM_SESSION_FAILED);
	assert_int_equal(writes(&a), FARMEM_VERDICT_FAIL);
	assert_true(a.memory.pair.stale);
	/* Bytes that are lost are newer all the same than a partner that is stale. */
	farmem_pair_fall_behind(&b.memory);
	assert_false(b.memory.pair.stale);
	come_back(&a);
	break_off(&b);
	assert_int_equal(writes(&b), FARMEM_VERDICT_WAIT);
}

static void names_are_checked(void **state)
{
	char name[FARMEM_VOLUME_NAME_LEN];

	(void)state;
	assert_int_equal(name_partner(&a, "a"), -EINVAL);
	assert_int_equal(name_partner(&a, "x/y"), -EINVAL);
	assert_int_equal(name_partner(&a, "x y"), -EINVAL);
	assert_int_equal(name_partner(&a, "1234567890123456789012345678901\n"), 0);
	assert_int_equal(name_partner(&a, "12345678901234567890123456789012"), -EINVAL);
	farmem_pair_copy_partner(&a.memory, name);
	assert_string_equal(name, "1234567890123456789012345678901");
	a.memory.policy.sync = true;
	assert_int_equal(name_partner(&a, "b"), -EINVAL);
	assert_int_equal(name_partner(&a, ""), 0);
	farmem_pair_leave(&a.memory);
	assert_int_equal(name_partner(&a, "b"), 0);
	farmem_pair_join(&a.memory);
	assert_false(farmem_pair_has(&a.memory.pair));
}

/* Threads. */

static void breaks_off(void *argument)
{
	break_off(argument);
	writes(argument);
}

static void comes_back(void *argument)
{
	come_back(argument);
}

static void blinks(void *argument)
{
	break_off(argument);
	pass(argument, FARMEM_LANE_FAILFAST);
	come_back(argument);
}

/* The mirror has copied all to it. Nothing goes between the two, as the lock has it. */
static void is_repaired(void *argument)
{
	struct leg *leg = argument;

	name_partner(leg, leg->other->memory.name);
	leg->newest = true;
}

static const char *one_is_newest(void)
{
	if (!a.newest && !b.newest)
		return "no leg has all bytes";
	if (a.memory.pair.stale && b.memory.pair.stale)
		return "both are stale";
	return a.memory.pair.stale == a.newest || b.memory.pair.stale == b.newest ?
		"stale is not what has been let go" : NULL;
}

static void of_a_pair_one_goes(void **state)
{
	struct explore e = { .setup = set_up, .thread = { breaks_off, breaks_off },
			     .argument = { &a, &b }, .check = one_is_newest, .preemptions = 3 };

	(void)state;
	explore_all(&e);
	/* As its I/O looks, so that the other one's takes it for one that serves. */
	e.preemptions = 2;
	e.thread[2] = comes_back;
	e.argument[2] = &a;
	explore_all(&e);
	e.thread[1] = blinks;
	e.thread[2] = is_repaired;
	explore_all(&e);
	e.thread[0] = blinks;
	explore_all(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_first_goes_and_the_last_waits, begin),
		cmocka_unit_test_setup(every_lane_waits, begin),
		cmocka_unit_test_setup(a_look_changes_nothing, begin),
		cmocka_unit_test_setup(only_one_that_serves_counts, begin),
		cmocka_unit_test_setup(what_fails_without_hope_is_stale, begin),
		cmocka_unit_test_setup(names_are_checked, begin),
		cmocka_unit_test(of_a_pair_one_goes),
	};

	return cmocka_run_group_tests_name("kernel_pair", tests, NULL, NULL);
}
