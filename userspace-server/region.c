// SPDX-License-Identifier: GPL-2.0
/*
 * region.c - runs of a volume's slabs, registered as one.
 *
 * Owns nothing: regions are grant.c's, which registers them, and of a dead session
 * session.c's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "region.h"
#include "util.h"

struct region *region_plan(const struct slab_list *slabs, uint64_t slab_size, uint64_t mr_size,
			   size_t *regions)
{
	uint32_t most = min(REGION_BYTES, mr_size) / slab_size;
	struct region *region;
	uint32_t first = 0;
	size_t count = 0, i;

	for (i = 0; i < slabs->runs; i++)
		count += (slabs->run[i].count + most - 1) / most;
	region = calloc(count, sizeof(*region));
	if (!region)
		return NULL;
	*regions = count;
	count = 0;
	for (i = 0; i < slabs->runs; i++) {
		struct slab_run left = slabs->run[i];

		while (left.count) {
			uint32_t take = min(left.count, most);

			region[count].run = (struct slab_run){ left.first, take };
			region[count++].first_slab = first;
			left.first += take;
			left.count -= take;
			first += take;
		}
	}
	return region;
}

/*
 * Of one that stays only queue pairs of its session have any use.  EIO is of an adapter that
 * is being removed, with all that it has, but not at once.
 */
static bool region_deregister_mr(struct ibv_mr **mr)
{
	int ret = *mr ? ibv_dereg_mr(*mr) : 0;

	if (ret && ret != EIO)
		log_err("cannot deregister memory: %s; the adapter keeps a translation of it until farmemd restarts",
			strerror(ret));
	*mr = NULL;
	return !ret;
}

bool region_deregister(struct region *region)
{
	bool data = region_deregister_mr(&region->data);

	return region_deregister_mr(&region->meta) && data;
}

void region_forget(struct grant *grant)
{
	LIST_REMOVE(grant, link);
	free(grant->region);
	free(grant);
}
