/* SPDX-License-Identifier: GPL-2.0 */
/*
 * piece.h - a piece of I/O: of one kind, within one extent.
 *
 * What bios (io.c) and pages (io-page.c) have in common on their way to a
 * request and back.  What builds and reads a piece is inline, so that a piece is
 * kept in registers.
 */
#ifndef FARMEM_PIECE_H
#define FARMEM_PIECE_H

#include "batch.h"
#include "fault.h"
#include "latency.h"
#include "poll.h"
#include "post.h"
#include "queue.h"
#include "request.h"
#include "session.h"
#include "trace.h"
#include "volume.h"

/**
 * struct farmem_piece - a piece of I/O
 * @volume: where
 * @extent: that all of it lies in
 * @op: what
 * @offset: bytes from the volume's start
 * @bytes: how many
 * @meta: it changes page states
 * @awaited: the submitter waits for it and nothing else: poll
 * @waiter: of a read: the task that sleeps until it is over, not killably, if that is known
 * @zeros: a FARMEM_OP_ZERO that was a write of zeros
 * @fault: a page fault's
 * @arrived: when its bio or page came (latency.h)
 */
struct farmem_piece {
	struct farmem_volume *volume;
	struct farmem_extent *extent;
	enum farmem_op op;
	u64 offset;
	u32 bytes;
	bool meta;
	bool awaited;
	bool zeros;
	bool fault;
	u64 arrived;
	struct task_struct *waiter;
};

/** farmem_piece_within() - its first byte, from the start of its extent. */
static inline u64 farmem_piece_within(const struct farmem_piece *p)
{
	return p->offset - p->extent->start;
}

/** farmem_piece_page() - the number of its first page in the volume. */
static inline u64 farmem_piece_page(const struct farmem_piece *p)
{
	return p->offset >> FARMEM_PAGE_SHIFT;
}

/** farmem_piece_pages() - how many pages it is. */
static inline u32 farmem_piece_pages(const struct farmem_piece *p)
{
	return p->bytes >> FARMEM_PAGE_SHIFT;
}

/** farmem_piece_queue() - where it goes from this CPU; NULL: server=local. */
static inline struct farmem_queue *
farmem_piece_queue(const struct farmem_piece *p)
{
	return farmem_session_queue(p->extent->session,
				    farmem_queue_type_of(p->op, p->awaited));
}

/**
 * farmem_piece_begin() - count and trace a piece
 * @p: the piece
 * @q: where it goes; NULL: it is served here
 */
static __always_inline void farmem_piece_begin(const struct farmem_piece *p,
					       const struct farmem_queue *q)
{
	struct farmem_stats __percpu *stats = p->volume->stats;

	if (trace_farmem_submit_enabled())
		trace_farmem_submit(p->volume->index, p->op, p->offset, p->bytes,
				    q ? q->index : -1);
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
	case FARMEM_OP_BARRIER:	/* no volume's */
		break;
	}
}

/* @fault and @arrived: for farmem_latency_end(). */
static inline void farmem_piece_count_end(struct farmem_volume *v, enum farmem_op op,
					  const bool *fault, const u64 *arrived,
					  blk_status_t status)
{
	struct farmem_stats __percpu *stats = v->stats;

	farmem_stat_inc(stats, FARMEM_STAT_COMPLETED);
	/* enum farmem_latency begins as enum farmem_op. */
	farmem_latency_end(stats, (enum farmem_latency)op, fault, arrived);
	if (unlikely(status))
		farmem_stat_inc(stats, op == FARMEM_OP_READ ?
				FARMEM_STAT_READ_ERRORS :
				FARMEM_STAT_WRITE_ERRORS);
}

/**
 * farmem_piece_end() - count, trace and settle a piece
 * @p: begun
 * @range: of page states, claimed with farmem_zeromap_begin(), if it has any
 * @status: how it went
 */
void farmem_piece_end(const struct farmem_piece *p,
		      struct farmem_zero_range *range, blk_status_t status);

/**
 * farmem_piece_fails() - does it fail on purpose, for a test?
 * @p: not begun
 *
 * Return: true: it was begun and ended.
 */
