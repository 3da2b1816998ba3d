/* SPDX-License-Identifier: GPL-2.0 */
/* sched.h - where a thread lets others go on of itself */
#ifndef SHIM_SCHED_H
#define SHIM_SCHED_H

#include <linux/types.h>

static inline int cond_resched(void)
{
	shim_point(__func__);
	return 0;
}

#endif /* SHIM_SCHED_H */
