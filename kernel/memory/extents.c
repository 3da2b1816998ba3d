// SPDX-License-Identifier: GPL-2.0
/*
 * extents.c - a volume's regions: taken from a GRANT, mapped slab by slab, found.
 *
 * A volume whose server grants other regions gets another map; see farmem_extents_place().
 */
#include <linux/log2.h>
#include <linux/slab.h>

#include "control.h"
#include "extents.h"
#include "fault.h"
#include "memory.h"

static struct farmem_extent extents_of_region(const struct farmem_memory *m,
					      const struct farmem_region *r)
{
	return (struct farmem_extent){
		.session = m->session,
		.start = (u64)le32_to_cpu(r->first_slab) << m->slab_shift,
		.bytes = (u64)le32_to_cpu(r->slab_count) << m->slab_shift,
		.addr = le64_to_cpu(r->addr),
		.meta_addr = le64_to_cpu(r->meta_addr),
		.rkey = le32_to_cpu(r->rkey),
		.meta_rkey = le32_to_cpu(r->meta_rkey),
	};
}

/* The extent of each slab, or NULL. */
static struct farmem_extent **extents_slabs(const struct farmem_memory *m,
					    struct farmem_extent *extents,
					    unsigned int count)
{
	struct farmem_extent **slabs;
	unsigned int i, slab = 0;
	u64 covered;

	slabs = farmem_fault_alloc(kvcalloc(m->slab_count, sizeof(*slabs),
					    FARMEM_GFP_MAY_FAIL));
	if (!slabs)
		return NULL;
	for (i = 0; i < count; i++) {
		for (covered = 0; covered < extents[i].bytes;
		     covered += 1ull << m->slab_shift)
			slabs[slab++] = &extents[i];
	}
	return slabs;
}

static struct farmem_extent *extents_of_grant(const struct farmem_memory *m,
					      const struct farmem_grant_regions *g)
{
	struct farmem_extent *extents;
	unsigned int i;

	extents = farmem_fault_alloc(kvcalloc(g->count, sizeof(*extents),
					      FARMEM_GFP_MAY_FAIL));
	if (!extents)
		return NULL;
	for (i = 0; i < g->count; i++)
		extents[i] = extents_of_region(m, &g->regions[i]);
	return extents;
}

int farmem_extents_take(struct farmem_memory *m, const struct farmem_grant_regions *g)
{
	m->slab_shift = ilog2(g->slab_size);
	m->slab_count = g->slabs;
	m->extents = extents_of_grant(m, g);
	if (!m->extents)
		return farmem_session_reason(m->session, -ENOMEM,
					     "no memory for the list of regions");
	m->extent_count = g->count;
	m->slabs = extents_slabs(m, m->extents, m->extent_count);
	return m->slabs ? 0 :
		farmem_session_reason(m->session, -ENOMEM,
				      "no memory for the slab map");
}

/* What was there before a volume was granted other regions. */
struct farmem_former {
	struct farmem_former *before;
	struct farmem_extent *extents;
	struct farmem_extent **slabs;
};

/* Are they the regions that the volume has, under other addresses perhaps? */
static bool extents_same(const struct farmem_memory *m, const struct farmem_grant_regions *g)
{
	struct farmem_extent now;
	unsigned int i;

	if (g->count != m->extent_count)
		return false;
	for (i = 0; i < g->count; i++) {
		now = extents_of_region(m, &g->regions[i]);
		if (now.start != m->extents[i].start || now.bytes != m->extents[i].bytes)
			return false;
	}
	return true;
}

static int extents_replace(struct farmem_memory *m, const struct farmem_grant_regions *g)
{
	struct farmem_extent *extents = extents_of_grant(m, g);
	struct farmem_extent **slabs = extents ? extents_slabs(m, extents, g->count) : NULL;
	struct farmem_former *former =
		farmem_fault_alloc(kmalloc(sizeof(*former), FARMEM_GFP_MAY_FAIL));

	if (!slabs || !former) {
		kfree(former);
		kvfree(slabs);
		kvfree(extents);
		return farmem_session_reason(m->session, -ENOMEM,
				"volume %s: no memory for the slab map", m->name);
	}
	*former = (struct farmem_former){
		.before = m->former,
		.extents = m->extents,
		.slabs = m->slabs,
	};
	m->former = former;
	m->extents = extents;
	m->extent_count = g->count;
	farmem_target_change(&m->target, 0, FARMEM_TARGET_LOOK);
	smp_store_release(&m->slabs, slabs);
	pr_info("volume %s: now in %u regions\n", m->name, g->count);
	return 0;
}

int farmem_extents_take_again(struct farmem_memory *m, const struct farmem_grant_regions *g)
{
	unsigned int i;

	if (g->slab_size != 1ull << m->slab_shift || g->slabs != m->slab_count)
		return -EREMCHG;
	m->mended = g->flags & FARMEM_GRANT_MENDED;
	if (!extents_same(m, g))
		return extents_replace(m, g);
	for (i = 0; i < g->count; i++)
		m->extents[i] = extents_of_region(m, &g->regions[i]);
	return 0;
}

bool farmem_extents_place(struct farmem_request *req)
{
	u32 bytes = req->bytes;
	struct farmem_extent *extent =
		farmem_memory_map(farmem_memory_of(req), req->offset, &bytes);

	if (unlikely(bytes < req->bytes))
		return false;
	req->extent = extent;
	req->within = req->offset - extent->start;
	return true;
}

void farmem_extents_free(struct farmem_memory *m)
{
	struct farmem_former *former;

	while ((former = m->former)) {
		m->former = former->before;
		kvfree(former->slabs);
		kvfree(former->extents);
		kfree(former);
	}
	kvfree(m->slabs);
	kvfree(m->extents);
	m->slabs = NULL;
	m->extents = NULL;
	m->extent_count = m->slab_count = 0;
}
