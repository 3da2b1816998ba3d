// SPDX-License-Identifier: GPL-2.0
/* prepare.c - see prepare.h. */
#include "extents.h"
#include "memory.h"
#include "prepare.h"

/*
 * A write that says what its pages are now.  While another writes the states of some of
 * them it waits: to leave those to the other would leave the rest to nobody.
 */
static bool prepare_states(struct farmem_request *req, u64 first, u32 count)
{
	struct farmem_zeromap *map = &farmem_memory_of(req)->zeromap;

	if (req->meta_pages || !farmem_zeromap_stored(map, first, count))
		return true;
	req->zero_range.first = first;
	req->zero_range.count = count;
	/* One that is polled for came just before the volume came back: see poll.c:poll_may(). */
	if (!farmem_zeromap_begin_request(map, &req->zero_range,
					  req->poll.on ? NULL : &req->entry))
		return req->poll.on;
	req->meta_pages = count;
	return true;
}

enum farmem_posting farmem_prepare_request(struct farmem_request *req)
{
	u64 first = req->offset >> FARMEM_PAGE_SHIFT;
	u32 count = req->bytes >> FARMEM_PAGE_SHIFT;
	unsigned int flags = farmem_target_flags(req->target);

	if (flags & FARMEM_TARGET_GONE)
		return FARMEM_POST_REFUSED;
	if (!(flags & FARMEM_TARGET_LOOK))
		return FARMEM_POST_NOW;
	if (!farmem_extents_place(req))
		return FARMEM_POST_REFUSED;
	if (req->op == FARMEM_OP_READ)
		req->lost = farmem_lostmap_hit(&farmem_memory_of(req)->lostmap, first, count);
	else if (req->op == FARMEM_OP_WRITE && !prepare_states(req, first, count))
		return FARMEM_POST_LATER;
	return FARMEM_POST_NOW;
}
