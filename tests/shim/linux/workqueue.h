/* SPDX-License-Identifier: GPL-2.0 */
/* workqueue.h - works that wait until a test, or a flush, runs them */
#ifndef SHIM_WORKQUEUE_H
#define SHIM_WORKQUEUE_H

#include <linux/types.h>

struct workqueue_struct {
	int unused;
};

struct work_struct {
	void (*func)(struct work_struct *work);
	bool pending;
};

typedef void (*work_func_t)(struct work_struct *work);

#define INIT_WORK(work, function) \
	((void)(*(work) = (struct work_struct){ .func = (function) }))

static inline bool queue_work(struct workqueue_struct *wq, struct work_struct *work)
{
	bool was = work->pending;

	shim_point(__func__);
	work->pending = true;
	return !was;
}

/* What a worker does of a work that is pending. */
static inline bool flush_work(struct work_struct *work)
{
	shim_point(__func__);
	if (!work->pending)
		return false;
	work->pending = false;
	work->func(work);
	return true;
}

static inline struct workqueue_struct *alloc_ordered_workqueue(const char *name, int flags)
{
	static struct workqueue_struct one;

	return &one;
}

static inline void destroy_workqueue(struct workqueue_struct *wq)
{
}

#endif /* SHIM_WORKQUEUE_H */