static inline bool farmem_piece_fails(const struct farmem_piece *p)
{
	if (!farmem_fault(p->op == FARMEM_OP_READ ? FARMEM_FAULT_READ :
						    FARMEM_FAULT_WRITE))
		return false;
	farmem_piece_begin(p, NULL);
	farmem_piece_end(p, NULL, BLK_STS_IOERR);
	return true;
}

/**
 * farmem_piece_request() - a request for it, with no data yet
 * @p: the piece
 * @ops: with farmem_prepare_request() and farmem_repost_request()
 * @gfp: as for farmem_request_alloc()
 *
 * Return: the request; NULL only with GFP_NOWAIT.
 */
static inline struct farmem_request *
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
	req->fault = p->fault;
	req->arrived = p->arrived;
	req->volume = p->volume;
	req->offset = p->offset;
	req->bytes = p->bytes;
	req->extent = p->extent;
	req->within = farmem_piece_within(p);
	req->repost.waiter = p->waiter;
	if (p->meta) {
		req->meta_pages = farmem_piece_pages(p);
		req->zero_range.first = farmem_piece_page(p);
		req->zero_range.count = farmem_piece_pages(p);
	}
	return req;
}

static inline void farmem_piece_route(struct farmem_queue *q, struct farmem_request *req,
				      bool awaited)
{
	if (awaited)
		farmem_poll_request(q, req);
	else if (!farmem_batch_add(q, req))
		farmem_post_request(q, req);
}

/* As farmem_piece_route(), of a volume with checksums, or on this machine. */
void farmem_piece_send_checked(struct farmem_queue *q, struct farmem_request *req, bool awaited);

/**
 * farmem_piece_post() - begin it, and send its request off
 * @p: the piece
 * @q: from farmem_piece_queue(), on whatever CPU
 * @req: from farmem_piece_request(), with data
 *
 * Context: may sleep if it is awaited, and then it is over, or left to the
 * interrupt, when this returns; others may still wait in this task's plug.
 */
static inline void farmem_piece_post(const struct farmem_piece *p, struct farmem_queue *q,
				     struct farmem_request *req)
{
	farmem_piece_begin(p, q);
	if (unlikely(!q || farmem_checksums_used(&p->volume->memory.checksums)))
		farmem_piece_send_checked(q, req, p->awaited);
	else
		farmem_piece_route(q, req, p->awaited);
}

/* What was written, settled: of a request's end. */
void farmem_piece_settle(struct farmem_request *req, blk_status_t status);

/* As farmem_piece_end(); @counted: what counters and the trace say. */
static inline void farmem_piece_end_request(struct farmem_request *req, blk_status_t counted,
					    blk_status_t status)
{
	/* Before anybody is told that it is over: its data may change then. */
	if (unlikely(req->checked) && req->op == FARMEM_OP_WRITE)
		farmem_checksum_end(req, status);
	farmem_piece_count_end(req->volume, req->op, &req->fault, &req->arrived, counted);
	/* What only the trace wants is loaded for it alone. */
	if (trace_farmem_complete_enabled())
		trace_farmem_complete(req->volume->index, req->op, req->offset, req->bytes,
				      counted);
	if (req->op != FARMEM_OP_READ)
		farmem_piece_settle(req, status);
}

/**
 * farmem_piece_undo() - end a request's piece, which is to begin anew
 * @req: unmapped, and in nobody's queue
 */
void farmem_piece_undo(struct farmem_request *req);

/**
 * farmem_piece_request_done() - the first half of every request's end
 * @req: being completed; whose data it was is told after this
 * @status: how it went
 *
 * Return: how it ends: what was read may be lost all the same.
 */
static inline blk_status_t farmem_piece_request_done(struct farmem_request *req,
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
	farmem_piece_end_request(req, status, status);
	return status;
}

/** farmem_piece_page_is_zero() - are @page's FARMEM_PAGE_SIZE bytes at @offset 0? */
bool farmem_piece_page_is_zero(struct page *page, unsigned int offset);

#endif /* FARMEM_PIECE_H */
