// SPDX-License-Identifier: GPL-2.0
/*
 * explore.c - a depth-first search of schedules.
 *
 * A schedule is the list of choices where more than one thread could go on.  Each is
 * run from the start, takes the choices of the one before up to the last that has
 * another way left, goes that way, and takes the first ways from there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <valgrind/valgrind.h>

#include "explore.h"
#include "shim.h"

#define STACK_SIZE (256 << 10)

struct coroutine {
	ucontext_t context;
	char *stack;
	unsigned int stack_id;
	bool over;
	const int *waits;
	const char *next;
};

struct choice {
	unsigned int taken;
	unsigned int ways;
};

static struct explore *exploring;
static struct coroutine coroutines[EXPLORE_THREADS];
static struct choice choices[EXPLORE_STEPS];
static unsigned int depth, steps, preempted, now;
static ucontext_t scheduler;
static const char *fault;
static size_t told;

void explore_fault(const char *text)
{
	if (!fault)
		fault = text;
}

static void back_to_scheduler(void)
{
	swapcontext(&coroutines[now].context, &scheduler);
}

static void point(const char *what)
{
	coroutines[now].next = what;
	back_to_scheduler();
}

static void wait_for(const int *while_set)
{
	coroutines[now].next = "gets the lock";
	coroutines[now].waits = while_set;
	back_to_scheduler();
	coroutines[now].waits = NULL;
}

static void run_thread(void)
{
	exploring->thread[now](exploring->argument[now]);
	coroutines[now].over = true;
}

static void make_coroutine(struct coroutine *c)
{
	c->over = false;
	c->waits = NULL;
	c->next = "begins";
	getcontext(&c->context);
	c->context.uc_stack.ss_sp = c->stack;
	c->context.uc_stack.ss_size = STACK_SIZE;
	c->context.uc_link = &scheduler;
	makecontext(&c->context, run_thread, 0);
}

static bool can_go_on(unsigned int n)
{
	struct coroutine *c = &coroutines[n];

	return exploring->thread[n] && !c->over && !(c->waits && *c->waits);
}

/* Those that can, first the one that runs: to leave it is a preemption. */
static unsigned int find_ways(unsigned int *ways)
{
	unsigned int n, count = 0;
	bool runs = steps && can_go_on(now);

	if (runs)
		ways[count++] = now;
	if (runs && exploring->preemptions && preempted == exploring->preemptions)
		return count;
	for (n = 0; n < EXPLORE_THREADS; n++)
		if (!(runs && n == now) && can_go_on(n))
			ways[count++] = n;
	return count;
}

static unsigned int choose(const unsigned int *ways, unsigned int count)
{
	struct choice *choice = &choices[depth];
	bool runs = steps && ways[0] == now;

	if (count == 1)
		return ways[0];
	/* Not one that was there in the order before. */
	if (!choice->ways)
		*choice = (struct choice){ .taken = 0, .ways = count };
	else if (choice->ways != count)
		explore_fault("the same order came to other steps: setup() forgets something");
	depth++;
	preempted += runs && choice->taken;
	return ways[choice->taken < count ? choice->taken : 0];
}

static void tell_step(void)
{
	int n = snprintf(exploring->told + told, sizeof(exploring->told) - told,
			 "%c %s\n", 'A' + now, coroutines[now].next);

	if (n > 0 && told + n < sizeof(exploring->told))
		told += n;
}

static bool all_over(void)
{
	unsigned int n;

	for (n = 0; n < EXPLORE_THREADS; n++)
		if (exploring->thread[n] && !coroutines[n].over)
			return false;
	return true;
}

static void run_threads(void)
{
	unsigned int ways[EXPLORE_THREADS], count;

	for (;;) {
		count = find_ways(ways);
		if (!count)
			break;
		if (steps == EXPLORE_STEPS) {
			explore_fault("the threads find no end");
			return;
		}
		now = choose(ways, count);
		steps++;
		tell_step();
		swapcontext(&scheduler, &coroutines[now].context);
	}
	if (!all_over())
		explore_fault("the threads wait for each other");
}

static void run_once(struct explore *e)
{
	const char *wrong;
	unsigned int n;

	depth = steps = preempted = 0;
	told = 0;
	fault = NULL;
	e->told[0] = '\0';
	e->setup();
	for (n = 0; n < EXPLORE_THREADS; n++)
		make_coroutine(&coroutines[n]);
	shim_point_hook = point;
	shim_wait_hook = wait_for;
	shim_fault_hook = explore_fault;
	run_threads();
	shim_point_hook = NULL;
	shim_wait_hook = NULL;
	shim_fault_hook = NULL;
	wrong = e->check();
	e->fault = wrong ? wrong : fault;
	e->orders++;
}

/* To the last choice that has another way.  Return: false: there is none. */
static bool go_another_way(void)
{
	while (depth) {
		struct choice *choice = &choices[--depth];

		if (++choice->taken < choice->ways)
			return true;
		choice->ways = 0;
	}
	return false;
}

static void stacks(bool make)
{
	unsigned int n;

	for (n = 0; n < EXPLORE_THREADS; n++) {
		struct coroutine *c = &coroutines[n];

		if (make) {
			c->stack = malloc(STACK_SIZE);
			c->stack_id = VALGRIND_STACK_REGISTER(c->stack,
							      c->stack + STACK_SIZE);
		} else {
			VALGRIND_STACK_DEREGISTER(c->stack_id);
			free(c->stack);
		}
	}
}

bool explore(struct explore *e)
{
	exploring = e;
	e->orders = 0;
	memset(choices, 0, sizeof(choices));
	stacks(true);
	do
		run_once(e);
	while (!e->fault && go_another_way());
	stacks(false);
	return !e->fault;
}

void explore_all(struct explore *e)
{
	if (!explore(e))
		fail_msg("%s, in the order %lu:\n%s", e->fault, e->orders, e->told);
}
