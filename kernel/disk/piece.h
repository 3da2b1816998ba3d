/* SPDX-License-Identifier: GPL-2.0 */
/*
 * piece.h - a piece of I/O: of one kind, within one extent.
 *
 * What bios (io.c) and pages (io-page.c) have in common on their way to a
 * request and back.
 */
#ifndef FARMEM_PIECE_H
#define FARMEM_PIECE_H

#include "fault.h"
#include "request.h"
#include "session.h"
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
 * @queue: index of the one it goes to, -1: none
 */
void farmem_piece_begin(const struct farmem_piece *p, int queue);

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
	farmem_piece_begin(p, -1);
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
struct farmem_request *
farmem_piece_request(const struct farmem_piece *p,
		     const struct farmem_request_ops *ops, gfp_t gfp);

/**
 * farmem_piece_post() - begin it, and send its request off
 * @p: the piece
 * @q: from farmem_piece_queue(), on whatever CPU
 * @req: from farmem_piece_request(), with data
 *
 * Context: may sleep if it is awaited, and then it is over, or left to the
 * interrupt, when this returns; others may still wait in this task's plug.
 */
void farmem_piece_post(const struct farmem_piece *p, struct farmem_queue *q,
		       struct farmem_request *req);

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
blk_status_t farmem_piece_request_done(struct farmem_request *req,
				       blk_status_t status);

/** farmem_piece_page_is_zero() - are @page's FARMEM_PAGE_SIZE bytes at @offset 0? */
bool farmem_piece_page_is_zero(struct page *page, unsigned int offset);

#endif /* FARMEM_PIECE_H */
