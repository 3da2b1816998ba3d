/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace.h - what happens to a simulated cluster
 *
 * Groups have 1, 2, 4, 8, 16, 32 or 64 chunks, each as likely: half of all chunks are those of
 * the largest.  They come at random, so many a second (a Poisson process).
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "world.h"

/* Groups come until the setting's chunks are there. Return: false, some have no place. */
bool trace_fill(struct world *world);

/*
 * Groups come, and before each as many random ones go as leave it room in the setting's chunks:
 * until as many chunks have come as there are, times @turns.
 */
bool trace_churn(struct world *world, double turns);

/* So many servers, one after the other, are drained and come back. */
struct drains {
	size_t copies;	/* that were there */
	size_t moved;	/* of them */
};
struct drains trace_drain(struct world *world, unsigned int servers);

/* In each round so many servers, at most 16, are drained and replaced by others. */
void trace_replace(struct world *world, unsigned int rounds, unsigned int servers);

#endif /* SIM_TRACE_H */
