/* SPDX-License-Identifier: GPL-2.0 */
/* wait.h - places to wait; wake-ups are counted */
#ifndef SHIM_WAIT_H
#define SHIM_WAIT_H

#include <linux/types.h>

typedef struct {
	unsigned int woken;
} wait_queue_head_t;

static inline void init_waitqueue_head(wait_queue_head_t *wait)
{
	wait->woken = 0;
}

static inline void wake_up_all(wait_queue_head_t *wait)
{
	shim_point(__func__);
	wait->woken++;
}

#endif /* SHIM_WAIT_H */
