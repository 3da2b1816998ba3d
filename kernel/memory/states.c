// SPDX-License-Identifier: GPL-2.0
/* states.c - page states between the server's bytes and the maps: see states.h. */
#include <linux/mm.h>
#include <linux/slab.h>

#include "fault.h"
#include "memory.h"
#include "states.h"
#include "transfer.h"

#define META_CHUNK (64u << 10)
/* Of memory that is short, and in pieces: the state bytes of 16 MiB. */
#define META_CHUNK_MIN (4u << 10)

static void states_fill(const struct farmem_memory *m, u64 first, u8 *states,
			u32 count)
{
	farmem_zeromap_store(&m->zeromap, first, states, count);
	farmem_lostmap_store(&m->lostmap, first, states, count);
}

static int states_take(struct farmem_memory *m, u64 first, const u8 *states,
		       u32 count)
{
	int err;

	farmem_zeromap_load(&m->zeromap, first, states, count);
	err = farmem_lostmap_load(&m->lostmap, farmem_memory_pages(m),
				  m->session->link.generation, first, states, count);
	if (farmem_lostmap_used(&m->lostmap))
		farmem_target_change(&m->target, 0, FARMEM_TARGET_LOOK);
	return err ? farmem_session_reason(m->session, err,
					   "no memory for the lost map") : 0;
}

static int states_merge(struct farmem_memory *m, u64 first, const u8 *states,
			u32 count)
{
	int ret = farmem_lostmap_merge(&m->lostmap, &m->zeromap, farmem_memory_pages(m),
				       m->session->link.generation, first, states, count);

	if (ret < 0)
		return farmem_session_reason(m->session, ret,
					     "no memory for the lost map");
	if (ret)
		WRITE_ONCE(m->zeromap.doubtful, true);
	if (farmem_lostmap_used(&m->lostmap))
		farmem_target_change(&m->target, 0, FARMEM_TARGET_LOOK);
	return 0;
}

/* Move an extent's page states, a chunk at a time. */
static int states_move(struct farmem_memory *m, struct farmem_extent *extent,
		       enum farmem_states_way way, u8 *chunk, u32 room)
{
	u64 first = extent->start >> FARMEM_PAGE_SHIFT;
	u64 pages = extent->bytes >> FARMEM_PAGE_SHIFT, done;
	u32 n;
	int err;

	room = min_not_zero(room, farmem_transfer_max(m->session));
	for (done = 0; done < pages; done += n) {
		n = min_t(u64, pages - done, room);
		if (way == FARMEM_STATES_STORE)
			states_fill(m, first + done, chunk, n);
		err = farmem_transfer_bytes(m->session, way == FARMEM_STATES_STORE ?
					    FARMEM_OP_WRITE : FARMEM_OP_READ,
					    extent->meta_addr + done,
					    extent->meta_rkey,
					    virt_to_page(chunk), n);
		if (err)
			return err;
		if (way == FARMEM_STATES_LOAD)
			err = states_take(m, first + done, chunk, n);
		else if (way == FARMEM_STATES_MERGE)
			err = states_merge(m, first + done, chunk, n);
		if (err)
			return err;
		/* A big volume takes many: each gets the full time. */
		farmem_session_restart_clock(m->session);
	}
	return 0;
}

int farmem_states_sync(struct farmem_memory *m, enum farmem_states_way way)
{
	u32 room = META_CHUNK;
	unsigned int i;
	int err = 0;
	u8 *chunk;

	chunk = kmalloc(room, GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
	if (!chunk) {
		room = META_CHUNK_MIN;
		chunk = kmalloc(room, FARMEM_GFP_MAY_FAIL);
	}
	chunk = farmem_fault_alloc(chunk);
	if (!chunk)
		return farmem_session_reason(m->session, -ENOMEM,
					     "no memory for page states");
	for (i = 0; i < m->extent_count && !err; i++)
		err = states_move(m, &m->extents[i], way, chunk, room);
	kfree(chunk);
	return err;
}
