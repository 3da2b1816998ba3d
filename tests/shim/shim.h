/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shim.h - where user space looks into the module's source: kernel/ compiled as it is,
 * with the headers in linux/ beside this file in place of the kernel's.
 *
 * Each look at state that threads share comes by shim_point() first.  It does nothing,
 * unless tests/unit/kernel/explore.c runs: then another thread may go on there.
 */
#ifndef SHIM_H
#define SHIM_H

#include <stdio.h>
#include <stdlib.h>

/* explore.c's, while it runs.  Weak: a test that explores nothing defines none. */
__attribute__((weak)) void (*shim_point_hook)(const char *what);
__attribute__((weak)) void (*shim_wait_hook)(const int *while_set);
__attribute__((weak)) void (*shim_fault_hook)(const char *text);

/* Others may go on before what this thread does next: @what. */
static inline void shim_point(const char *what)
{
	if (shim_point_hook)
		shim_point_hook(what);
}

/* What the kernel would report, or die of. */
static inline void shim_fault(const char *text)
{
	if (shim_fault_hook) {
		shim_fault_hook(text);
		return;
	}
	fprintf(stderr, "%s\n", text);
	abort();
}

/* This thread goes on when *@while_set is 0. */
static inline void shim_wait(const int *while_set)
{
	if (shim_wait_hook)
		shim_wait_hook(while_set);
	else
		shim_fault("a lock is taken that is held, and nobody else is there");
}

#endif /* SHIM_H */
