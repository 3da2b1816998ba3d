// SPDX-License-Identifier: GPL-2.0
/*
 * test_park.c - what waits for its session is sent when that is live, or fails in time
 *
 * pair.c, verdict.c, repost.c and park.c themselves are compiled here, with as much of a volume, a
 * session and a request as they look at.
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
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "explore.h"
#include "pair.h"
#include "park.h"
#include "repost.h"

/* Of extents.h, io.h, memory.h, piece.h, queue.h and volume.h. */
#define FARMEM_POST_H
#define FARMEM_QUEUE_H
#define FARMEM_VOLUME_H
#define FARMEM_EXTENTS_H
#define FARMEM_MEMORY_H

#define BLK_STS_TRANSPORT 1

enum farmem_op { FARMEM_OP_READ, FARMEM_OP_WRITE, FARMEM_OP_ZERO };
enum farmem_queue_type { FARMEM_QUEUE_DEFAULT };
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
	struct workqueue_struct *io_wq;
};

struct bio;
struct farmem_volume;

struct farmem_disk_ops {
	void (*resubmit)(struct farmem_volume *v, struct bio *bio, u64 arrived);
	void (*refuse)(struct farmem_volume *v, struct bio *bio, u64 arrived);
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
	struct farmem_repost repost;
};

struct farmem_volume {
	struct farmem_memory memory;
	const struct farmem_disk_ops *ops;
	struct farmem_park park;
};

struct farmem_target {
	unsigned int flags;
};

struct farmem_request {
	const struct farmem_target *target;
	struct list_head entry;
	blk_opf_t opf;
	u8 op;
	struct {
		bool on;
	} poll;
	struct {
		unsigned long since;
		struct task_struct *waiter;
	} repost;
	unsigned int sent, failed;
};

unsigned long jiffies;
static struct workqueue_struct *farmem_wq;
static struct farmem_session session;
static struct farmem_volume volume;
static struct farmem_request requests[3];
static struct bio bios[3];

/* What it says in the end: the test lets nobody wait. */
#define farmem_wait_freezable(wait, condition) ((condition) ? 0 : -EINTR)
#define cancel_work_sync(work) ((void)((work)->pending = false))
#define farmem_queue_type_of(op, polled) ((void)(op), FARMEM_QUEUE_DEFAULT)
#define farmem_extents_place(req) ((void)(req), true)
#define FARMEM_TARGET_LOOK 2u
#define BLK_STS_AGAIN 2
#define farmem_target_flags(target) ((void)(target), 0u)
#define farmem_memory_of(req) ((void)(req), &volume.memory)
#define farmem_session_queue(session, type) ((void)(type), (session))
#define farmem_memory_phase(m) smp_load_acquire(&(m)->phase)
#define farmem_memory_away(m) (farmem_memory_phase(m) == FARMEM_PHASE_AWAY)
#define farmem_memory_live(m) (READ_ONCE((m)->session->state) == FARMEM_SESSION_LIVE && \
			       farmem_memory_phase(m) == FARMEM_PHASE_HELD)

static void farmem_post_request(struct farmem_session *to, struct farmem_request *req)
{
	(void)to;
	req->sent++;
}

static void farmem_request_finish(struct farmem_request *req, int status)
{
	(void)status;
	req->failed++;
}

/* When the last bio is said to have come. */
static u64 since;

/* A bio's private word counts what became of it: tens are failures. */
static void resubmit(struct farmem_volume *v, struct bio *bio, u64 arrived)
{
	(void)v;
	since = arrived;
	bio->bi_private = (char *)bio->bi_private + 1;
}

static void refuse(struct farmem_volume *v, struct bio *bio, u64 arrived)
{
	(void)v;
	since = arrived;
	bio->bi_private = (char *)bio->bi_private + 10;
}

static const struct farmem_disk_ops disk_ops = { .resubmit = resubmit, .refuse = refuse };

/* How many waiters are looked at while the lock is held, at most. */
static unsigned int looks, most_looks;

static bool look_at(const struct task_struct *task)
{
	looks++;
	return fatal_signal_pending(task);
}

static void end_looks(spinlock_t *lock)
{
	most_looks = max(most_looks, looks);
	looks = 0;
	spin_unlock(lock);
}

