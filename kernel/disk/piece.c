// SPDX-License-Identifier: GPL-2.0
/*
 * piece.c - a piece of I/O: counted, addressed, posted, settled.
 */
#include <linux/blkdev.h>
#include <linux/highmem.h>

#include "batch.h"
#include "local.h"
#include "piece.h"
#include "poll.h"
#include "post.h"
#include "queue.h"
#include "trace.h"

void farmem_piece_begin(const struct farmem_piece *p, int queue)
{
	struct farmem_stats __percpu *stats = p->volume->stats;

	trace_farmem_submit(p->volume->index, p->op, p->offset, p->bytes, queue);
	farmem_stat_inc(stats, FARMEM_STAT_SUBMITTED);
	switch (p->op) {
	case FARMEM_OP_READ:
		farmem_stat_inc(stats, FARMEM_STAT_READS);
		farmem_stat_add(stats, FARMEM_STAT_READ_BYTES, p->bytes);
		break;
	case FARMEM_OP_WRITE:
		farmem_stat_inc(stats, FARMEM_STAT_WRITES);
		farmem_stat_add(stats, FARMEM_STAT_WRITE_BYTES, p->bytes);
		break;
	case FARMEM_OP_ZERO:
		farmem_stat_inc(stats, FARMEM_STAT_DISCARDS);
		if (p->zeros)
			farmem_stat_inc(stats, FARMEM_STAT_ZERO_WRITES);
		break;
	}
}

static void piece_count_end(struct farmem_volume *v, enum farmem_op op, u64 offset,
			    u32 bytes, blk_status_t status)
{
	trace_farmem_complete(v->index, op, offset, bytes, blk_status_to_errno(status));
	farmem_stat_inc(v->stats, FARMEM_STAT_COMPLETED);
	if (unlikely(status))
		farmem_stat_inc(v->stats, op == FARMEM_OP_READ ?
				FARMEM_STAT_READ_ERRORS :
				FARMEM_STAT_WRITE_ERRORS);
}

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
	piece_count_end(p->volume, p->op, p->offset, p->bytes, status);
	if (p->op != FARMEM_OP_READ)
		piece_settle_zeromap(p, range, status);
}

static void piece_claim_states(const struct farmem_piece *p,
			       struct farmem_request *req)
{
	req->meta_pages = farmem_piece_pages(p);
	req->zero_range.first = farmem_piece_page(p);
	req->zero_range.count = farmem_piece_pages(p);
}

struct farmem_request *
farmem_piece_request(const struct farmem_piece *p,
		     const struct farmem_request_ops *ops, gfp_t gfp)
{
	struct farmem_request *req;

	req = farmem_request_alloc(p->volume->memory.requests, gfp);
	if (unlikely(!req))
		return NULL;
	req->ops = ops;
	req->target = &p->volume->memory.target;
	req->op = p->op;
	req->volume = p->volume;
	req->offset = p->offset;
	req->bytes = p->bytes;
	req->extent = p->extent;
	req->within = farmem_piece_within(p);
	req->repost.waiter = p->waiter;
	if (p->meta)
		piece_claim_states(p, req);
	return req;
}

void farmem_piece_post(const struct farmem_piece *p, struct farmem_queue *q,
		       struct farmem_request *req)
{
	farmem_piece_begin(p, q ? q->index : -1);
	if (unlikely(farmem_checksums_used(&p->volume->memory.checksums)) &&
	    p->op != FARMEM_OP_ZERO)
		farmem_checksum_begin(req);
	if (unlikely(!q))
		farmem_local_serve(req);
	else if (p->awaited)
		farmem_poll_request(q, req);
	else if (!farmem_batch_add(q, req))
		farmem_post_request(q, req);
}

/* By itself, so that a read builds no piece. */
static noinline void piece_settle_request(struct farmem_request *req, blk_status_t status)
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

/* As farmem_piece_end(); @counted: what counters and the trace say. */
static void piece_end_request(struct farmem_request *req, blk_status_t counted,
			      blk_status_t status)
{
	piece_count_end(req->volume, req->op, req->offset, req->bytes, counted);
	if (req->op != FARMEM_OP_READ)
		piece_settle_request(req, status);
}

/* Before anybody is told that it is over: its data may change then. */
static void piece_end_checksum(struct farmem_request *req, blk_status_t status)
{
	if (unlikely(req->checked) && req->op == FARMEM_OP_WRITE)
		farmem_checksum_end(req, status);
}

void farmem_piece_undo(struct farmem_request *req)
{
	piece_end_checksum(req, BLK_STS_TRANSPORT);
	/* What it says of its pages may be there, from before. */
	piece_end_request(req, BLK_STS_OK, BLK_STS_TRANSPORT);
}

blk_status_t farmem_piece_request_done(struct farmem_request *req,
				       blk_status_t status)
{
	struct farmem_volume *v = req->volume;

	WARN_ON_ONCE(req->send.mapped);	/* the pages' owner may free them */
	if (unlikely(req->delayed))
		farmem_stat_inc(v->stats, FARMEM_STAT_SHORTAGES);
	if (req->op == FARMEM_OP_READ)
		farmem_stat_inc(v->stats, farmem_request_awaited(req) ?
						  FARMEM_STAT_POLLED_READS :
						  FARMEM_STAT_IRQ_READS);
	if (unlikely(!status && req->lost)) {
		/* What came back is not what was written there. */
		farmem_stat_inc(v->stats, FARMEM_STAT_LOST_READS);
		status = BLK_STS_IOERR;
	}
	piece_end_checksum(req, status);
	piece_end_request(req, status, status);
	return status;
}

bool farmem_piece_page_is_zero(struct page *page, unsigned int offset)
{
	const void *data = kmap_local_page(page);
	bool zero = !memchr_inv(data + offset, 0, FARMEM_PAGE_SIZE);

	kunmap_local((void *)data);
	return zero;
}
