/* SPDX-License-Identifier: GPL-2.0 */
/*
 * explore.h - run a few threads' steps in every order.
 *
 * Threads are coroutines over the module's own source.  Another may go on at each
 * shim_point(), which the headers in tests/shim have before every access to shared
 * state: bits, words of a bitmap, READ_ONCE(), atomics, locks.  So an order is one that
 * CPUs could take, a plain access is part of the step before it, and what a CPU
 * reorders is not tried.  Each order starts from setup(); after it check() says whether
 * all is as it must be.  The first order that is wrong ends the search, and is told step
 * by step.
 *
 * Threads are short, two or three, and share few words: two of n steps have
 * (2n)! / (n!)^2 orders; a bound of preemptions keeps many steps within reach.
 */
#ifndef EXPLORE_H
#define EXPLORE_H

#include <stdbool.h>

#define EXPLORE_THREADS 4
#define EXPLORE_STEPS 2000

/**
 * struct explore - what to run, and what came of it
 * @setup: makes the state anew
 * @thread: the threads, as many as are set; each has its own argument
 * @argument: of the threads
 * @check: returns what is wrong, or NULL; frees what @setup made
 * @preemptions: a thread that could go on is left so often at most; 0: any number
 * @orders: set: how many were run
 * @fault: set: what was wrong in the last of them, or NULL
 * @told: set: its steps, each with its thread, A to D
 */
struct explore {
	void (*setup)(void);
	void (*thread[EXPLORE_THREADS])(void *argument);
	void *argument[EXPLORE_THREADS];
	const char *(*check)(void);
	unsigned int preemptions;
	unsigned long orders;
	const char *fault;
	char told[64 * EXPLORE_STEPS];
};

/** explore() - Return: true if all orders are right. */
bool explore(struct explore *e);

/** explore_all() - a cmocka test's: fails it, with the steps, when an order is wrong. */
void explore_all(struct explore *e);

/**
 * explore_fault() - a thread has found something wrong
 * @text: what, said for this order unless check() says more
 *
 * cmocka's assertions belong into check(), for they would leave the thread's stack.
 */
void explore_fault(const char *text);

#endif /* EXPLORE_H */