#define fatal_signal_pending look_at
#undef spin_unlock_irqrestore
#define spin_unlock_irqrestore(lock, flags) do { (void)(flags); end_looks(lock); } while (0)

#include "pair.c"
#include "verdict.c"
#include "repost.c"
#include "park.c"

/* Of the same bytes, on another server. */
static struct farmem_session other_session;
static struct farmem_memory partner;

static void set_up(void)
{
	unsigned int i;

	jiffies = 1000 * HZ;
	session = (struct farmem_session){ .state = FARMEM_SESSION_RECOVERING,
					   .recovery.left_live = jiffies };
	volume = (struct farmem_volume){ .memory.session = &session,
					  .memory.policy.io_deadline = 10 * MSEC_PER_SEC };
	memset(bios, 0, sizeof(bios));
	for (i = 0; i < ARRAY_SIZE(requests); i++)
		requests[i] = (struct farmem_request){ .failed = 0 };
	other_session = (struct farmem_session){ .state = FARMEM_SESSION_LIVE };
	partner = (struct farmem_memory){ .session = &other_session, .name = "q" };
	volume.memory.name = "p";
	INIT_LIST_HEAD(&pairs);
	farmem_pair_join(&partner);
	volume.ops = &disk_ops;
	farmem_park_init(&volume.park);
	farmem_repost_init(&volume.memory.repost);
}

static int begin(void **state)
{
	(void)state;
	set_up();
	return 0;
}

static void time_passes(unsigned int seconds)
{
	unsigned long until = jiffies + seconds * HZ;

	shim_time_passes(&volume.park.deadline, until);
	shim_time_passes(&volume.memory.repost.deadline, until);
}

/* As session.c does it: the state first. */
static void go_live(void)
{
	WRITE_ONCE(session.state, FARMEM_SESSION_LIVE);
	farmem_park_update(&volume);
}

static unsigned int parked(void)
{
	return volume.park.count + volume.memory.repost.count;
}

static void run_works(void)
{
	flush_work(&volume.memory.repost.work);
	flush_work(&volume.park.replay);
}

static uintptr_t fate(const struct bio *bio)
{
	return (uintptr_t)bio->bi_private;
}

/* What waits has no room for a time of its own: the first of those that wait has one for all. */
static void waiting_counts_from_the_first(void **state)
{
	(void)state;
	farmem_park_bio(&volume, &bios[0], 7);
	farmem_park_bio(&volume, &bios[1], 9);
	go_live();
	run_works();
	assert_int_equal(since, 7);
	begin(state);
	farmem_park_bio(&volume, &bios[2], 11);
	time_passes(10);
	assert_int_equal(fate(&bios[2]), 10);
	assert_int_equal(since, 11);
}

static void what_waits_is_sent_once_the_session_is_live(void **state)
{
	(void)state;
	bios[1].bi_opf = REQ_OP_WRITE | REQ_SWAP;
	assert_int_equal(farmem_park_bio(&volume, &bios[0], 0), FARMEM_VERDICT_WAIT);
	assert_int_equal(farmem_park_bio(&volume, &bios[1], 0), FARMEM_VERDICT_WAIT);
	assert_true(farmem_repost_request(&requests[0]));
	assert_int_equal(parked(), 3);
	farmem_park_update(&volume);
	run_works();
	assert_int_equal(parked(), 3);
	go_live();
	run_works();
	assert_int_equal(fate(&bios[0]), 1);
	assert_int_equal(fate(&bios[1]), 1);
	assert_int_equal(requests[0].sent, 1);
	assert_int_equal(requests[0].failed, 0);
	assert_int_equal(parked(), 0);
	assert_int_equal(farmem_park_bio(&volume, &bios[2], 0), FARMEM_VERDICT_GO);
}

/* Nobody has told the volume, which only the clock does. */
static void what_waits_fails_at_the_deadline(void **state)
{
	(void)state;
	farmem_park_bio(&volume, &bios[0], 0);
	farmem_repost_request(&requests[0]);
	time_passes(9);
	assert_int_equal(parked(), 2);
	/* The clock is the session's, not the bio's. */
	farmem_park_bio(&volume, &bios[1], 0);
	time_passes(1);
	assert_int_equal(fate(&bios[0]), 10);
	assert_int_equal(fate(&bios[1]), 10);
	assert_int_equal(requests[0].failed, 1);
	assert_int_equal(parked(), 0);
	assert_int_not_equal(volume.park.wait.woken, 0);
}

