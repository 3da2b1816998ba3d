/* SPDX-License-Identifier: GPL-2.0 */
/* repair.h - how long a simulated cluster takes to copy what a dead server held */
#ifndef SIM_REPAIR_H
#define SIM_REPAIR_H

#include "world.h"

struct repair {
	size_t copies;		/* that the server held */
	size_t repaired;	/* of them */
	size_t sources;		/* servers that gave the other copies */
	/*
	 * Chunks that were copied one after the other until all were: a server gives one at a
	 * time and takes one at a time, and so does a client.
	 */
	size_t steps;
};

/* A random server dies; its copies are made anew elsewhere. */
struct repair repair_one(struct world *world);

#endif /* SIM_REPAIR_H */
