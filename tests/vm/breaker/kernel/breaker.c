// SPDX-License-Identifier: GPL-2.0
/*
 * breaker.c - breaks one rule of the kernel, for tests/vm/selftest: does the
 * debug kernel notice, and does the run fail?
 *
 * insmod breaker.ko what=WORD does one of the things below.
 */
#include <linux/debug_locks.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

static char *what = "";
module_param(what, charp, 0);

static DEFINE_SPINLOCK(first);
static DEFINE_SPINLOCK(second);
static DEFINE_MUTEX(sleeper);

static void sleep_in_atomic(void)
{
	spin_lock(&first);
	mutex_lock(&sleeper);
	mutex_unlock(&sleeper);
	spin_unlock(&first);
}

/* A, B and then B, A: no deadlock now, one some day. */
static void lock_order(void)
{
	spin_lock(&first);
	spin_lock(&second);
	spin_unlock(&second);
	spin_unlock(&first);
	spin_lock(&second);
	spin_lock(&first);
	spin_unlock(&first);
	spin_unlock(&second);
}

static __always_inline void use_after_free(void)
{
	char *bytes = kmalloc(64, GFP_KERNEL);

	if (!bytes)
		return;
	kfree(bytes);
	WRITE_ONCE(bytes[8], 1);
}

/* Named as the function of soft-RoCE whose use after free scan-log knows. */
static noinline void rxe_do_task(void)
{
	use_after_free();
}

static void hang(void)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule_timeout(60 * HZ);
}

static void corrupt_list(void)
{
	LIST_HEAD(list);
	struct list_head entry, other;

	list_add(&entry, &list);
	/* Its neighbour points elsewhere. */
	INIT_LIST_HEAD(&other);
	list.next = &other;
	list_del(&entry);
}

/* As if it had run out of its tables, and without a word in the log. */
static void turn_lockdep_off(void)
{
	debug_locks_off();
}

static const struct {
	const char *name;
	void (*act)(void);
} acts[] = {
	{ "sleep-in-atomic", sleep_in_atomic },
	{ "lock-order", lock_order },
	{ "use-after-free", use_after_free },
	{ "known-use-after-free", rxe_do_task },
	{ "hang", hang },
	{ "list", corrupt_list },
	{ "lockdep-off", turn_lockdep_off },
};

static int __init breaker_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(acts); i++) {
		if (!strcmp(what, acts[i].name)) {
			acts[i].act();
			return 0;
		}
	}
	return -EINVAL;
}

static void __exit breaker_exit(void)
{
}

module_init(breaker_init);
module_exit(breaker_exit);
MODULE_DESCRIPTION("Breaks a rule of the kernel, for the test bed's own tests");
MODULE_LICENSE("GPL");
