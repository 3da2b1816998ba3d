/* SPDX-License-Identifier: GPL-2.0 */
/* region.h - a volume's memory, registered for a session: runs of slabs */
#ifndef REGION_H
#define REGION_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "slab.h"

struct volume;

#define REGION_BYTES (4ull << 30)	/* the most that is registered at a time */

/**
 * struct region - a run of slabs and its two registrations
 * @run: in the pool
 * @first_slab: in the volume
 * @data: of the slabs, NULL until registered
 * @meta: of their page state bytes
 */
struct region {
	struct slab_run run;
	uint32_t first_slab;
	struct ibv_mr *data;
	struct ibv_mr *meta;
};

/**
 * struct grant - a volume's memory, registered for one session
 * @link: the session's list
 * @volume: which; the volume points back as long as the session lives
 * @region: the regions, in the volume's order
 * @regions: how many
 */
struct grant {
	LIST_ENTRY(grant) link;
	struct volume *volume;
	struct region *region;
	size_t regions;
};

/**
 * region_plan() - cut a volume's slabs into regions
 * @slabs: of the volume
 * @slab_size: bytes
 * @mr_size: bytes that the device registers at a time, at least a slab
 * @regions: how many it became
 *
 * A region is at most REGION_BYTES, so that registering it is a bounded step.
 *
 * Return: the regions, to be freed; NULL without memory.
 */
struct region *region_plan(const struct slab_list *slabs, uint64_t slab_size, uint64_t mr_size,
			   size_t *regions);

/* region_deregister() - drop a region's registrations.  Context: worker.  Return: false: one may be left */
bool region_deregister(struct region *region);

/* region_forget() - all regions of a grant are deregistered: its session has it no more */
void region_forget(struct grant *grant);

#endif /* REGION_H */
