// SPDX-License-Identifier: GPL-2.0
/* test_session.c - what a session makes of failures, and of those that wait for it */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "explore.h"
#include "farmem-proto.h"

/* Of session.h and its like. */
#define FARMEM_FAULT_H
#define FARMEM_SESSION_H
#define FARMEM_TRACE_H
#define FARMEM_WQ_H

#undef pr_err
#define pr_err(...) ((void)0)
#define HZ 250
#define FARMEM_REASON_LEN 400
#define FARMEM_SESSION_PATIENCE HZ

static unsigned long jiffies;
static struct workqueue_struct own_wq, *asked_wq;

#define farmem_wq NULL
#define queue_work(wq, work) (asked_wq = (wq), (queue_work)(asked_wq, work))

#define time_after(a, b) ((long)((b) - (a)) < 0)
#define wake_up(wait) wake_up_all(wait)

/* A mutex keeps as a spinlock does, where nothing sleeps. */
#define DEFINE_MUTEX(name) spinlock_t name
#define mutex_init(lock) spin_lock_init(lock)
#define mutex_lock(lock) spin_lock(lock)
#define mutex_unlock(lock) spin_unlock(lock)
#define mutex_lock_interruptible(lock) (spin_lock(lock), 0)

struct kref {
	int count;
};

#define kref_init(ref) ((ref)->count = 1)
#define kref_get(ref) ((ref)->count++)

#define trace_farmem_session_state(name, was, is) ((void)(name), (void)(was), (void)(is))
#define farmem_fault(which) false
#define farmem_fault_hold(which) ((void)0)

#include "announce.h"

#define farmem_announce_init(a, work) ((void)(work))
#define farmem_announce_next(a, was, is) ((void)(was), (void)(is), false)
#define farmem_announce(a, was, is) ((void)(was), (void)(is))

enum farmem_session_state {
	FARMEM_SESSION_DOWN,
	FARMEM_SESSION_CONNECTING,
	FARMEM_SESSION_LIVE,
	FARMEM_SESSION_RECOVERING,
	FARMEM_SESSION_FAILED,
	FARMEM_SESSION_CLOSING,
};

struct farmem_session_user {
	struct list_head entry;
	void (*changed)(struct farmem_session_user *user);
	void (*announce)(struct farmem_session_user *user);
};

struct farmem_session {
	enum farmem_session_state state;
	char name[FARMEM_NAME_LEN];
	char reason[FARMEM_REASON_LEN];
	struct kref kref;
	struct list_head entry, users;
	unsigned int user_count;
	spinlock_t lock, state_lock;
	wait_queue_head_t wait;
	struct workqueue_struct *error_wq;
	int abort_error;
	struct {
		char client[FARMEM_NAME_LEN], server[80];
		unsigned int reconnect_delay, connect_timeout;
	} config;
	struct {
		unsigned long grow_until;
		bool growing;
	} set;
	struct {
		struct work_struct error_work;
		unsigned long left_live;
		bool fenced;
	} recovery;
	unsigned long deadline;
	unsigned int noio;
	bool claimed;
	atomic_t lock_wanted, lock_awaited;
	struct farmem_announce announce;
	u8 identity[FARMEM_ID_LEN], server_uuid[FARMEM_ID_LEN], proved_uuid[FARMEM_ID_LEN];
};

#define farmem_session_live(s) (smp_load_acquire(&(s)->state) == FARMEM_SESSION_LIVE)
#define farmem_session_restart_clock(s) ((s)->deadline = jiffies + (s)->config.connect_timeout * HZ)

const char *farmem_session_state_name(enum farmem_session_state state);
static bool farmem_session_lock_contended(struct farmem_session *s);
static void farmem_session_recover(struct farmem_session *s);

#include "../../../../kernel/session/session.c"

static struct farmem_session session;

static void make_session(void)
{
	memset(&session, 0, sizeof(session));
	farmem_session_init(&session);
	session.state = FARMEM_SESSION_LIVE;
	session.config.reconnect_delay = 1;
	session.error_wq = &own_wq;
	jiffies = 1000;
}

static void fail_as(void *err)
{
	farmem_session_fail(&session, -(int)(intptr_t)err, "error %d", (int)(intptr_t)err);
}