static void after_the_deadline_nothing_waits(void **state)
{
	(void)state;
	time_passes(10);
	assert_int_equal(farmem_park_bio(&volume, &bios[0], 0), FARMEM_VERDICT_FAIL);
	assert_false(farmem_repost_request(&requests[0]));
	assert_int_equal(farmem_park_wait(&volume, REQ_OP_READ), FARMEM_VERDICT_FAIL);
	assert_int_equal(parked(), 0);
	assert_false(volume.park.deadline.pending);
}

static void a_submitter_that_waits_sets_the_clock_going(void **state)
{
	(void)state;
	assert_int_equal(farmem_park_wait(&volume, REQ_OP_READ), FARMEM_VERDICT_FAIL);
	assert_true(volume.park.deadline.pending);
	assert_int_equal(volume.park.deadline.expires, session.recovery.left_live + 10 * HZ);
}

/* All but what reclaim waits for. */
static void without_a_deadline_it_waits_for_ever(void **state)
{
	(void)state;
	volume.memory.policy.io_deadline = -1;
	bios[1].bi_opf = REQ_OP_WRITE | REQ_SWAP;
	farmem_park_bio(&volume, &bios[0], 0);
	assert_false(volume.park.deadline.pending);
	farmem_park_bio(&volume, &bios[1], 0);
	time_passes(FARMEM_SWAP_OUT_DEADLINE / MSEC_PER_SEC);
	assert_int_equal(fate(&bios[1]), 10);
	time_passes(FARMEM_DEADLINE_MAX / MSEC_PER_SEC);
	assert_int_equal(fate(&bios[0]), 0);
	go_live();
	run_works();
	assert_int_equal(fate(&bios[0]), 1);
}

static void a_deadline_may_be_a_fraction_of_a_second(void **state)
{
	int *deadline = &volume.memory.policy.io_deadline;

	(void)state;
	assert_int_equal(farmem_verdict_parse_deadline("0.5", deadline), 0);
	farmem_park_bio(&volume, &bios[0], 0);
	assert_int_equal(volume.park.deadline.expires, jiffies + HZ / 2);
	time_passes(1);
	assert_int_equal(fate(&bios[0]), 10);
	assert_int_equal(farmem_verdict_parse_deadline("86400.001", deadline), -EINVAL);
	assert_int_equal(farmem_verdict_parse_deadline("-2", deadline), -EINVAL);
	assert_int_equal(*deadline, 500);
	assert_int_equal(farmem_verdict_parse_deadline("-1\n", deadline), 0);
	assert_int_equal(*deadline, FARMEM_DEADLINE_FOR_EVER);
}

/* Its submitter has another disk to ask. The flags' names are the kernel's: md sets two. */
static void fail_fast_never_waits(void **state)
{
	blk_opf_t md = REQ_FAILFAST_DEV | REQ_FAILFAST_TRANSPORT;

	(void)state;
	volume.memory.policy.io_deadline = -1;
	bios[0].bi_opf = REQ_OP_READ | md;
	bios[1].bi_opf = REQ_OP_WRITE | REQ_SWAP | REQ_FAILFAST_DRIVER;
	requests[0].opf = REQ_OP_WRITE | md;
	assert_int_equal(farmem_park_bio(&volume, &bios[2], 0), FARMEM_VERDICT_WAIT);
	assert_int_equal(farmem_park_bio(&volume, &bios[0], 0), FARMEM_VERDICT_FAIL);
	assert_int_equal(farmem_park_bio(&volume, &bios[1], 0), FARMEM_VERDICT_FAIL);
	assert_false(farmem_repost_request(&requests[0]));
	assert_int_equal(farmem_park_wait(&volume, REQ_OP_READ | md), FARMEM_VERDICT_FAIL);
	assert_int_equal(parked(), 1);
	assert_false(volume.park.deadline.pending);
	/* One that comes back while the session is live again has been given back once too often. */
	go_live();
	run_works();
	assert_int_equal(fate(&bios[2]), 1);
	assert_int_equal(farmem_park_bio(&volume, &bios[0], 0), FARMEM_VERDICT_GO);
	assert_false(farmem_repost_request(&requests[0]));
	assert_true(farmem_repost_request(&requests[1]));
}

