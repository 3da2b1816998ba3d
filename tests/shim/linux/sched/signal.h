/* SPDX-License-Identifier: GPL-2.0 */
/* signal.h - tasks that may have been killed */
#ifndef SHIM_SCHED_SIGNAL_H
#define SHIM_SCHED_SIGNAL_H

#include <linux/types.h>

struct task_struct {
	bool killed;
};

static inline bool fatal_signal_pending(const struct task_struct *task)
{
	shim_point(__func__);
	return task->killed;
}

#endif /* SHIM_SCHED_SIGNAL_H */
