/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cleanup.h - variables that free what they point to when they leave scope.
 */
#ifndef FARMEMCTL_CLEANUP_H
#define FARMEMCTL_CLEANUP_H

#include <stdlib.h>

static inline void cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

#define CLEANUP_FREE __attribute__((cleanup(cleanup_free)))

#endif