/* md forgets its flags on some reads, and none of a member that it let go is to be waited for. */
static void reads_beside_it_fail_too(void **state)
{
	(void)state;
	volume.memory.policy.io_deadline = -1;
	bios[1].bi_opf = REQ_OP_WRITE;
	farmem_park_bio(&volume, &bios[0], 0);
	farmem_park_bio(&volume, &bios[1], 0);
	farmem_repost_request(&requests[0]);
	farmem_park_note_failfast(&volume);
	assert_int_equal(fate(&bios[0]), 10);
	assert_int_equal(requests[0].failed, 1);
	assert_int_equal(fate(&bios[1]), 0);
	assert_int_equal(farmem_park_bio(&volume, &bios[2], 0), FARMEM_VERDICT_FAIL);
	go_live();
	run_works();
	assert_int_equal(fate(&bios[1]), 1);
	assert_true(farmem_repost_request(&requests[1]));
	/* The next loss is another one; what fails while all is well says nothing. */
	farmem_park_note_failfast(&volume);
	jiffies += HZ;
	session.recovery.left_live = jiffies;
	session.state = FARMEM_SESSION_RECOVERING;
	assert_int_equal(farmem_park_bio(&volume, &bios[2], 0), FARMEM_VERDICT_WAIT);
}

static void a_killed_waiter_is_let_go(void **state)
{
	struct task_struct task = { .killed = false };

	(void)state;
	volume.memory.policy.io_deadline = -1;
	requests[0].repost.waiter = &task;
	farmem_repost_request(&requests[0]);
	farmem_repost_request(&requests[1]);
	shim_time_passes(&volume.memory.repost.killed, jiffies + 5 * HZ);
	assert_int_equal(requests[0].failed, 0);
	task.killed = true;
	shim_time_passes(&volume.memory.repost.killed, jiffies + HZ);
	assert_int_equal(requests[0].failed, 1);
	assert_int_equal(requests[1].failed, 0);
	assert_int_equal(parked(), 1);
	assert_false(volume.memory.repost.killed.pending);
}

/* However many wait, interrupts are off for some of them at a time; all are looked at. */
static void many_waiters_are_looked_at_in_steps(void **state)
{
	static struct farmem_request many[1000];
	struct task_struct alive = { .killed = false }, dead = { .killed = true };
	unsigned int i;

	(void)state;
	volume.memory.policy.io_deadline = -1;
	for (i = 0; i < ARRAY_SIZE(many); i++) {
		many[i] = (struct farmem_request){ .repost.waiter = &alive };
		farmem_repost_request(&many[i]);
	}
	many[0].repost.waiter = &dead;
	many[500].repost.waiter = &dead;
	many[999].repost.waiter = &dead;
	most_looks = 0;
	shim_time_passes(&volume.memory.repost.killed, jiffies + HZ);
	assert_in_range(most_looks, 1, 64);
	assert_int_equal(many[0].failed + many[500].failed + many[999].failed, 3);
	assert_int_equal(parked(), 997);
	assert_true(volume.memory.repost.killed.pending);
	volume.memory.policy.shut = true;
	farmem_repost_update(&volume.memory);
	assert_int_equal(parked(), 0);
}

