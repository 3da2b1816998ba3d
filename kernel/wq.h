/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wq.h - the workqueues that all sessions share.
 */
#ifndef FARMEM_WQ_H
#define FARMEM_WQ_H

#include <linux/workqueue.h>

/*
 * farmem_wq: all sessions' works that are short, with a rescuer (WQ_MEM_RECLAIM).  Work that
 * may wait long runs on its session's workqueue, with its own rescuer: otherwise one session
 * whose server is away would hold up the others.  farmem_grow_wq
 * has none: nothing waits for a session to have all its queues.
 */
extern struct workqueue_struct *farmem_wq;
extern struct workqueue_struct *farmem_grow_wq;

/** farmem_wq_init() - before the first session.  May sleep.  Return: 0 or -ENOMEM. */
int farmem_wq_init(void);

/** farmem_wq_exit() - after the last one.  May sleep. */
void farmem_wq_exit(void);

#endif /* FARMEM_WQ_H */