static const char *failed_once(void)
{
	char want[40];

	if (session.state != FARMEM_SESSION_RECOVERING)
		return "it does not recover";
	if (!session.recovery.error_work.pending)
		return "nobody takes its queues down";
	if (asked_wq != &own_wq)
		return "its teardown may hold up other sessions";
	snprintf(want, sizeof(want), "error %d", -session.abort_error);
	return strcmp(session.reason, want) ? "it failed by one error, and tells of another" : NULL;
}

/* Every queue may report at once; the first counts, with its reason. */
static void test_first_failure_counts(void **state)
{
	struct explore e = {
		.setup = make_session,
		.thread = { fail_as, fail_as, fail_as },
		.argument = { (void *)EIO, (void *)ENODEV, (void *)ETIMEDOUT },
		.check = failed_once,
	};

	(void)state;
	explore_all(&e);
}

static void test_not_to_recover(void **state)
{
	(void)state;
	make_session();
	session.config.reconnect_delay = 0;
	fail_as((void *)EIO);
	assert_int_equal(session.state, FARMEM_SESSION_FAILED);
	assert_true(session.recovery.error_work.pending);
}

/* An attempt gives up; what follows is not the funnel's. */
static void test_while_connecting(void **state)
{
	(void)state;
	make_session();
	session.state = FARMEM_SESSION_CONNECTING;
	fail_as((void *)EIO);
	assert_int_equal(session.state, FARMEM_SESSION_CONNECTING);
	assert_int_equal(session.abort_error, -EIO);
	assert_false(session.recovery.error_work.pending);
	assert_int_equal(session.wait.woken, 1);
}

static void become_live(void *unused)
{
	(void)unused;
	spin_lock(&session.lock);
	farmem_session_become_live(&session);
	spin_unlock(&session.lock);
}

static void connecting(void)
{
	make_session();
	session.state = FARMEM_SESSION_CONNECTING;
}

static const char *not_lost(void)
{
	if (session.state == FARMEM_SESSION_LIVE)
		return session.abort_error ? "it is live, and was aborted" : "the failure was swallowed";
	return session.abort_error == -EIO ? NULL : "the failure was swallowed";
}

/* What fails on the way to live either keeps it from that or ends it. */
static void test_failure_on_the_way(void **state)
{
	struct explore e = {
		.setup = connecting,
		.thread = { become_live, fail_as },
		.argument = { NULL, (void *)EIO },
		.check = not_lost,
	};

	(void)state;
	explore_all(&e);
}

static void test_extend(void **state)
{
	(void)state;
	make_session();
	assert_false(farmem_session_extend(&session));
	session.set.growing = true;
	session.set.grow_until = jiffies + 10 * HZ;
	assert_true(farmem_session_extend(&session));
	assert_int_equal(session.deadline, jiffies + FARMEM_SESSION_PATIENCE);
	atomic_set(&session.lock_awaited, 1);
	assert_false(farmem_session_extend(&session));
	atomic_set(&session.lock_awaited, 0);
	/* A heartbeat without an answer: not to be waited out. */
	session.abort_error = -ETIMEDOUT;
	assert_false(farmem_session_extend(&session));
	session.abort_error = 0;
	jiffies += 11 * HZ;
	assert_false(farmem_session_extend(&session));
}

/* An attempt under way gives the lock up; it is no failure, and leaves no reason. */
static void test_urgent(void **state)
{
	(void)state;
	make_session();
	session.state = FARMEM_SESSION_RECOVERING;
	farmem_session_lock_urgent(&session);
	assert_int_equal(session.abort_error, -EINTR);
	assert_false(farmem_session_lock_contended(&session));
	mutex_unlock(&session.lock);
	assert_string_equal(session.reason, "");
	make_session();
	farmem_session_lock_urgent(&session);
	assert_int_equal(session.abort_error, 0);
	mutex_unlock(&session.lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_failure_counts),
		cmocka_unit_test(test_not_to_recover),
		cmocka_unit_test(test_while_connecting),
		cmocka_unit_test(test_failure_on_the_way),
		cmocka_unit_test(test_extend),
		cmocka_unit_test(test_urgent),
	};

	return cmocka_run_group_tests_name("kernel_session", tests, NULL, NULL);
}
