// SPDX-License-Identifier: GPL-2.0
/*
 * extents.c - a volume's regions: taken from a GRANT, mapped slab by slab, found.
 *
 * A volume whose server grants other regions gets another map; see farmem_extents_place().
 */
#include <linux/log2.h>
#include <linux/slab.h>

#include "extents.h"
#include "fault.h"
#include "memory.h"
#include "message.h"

static int extents_make_room(struct farmem_extents_grant *g, const struct farmem_extent *known)
{
	unsigned int room = max(2 * g->count, 8u);
	struct farmem_extent *more;

	more = farmem_fault_alloc(kvcalloc(room, sizeof(*more), FARMEM_GFP_MAY_FAIL));
	if (!more)
		return -ENOMEM;
	if (g->count)
		memcpy(more, known, g->count * sizeof(*more));
	kvfree(g->extents);
	g->extents = more;
	g->room = room;
	return 0;
}

int farmem_extents_add(struct farmem_extents_grant *g, const struct farmem_extent *extent)
{
	if (g->count == g->room && extents_make_room(g, g->extents))
		return -ENOMEM;
	g->extents[g->count++] = *extent;
	g->slabs += extent->bytes >> g->memory->slab_shift;
	return 0;
}

void farmem_extents_use(struct farmem_memory *m, const struct farmem_extents_grant *g)
{
	m->extents = g->extents;
	m->extent_count = g->count;
	m->slab_count = g->slabs;
}

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

int farmem_extents_take(const struct farmem_grant_info *info, void *private)
{
	struct farmem_extents_grant *g = private;
	struct farmem_memory *m = g->memory;
	struct farmem_extent extent;
	unsigned int i;
	int err;

	m->slab_shift = ilog2(info->slab_size);
	m->granted = info->flags & FARMEM_GRANT_NEW ? FARMEM_GRANTED_NEW : FARMEM_GRANTED_SAME;
	for (i = 0; i < info->region_count; i++) {
		extent = extents_of_region(m, &info->region[i]);
		err = farmem_extents_add(g, &extent);
		if (err)
			return farmem_session_reason(m->session, err,
					"no memory for the list of regions");
	}
	return 0;
}

/* The same slabs as in the region that the volume has at this place. */
static bool extents_same(const struct farmem_extents_grant *g, const struct farmem_extent *now)
{
	const struct farmem_memory *m = g->memory;

	return !g->extents && g->count < m->extent_count &&
	       m->extents[g->count].start == now->start &&
	       m->extents[g->count].bytes == now->bytes;
}

static int extents_take_region(struct farmem_extents_grant *g, const struct farmem_extent *now)
{
	struct farmem_memory *m = g->memory;

	if (extents_same(g, now)) {
		m->extents[g->count++] = *now;
		g->slabs += now->bytes >> m->slab_shift;
		return 0;
	}
	if (!g->extents && extents_make_room(g, m->extents))
		return -ENOMEM;
	return farmem_extents_add(g, now);
}

int farmem_extents_take_again(const struct farmem_grant_info *info, void *private)
{
	struct farmem_extents_grant *g = private;
	struct farmem_memory *m = g->memory;
	struct farmem_extent now;
	unsigned int i;
	int err;

	if (info->slab_size != 1ull << m->slab_shift)
		return -EREMCHG;
	m->mended = info->flags & FARMEM_GRANT_MENDED;
	for (i = 0; i < info->region_count; i++) {
		now = extents_of_region(m, &info->region[i]);
		err = extents_take_region(g, &now);
		if (err)
			return farmem_session_reason(m->session, err,
					"volume %s: no memory for the list of regions",
					m->name);
	}
	return 0;
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

int farmem_extents_map(struct farmem_memory *m)
{
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

int farmem_extents_map_again(struct farmem_memory *m, const struct farmem_extents_grant *g)
{
	struct farmem_former *former;
	struct farmem_extent **slabs;

	former = farmem_fault_alloc(kmalloc(sizeof(*former), FARMEM_GFP_MAY_FAIL));
	slabs = former ? extents_slabs(m, g->extents, g->count) : NULL;
	if (!slabs) {
		kfree(former);
		return farmem_session_reason(m->session, -ENOMEM,
				"volume %s: no memory for the slab map", m->name);
	}
	*former = (struct farmem_former){
		.before = m->former,
		.extents = m->extents,
		.slabs = m->slabs,
	};
	m->former = former;
	farmem_extents_use(m, g);
	farmem_target_change(&m->target, 0, FARMEM_TARGET_LOOK);
	smp_store_release(&m->slabs, slabs);
	pr_info("volume %s: now in %u regions\n", m->name, g->count);
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
