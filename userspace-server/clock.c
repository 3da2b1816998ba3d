// SPDX-License-Identifier: GPL-2.0
/* clock.c - the time that only goes forward.  Tests have a clock of their own. */
#include <time.h>

#include "clock.h"

uint64_t clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}
