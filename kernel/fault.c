// SPDX-License-Identifier: GPL-2.0
/*
 * fault.c - counters behind /sys/kernel/debug/farmem/.
 */
#include <linux/atomic.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/jiffies.h>

#include "fault.h"

static const char *const names[FARMEM_FAULTS_COUNT] = {
	[FARMEM_FAULT_READ] = "fail_read",
	[FARMEM_FAULT_WRITE] = "fail_write",
	[FARMEM_FAULT_MAP] = "fail_map",
	[FARMEM_FAULT_MAP_HARD] = "fail_map_hard",
	[FARMEM_FAULT_POST] = "fail_post",
	[FARMEM_FAULT_POST_HARD] = "fail_post_hard",
	[FARMEM_FAULT_COMPLETION] = "fail_completion",
	[FARMEM_FAULT_ARRIVAL] = "fail_arrival",
	[FARMEM_FAULT_BEAT] = "fail_beat",
	[FARMEM_FAULT_ALLOC] = "fail_alloc",
	[FARMEM_FAULT_REQUEST] = "fail_request",
	[FARMEM_FAULT_CREATE] = "fail_create",
	[FARMEM_FAULT_CM] = "fail_cm",
	[FARMEM_FAULT_KNOW_OWN] = "fail_know_own",
	[FARMEM_FAULT_UEVENT] = "hold_uevent",
	[FARMEM_FAULT_DELAY] = "delay_completion",
};

static const char *const say_names[FARMEM_SAYS_COUNT] = {
	[FARMEM_SAY_MAX_SGE_RD] = "say_max_sge_rd",
	[FARMEM_SAY_MAX_MAPPING] = "say_max_mapping",
	[FARMEM_SAY_IWARP] = "say_iwarp",
	[FARMEM_SAY_ADAPTER] = "say_adapter",
};

static u32 says[FARMEM_SAYS_COUNT];

static struct fault {
	u32 every;
	atomic_t count;
} faults[FARMEM_FAULTS_COUNT];

static struct dentry *directory;
static atomic_t times_left = ATOMIC_INIT(-1);
static u32 create_errno = ENOMEM;
static u32 delay_ms = 100;
static unsigned long delayed_until;

static bool fault_allowed(void)
{
	return atomic_read(&times_left) < 0 ||
	       atomic_dec_if_positive(&times_left) >= 0;
}

bool farmem_fault(enum farmem_fault fault)
{
	u32 every = READ_ONCE(faults[fault].every);

	return every &&
	       !((u32)atomic_inc_return(&faults[fault].count) % every) &&
	       fault_allowed();
}

int farmem_fault_create(void)
{
	return farmem_fault(FARMEM_FAULT_CREATE) ? -(int)READ_ONCE(create_errno) : 0;
}

bool farmem_fault_delays(void)
{
	if (farmem_fault(FARMEM_FAULT_DELAY))
		WRITE_ONCE(delayed_until,
			   jiffies + msecs_to_jiffies(READ_ONCE(delay_ms)));
	return time_before(jiffies, READ_ONCE(delayed_until));
}

u32 farmem_fault_said(enum farmem_say what, u32 own)
{
	return READ_ONCE(says[what]) ?: own;
}

void farmem_fault_hold(enum farmem_fault fault)
{
	while (farmem_fault(fault))
		msleep(20);
}

static int fault_every_get(void *data, u64 *value)
{
	*value = ((struct fault *)data)->every;
	return 0;
}

/* Counted from here on. */
static int fault_every_set(void *data, u64 value)
{
	struct fault *fault = data;

	if (value > U32_MAX)
		return -ERANGE;
	WRITE_ONCE(fault->every, 0);
	atomic_set(&fault->count, 0);
	WRITE_ONCE(fault->every, value);
	if (fault == &faults[FARMEM_FAULT_DELAY] && !value)
		WRITE_ONCE(delayed_until, jiffies);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(every_fops, fault_every_get, fault_every_set, "%llu\n");

static int fault_times_get(void *data, u64 *value)
{
	*value = (s64)atomic_read(&times_left);
	return 0;
}

static int fault_times_set(void *data, u64 value)
{
	atomic_set(&times_left, (s64)value < 0 ? -1 : min_t(u64, value, S32_MAX));
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE_SIGNED(times_fops, fault_times_get, fault_times_set, "%lld\n");

void farmem_fault_init(void)
{
	int i;

	delayed_until = jiffies;
	directory = debugfs_create_dir("farmem", NULL);
	for (i = 0; i < FARMEM_FAULTS_COUNT; i++)
		debugfs_create_file(names[i], 0600, directory, &faults[i],
				    &every_fops);
	for (i = 0; i < FARMEM_SAYS_COUNT; i++)
		debugfs_create_u32(say_names[i], 0600, directory, &says[i]);
	debugfs_create_file("times", 0600, directory, NULL, &times_fops);
	debugfs_create_u32("delay_ms", 0600, directory, &delay_ms);
	debugfs_create_u32("errno", 0600, directory, &create_errno);
}

void farmem_fault_exit(void)
{
	int i;

	/* Nobody is left to let go what is held. */
	for (i = 0; i < FARMEM_FAULTS_COUNT; i++)
		WRITE_ONCE(faults[i].every, 0);
	debugfs_remove_recursive(directory);
}
