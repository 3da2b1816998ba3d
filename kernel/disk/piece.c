// SPDX-License-Identifier: GPL-2.0
/*
 * piece.c - a piece of I/O: counted, addressed, posted, settled.
 */
#include <linux/blkdev.h>
#include <linux/highmem.h>

#include "local.h"
#include "piece.h"

/* Bookkeeping of what was written; wakes what waited for the range. */
static void piece_settle_zeromap(const struct farmem_piece *p,
				 struct farmem_zero_range *range, blk_status_t status)
{
	struct farmem_zeromap *map = &p->volume->memory.zeromap;
	u64 first = farmem_piece_page(p), count = farmem_piece_pages(p);

	if (!status && p->op == FARMEM_OP_WRITE) {
		/* A reader that sees that it is no zero page shall see that it is not lost. */
		farmem_lostmap_written(&p->volume->memory.lostmap, first, count);
		farmem_zeromap_written(map, first, count, p->meta);
	}
	if (!p->meta)
		return;
	if (!status && p->op == FARMEM_OP_ZERO) {
		farmem_zeromap_zeroed(map, first, count);
		/* A reader that sees that it is not lost shall see that it is a zero page. */
		farmem_lostmap_written(&p->volume->memory.lostmap, first, count);
	} else if (status) {
		farmem_zeromap_doubted(map, first, count);
	}
	farmem_zeromap_end(map, range);
	if (!bio_list_empty(&range->bios))
		farmem_volume_resubmit(p->volume, &range->bios);
	if (unlikely(!list_empty(&range->requests)))
		farmem_repost_resume(&range->requests);
}

void farmem_piece_end(const struct farmem_piece *p,
		      struct farmem_zero_range *range, blk_status_t status)
{
	/* First, so that the trace shows it over before what waited begins. */
	farmem_piece_count_end(p->volume, p->op, &p->fault, &p->arrived, status);
	trace_farmem_complete(p->volume->index, p->op, p->offset, p->bytes, status);
	if (p->op != FARMEM_OP_READ)
		piece_settle_zeromap(p, range, status);
}

void farmem_piece_send_checked(struct farmem_queue *q, struct farmem_request *req, bool awaited)
{
	if (farmem_checksums_used(&req->volume->memory.checksums) && req->op != FARMEM_OP_ZERO)
		farmem_checksum_begin(req);
	if (q)
		farmem_piece_route(q, req, awaited);
	else
		farmem_local_serve(req);
}

void farmem_piece_settle(struct farmem_request *req, blk_status_t status)
{
	struct farmem_piece p = {
		.volume = req->volume,
		.op = req->op,
		.offset = req->offset,
		.bytes = req->bytes,
		.meta = req->meta_pages,
	};

	piece_settle_zeromap(&p, &req->zero_range, status);
}

void farmem_piece_undo(struct farmem_request *req)
{
	/* What it says of its pages may be there, from before. */
	farmem_piece_end_request(req, BLK_STS_OK, BLK_STS_TRANSPORT);
}

bool farmem_piece_page_is_zero(struct page *page, unsigned int offset)
{
	const void *data = kmap_local_page(page);
	bool zero = !memchr_inv(data + offset, 0, FARMEM_PAGE_SIZE);

	kunmap_local((void *)data);
	return zero;
}
