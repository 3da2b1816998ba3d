/* SPDX-License-Identifier: GPL-2.0 */
/* thread.h - threads with small stacks */
#ifndef THREAD_H
#define THREAD_H

#include <pthread.h>

#define THREAD_STACK	(256 << 10)	/* mlockall() pins all of it */

/* thread_start() - pthread_create() with such a stack.  Return: 0 or an errno. */
static inline int thread_start(pthread_t *thread, void *(*run)(void *data), void *data)
{
	pthread_attr_t attr;
	int ret;

	ret = pthread_attr_init(&attr);
	if (ret)
		return ret;
	ret = pthread_attr_setstacksize(&attr, THREAD_STACK);
	if (!ret)
		ret = pthread_create(thread, &attr, run, data);
	pthread_attr_destroy(&attr);
	return ret;
}

#endif /* THREAD_H */
