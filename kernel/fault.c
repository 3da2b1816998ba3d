// SPDX-License-Identifier: GPL-2.0
/*
 * fault.c - counters behind /sys/kernel/debug/farmem/fail_*.
 */
#include <linux/atomic.h>
#include <linux/debugfs.h>

#include "fault.h"

static struct {
	u32 every;
	atomic_t count;
} faults[FARMEM_FAULTS_COUNT];

static struct dentry *directory;

bool farmem_fault(enum farmem_fault fault)
{
	u32 every = READ_ONCE(faults[fault].every);

	return every && !((u32)atomic_inc_return(&faults[fault].count) % every);
}

void farmem_fault_init(void)
{
	static const char *const names[FARMEM_FAULTS_COUNT] = {
		[FARMEM_FAULT_READ] = "fail_read",
		[FARMEM_FAULT_WRITE] = "fail_write",
		[FARMEM_FAULT_MAP] = "fail_map",
		[FARMEM_FAULT_POST] = "fail_post",
		[FARMEM_FAULT_POST_HARD] = "fail_post_hard",
		[FARMEM_FAULT_COMPLETION] = "fail_completion",
	};
	int i;

	directory = debugfs_create_dir("farmem", NULL);
	for (i = 0; i < FARMEM_FAULTS_COUNT; i++)
		debugfs_create_u32(names[i], 0600, directory,
				   &faults[i].every);
}

void farmem_fault_exit(void)
{
	debugfs_remove_recursive(directory);
}