/* A session that is live does not help a volume whose memory is not there. */
static void the_memory_s_phase_decides_too(void **state)
{
	(void)state;
	session.state = FARMEM_SESSION_LIVE;
	volume.memory.phase = FARMEM_PHASE_AWAY;
	volume.memory.away_since = jiffies;
	assert_int_equal(farmem_park_bio(&volume, &bios[0], 0), FARMEM_VERDICT_WAIT);
	volume.memory.phase = FARMEM_PHASE_MISPLACED;
	farmem_park_update(&volume);
	assert_int_equal(fate(&bios[0]), 10);
	assert_int_equal(farmem_park_bio(&volume, &bios[1], 0), FARMEM_VERDICT_FAIL);
	volume.memory.phase = FARMEM_PHASE_LOST;
	assert_int_equal(farmem_park_bio(&volume, &bios[1], 0), FARMEM_VERDICT_FAIL);
	session.state = FARMEM_SESSION_RECOVERING;
	assert_int_equal(farmem_park_bio(&volume, &bios[1], 0), FARMEM_VERDICT_FAIL);
	volume.memory.phase = FARMEM_PHASE_HELD;
	assert_int_equal(farmem_park_bio(&volume, &bios[1], 0), FARMEM_VERDICT_WAIT);
}

static void going_off_fails_what_waits(void **state)
{
	(void)state;
	volume.memory.policy.io_deadline = -1;
	farmem_park_bio(&volume, &bios[0], 0);
	farmem_park_shut(&volume);
	assert_int_equal(fate(&bios[0]), 10);
	assert_int_equal(farmem_park_bio(&volume, &bios[1], 0), FARMEM_VERDICT_FAIL);
}

static void begin_pair(void)
{
	farmem_pair_set_partner(&volume.memory, "q", 1);
	farmem_pair_set_partner(&partner, "p", 1);
}

/* However long, and looks twice a second; shim_time_passes() tells a timer that spins. */
static void the_last_of_a_pair_waits(void **state)
{
	(void)state;
	begin_pair();
	other_session.state = FARMEM_SESSION_RECOVERING;
	farmem_park_bio(&volume, &bios[0], 0);
	farmem_repost_request(&requests[0]);
	assert_int_equal(farmem_park_wait(&volume, REQ_OP_READ), FARMEM_VERDICT_FAIL);
	time_passes(300);
	assert_int_equal(parked(), 2);
	assert_false(volume.memory.pair.stale);
	other_session.state = FARMEM_SESSION_LIVE;
	time_passes(1);
	assert_int_equal(fate(&bios[0]), 10);
	assert_int_equal(requests[0].failed, 1);
	assert_true(volume.memory.pair.stale);
}

static void a_pair_may_end_while_it_waits(void **state)
{
	(void)state;
	begin_pair();
	other_session.state = FARMEM_SESSION_RECOVERING;
	farmem_park_bio(&volume, &bios[0], 0);
	time_passes(20);
	farmem_pair_set_partner(&volume.memory, "", 0);
	farmem_park_update(&volume);
	assert_int_equal(fate(&bios[0]), 10);
}

/* Nothing has waited there: the next loss finds the pair as it was. */
static void without_io_it_is_not_stale(void **state)
{
	(void)state;
	begin_pair();
	time_passes(20);
	farmem_park_update(&volume);
	farmem_park_note_failfast(&volume);
	assert_false(volume.memory.pair.stale);
	go_live();
	run_works();
	assert_false(volume.memory.pair.stale);
}

static void what_comes_back_too_often_goes_by_the_pair(void **state)
{
	(void)state;
	begin_pair();
	other_session.state = FARMEM_SESSION_RECOVERING;
	go_live();
	requests[0].opf = REQ_OP_WRITE | REQ_FAILFAST_DEV;
	assert_true(farmem_repost_request(&requests[0]));
	run_works();
	other_session.state = FARMEM_SESSION_LIVE;
	assert_false(farmem_repost_request(&requests[0]));
	assert_true(volume.memory.pair.stale);
}

/* Threads. */

static void strikes(void *argument)
{
	(void)argument;
	park_deadline_over(&volume.park.deadline);
}

static void waits(void *argument)
{
	(void)argument;
	WRITE_ONCE(other_session.state, FARMEM_SESSION_RECOVERING);
}

static void begin_strike(void)
{
	set_up();
	begin_pair();
	/* In the last lane: a lane after it would start the timer. */
	bios[0].bi_opf = requests[0].opf = REQ_OP_WRITE;
	farmem_park_bio(&volume, &bios[0], 0);
	farmem_repost_request(&requests[0]);
	volume.park.deadline.pending = volume.memory.repost.deadline.pending = false;
	jiffies += 20 * HZ;
}

