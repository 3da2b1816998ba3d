/* SPDX-License-Identifier: GPL-2.0 */
/* clock.h - a microsecond goes by from one look to the next */
#ifndef SHIM_SCHED_CLOCK_H
#define SHIM_SCHED_CLOCK_H

#include <linux/types.h>

static inline u64 local_clock(void)
{
	static u64 now;

	return now += 1000;
}

#endif /* SHIM_SCHED_CLOCK_H */