static const char *fails_or_is_timed(void)
{
	struct timer_list *timer = &volume.park.deadline;

	if (!fate(&bios[0]) && !(timer->pending && time_after(timer->expires, jiffies)))
		return "a bio waits without a timer";
	timer = &volume.memory.repost.deadline;
	if (!requests[0].failed && !(timer->pending && time_after(timer->expires, jiffies)))
		return "a request waits without a timer";
	return volume.memory.pair.stale == (fate(&bios[0]) || requests[0].failed) ? NULL :
		"stale is not what has failed";
}

/* The partner goes between a look and what is done about it. */
static void what_waits_is_timed(void **state)
{
	struct explore e = { .setup = begin_strike, .thread = { strikes, waits },
			     .check = fails_or_is_timed, .preemptions = 2 };

	(void)state;
	explore_all(&e);
}

static void parks(void *argument)
{
	unsigned int *verdict = argument;

	*verdict = farmem_park_bio(&volume, &bios[0], 0);
	if (!farmem_repost_request(&requests[0]))
		explore_fault("a session that comes back has failed a request");
}

static void lives(void *argument)
{
	(void)argument;
	go_live();
}

static void fails(void *argument)
{
	(void)argument;
	WRITE_ONCE(session.state, FARMEM_SESSION_FAILED);
	farmem_park_update(&volume);
}

static void parks_some(void *argument)
{
	unsigned int *verdict = argument;

	*verdict = farmem_park_bio(&volume, &bios[0], 0);
	requests[0].failed += !farmem_repost_request(&requests[0]);
}

static unsigned int verdict;

static const char *nothing_stays(void)
{
	run_works();
	if (parked())
		return "something stays behind";
	if (requests[0].sent != 1)
		return "the request was not sent once";
	return fate(&bios[0]) == (verdict == FARMEM_VERDICT_WAIT) ? NULL : "the bio was not sent once";
}

static const char *all_failed(void)
{
	run_works();
	if (parked())
		return "something stays behind";
	if (requests[0].failed != 1)
		return "the request did not fail once";
	return fate(&bios[0]) == (verdict == FARMEM_VERDICT_WAIT ? 10 : 0) ? NULL :
		"the bio did not fail once";
}

static void nothing_stays_behind(void **state)
{
	struct explore e = { .setup = set_up, .thread = { parks, lives },
			     .argument = { &verdict }, .check = nothing_stays,
			     .preemptions = 3 };

	(void)state;
	explore_all(&e);
	e.thread[0] = parks_some;
	e.thread[1] = fails;
	e.check = all_failed;
	explore_all(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_waits_is_sent_once_the_session_is_live, begin),
		cmocka_unit_test_setup(waiting_counts_from_the_first, begin),
		cmocka_unit_test_setup(what_waits_fails_at_the_deadline, begin),
		cmocka_unit_test_setup(after_the_deadline_nothing_waits, begin),
		cmocka_unit_test_setup(a_submitter_that_waits_sets_the_clock_going, begin),
		cmocka_unit_test_setup(without_a_deadline_it_waits_for_ever, begin),
		cmocka_unit_test_setup(a_deadline_may_be_a_fraction_of_a_second, begin),
		cmocka_unit_test_setup(fail_fast_never_waits, begin),
		cmocka_unit_test_setup(reads_beside_it_fail_too, begin),
		cmocka_unit_test_setup(a_killed_waiter_is_let_go, begin),
		cmocka_unit_test_setup(many_waiters_are_looked_at_in_steps, begin),
		cmocka_unit_test_setup(the_memory_s_phase_decides_too, begin),
		cmocka_unit_test_setup(going_off_fails_what_waits, begin),
		cmocka_unit_test_setup(the_last_of_a_pair_waits, begin),
		cmocka_unit_test_setup(a_pair_may_end_while_it_waits, begin),
		cmocka_unit_test_setup(without_io_it_is_not_stale, begin),
		cmocka_unit_test_setup(what_comes_back_too_often_goes_by_the_pair, begin),
		cmocka_unit_test(what_waits_is_timed),
		cmocka_unit_test(nothing_stays_behind),
	};

	return cmocka_run_group_tests_name("kernel_park", tests, NULL, NULL);
}
