// SPDX-License-Identifier: GPL-2.0
/*
 * io.c - the path of a bio: bounds, zeros, splitting, posting, completing.
 *
 * Every bio accepted holds a reference of volume->io until it is ended.  What
 * it needs comes from mempools: requests, and bios for splitting.
 */
#include <linux/blkdev.h>

#include "io.h"
#include "piece.h"
#include "prepare.h"
#include "queue.h"
#include "throttle.h"

/*
 * Its submitter reads and writes data elsewhere now.  md sets the flags on what it writes of
 * its own too, even to the last member: that tells nothing.
 */
static bool io_tells_of_another_copy(const struct bio *bio)
{
	return bio->bi_status == BLK_STS_TRANSPORT && (bio->bi_opf & REQ_FAILFAST_MASK) &&
	       !(bio->bi_opf & (REQ_META | REQ_PREFLUSH | REQ_FUA));
}

/* The end of every bio: drops the reference that farmem_io_bio() took. */
static void io_end_bio(struct farmem_volume *v, struct bio *bio,
		       blk_status_t status)
{
	if (unlikely(status)) {
		/* A piece that was split off may have failed before. */
		bio->bi_status = status;
		if (io_tells_of_another_copy(bio))
			farmem_park_note_failfast(v);
	}
	bio_endio(bio);
	percpu_ref_put(&v->io);
}

/* Its bio keeps its reference, and is cut anew.  By itself: its list needs a stack guard. */
static noinline void io_resplit(struct farmem_request *req)
{
	struct bio_list bios;

	farmem_piece_undo(req);
	bio_end_io_acct(req->data.bio, req->start);
	bio_list_init(&bios);
	bio_list_add(&bios, req->data.bio);
	farmem_volume_resubmit(req->volume, &bios);
}

static void io_request_done(struct farmem_request *req, blk_status_t status)
{
	struct bio *bio = req->data.bio;

	if (unlikely(status == BLK_STS_AGAIN)) {
		io_resplit(req);
		return;
	}
	status = farmem_piece_request_done(req, status);
	bio_end_io_acct(bio, req->start);
	io_end_bio(req->volume, bio, status);
}

static const struct farmem_request_ops bio_ops = {
	.prepare = farmem_prepare_request,
	.park = farmem_repost_request,
	.verify = farmem_checksum_verify,
	.done = io_request_done,
};

/*
 * A driver above (dm, md) clones bios, on nobody's stack, but a clone has the vector of the
 * bio that it was made of.  The submitter waits for all of them: polling for one would hold
 * back those behind it, as the second leg of a mirror.
 */
static bool io_is_awaited(const struct farmem_volume *v, const struct bio *bio, bool on_stack)
{
	if (on_stack || v->memory.policy.sync)
		return true;
	return object_is_on_stack(bio->bi_io_vec) && !farmem_submitter_has_more();
}

#define IO_FAULTS 1u	/* it is a page fault's */
#define IO_SLEEPS 2u	/* the submitter sleeps until it ends, not killably */
#define IO_FILLS 4u	/* a reader sleeps for the lock of its page in the page cache */
#define IO_POLLS 8u	/* the submitter waits for this bio and nothing else */

/*
 * What waits for a bio, only on evidence, and how.
 *
 * It is polled for if it or its vector lies on the submitter's own stack, if the volume
 * promises to complete in its submitters' context, or if it is a page fault's: a page that
 * swap reads into its cache, locked, and without a plug.  The faulting task waits for that
 * lock next.  Readahead and madvise() plug around all that they read (batch.c looks for the
 * page that was faulted on), or since 7.3 join pages in one bio, and a kernel thread reads
 * for another task (dm-crypt).
 *
 * A read sleeps not killably if its bio lies on a stack, or is ended by what lies there
 * (submit_bio_wait()) or by waking this task (direct I/O, and swap past its cache, before
 * 6.3).  Not into the swap cache: other tasks may wait for that page, and a read that was
 * given up would be an I/O error for them.
 *
 * A page of the page cache is waited for killably, but if nobody else has the disk open the
 * exit of a killed reader waits for its lock as well.  Others that want a page that was
 * given up read it again.  Not so a file system's metadata, whose error may end it, nor the
 * reads of a driver above (md, dm), which takes the error for the disk's.
 */
static unsigned int io_classify(const struct farmem_volume *v, struct bio *bio, bool cloned)
{
	bool on_stack = object_is_on_stack(bio);
	unsigned int waits = io_is_awaited(v, bio, on_stack) ? IO_POLLS : 0;
	struct page *page;

	if (bio_op(bio) != REQ_OP_READ)
		return waits;
	page = bio_iovec(bio).bv_page;
	if (farmem_page_swapping(page))
		return (current->flags & PF_KTHREAD) || farmem_submitters_plug() ||
			bio->bi_iter.bi_size > farmem_page_bytes(page) ?
			waits : waits | IO_POLLS | IO_FAULTS;
	if (v->memory.policy.sync && farmem_page_past_cache(page))
		waits |= IO_FAULTS;
	if (on_stack || bio->bi_private == current || object_is_on_stack(bio->bi_private))
		waits |= IO_SLEEPS;
	if (farmem_page_filling(page) && !(current->flags & PF_KTHREAD) &&
	    !cloned && !(bio->bi_opf & REQ_META))
		waits |= IO_FILLS;
	return waits;
}

/* Of a bio that has waited: its submitter has gone, but marked what it read ahead. */
static bool io_was_fault(struct bio *bio)
{
	struct page *page;

	if (bio_op(bio) != REQ_OP_READ || !bio->bi_iter.bi_size)
		return false;
	page = bio_iovec(bio).bv_page;
	return farmem_page_swapping(page) && !farmem_page_ahead(page);
}

static void io_post_bio(const struct farmem_piece *p, struct bio *bio)
{
	bool nowait = bio->bi_opf & REQ_NOWAIT;
	struct farmem_queue *q = farmem_piece_queue(p);
	struct farmem_request *req;

	req = farmem_piece_request(p, &bio_ops, nowait ? GFP_NOWAIT : GFP_NOIO);
	if (unlikely(!req)) {
		io_end_bio(p->volume, bio, BLK_STS_AGAIN);
		return;
	}
	req->data.bio = bio;
	req->opf = bio->bi_opf;
	if (p->meta &&
	    !farmem_zeromap_begin(&p->volume->memory.zeromap, &req->zero_range, bio)) {
		farmem_request_free(req);
		return;
	}
	req->start = bio_start_io_acct(bio);
	farmem_piece_post(p, q, req);
}

static enum farmem_op io_op_of(struct bio *bio)
{
	switch (bio_op(bio)) {
	case REQ_OP_READ:
		return FARMEM_OP_READ;
	case REQ_OP_WRITE:
		return FARMEM_OP_WRITE;
	default:
		return FARMEM_OP_ZERO;
	}
}

static struct farmem_piece io_piece_of(struct farmem_volume *v, struct bio *bio, u64 arrived)
{
	return (struct farmem_piece){
		.volume = v,
		.op = io_op_of(bio),
		.offset = (u64)bio->bi_iter.bi_sector << SECTOR_SHIFT,
		.bytes = bio->bi_iter.bi_size,
		.arrived = arrived,
	};
}

/*
 * Zeros for pages that are known to be zero: no network.  With a piece of its own, so that
 * no other path needs one in memory.
 */
static noinline void io_read_zeros(struct farmem_volume *v, struct bio *bio, bool fault,
				   u64 arrived)
{
	struct farmem_piece p = io_piece_of(v, bio, arrived);
	unsigned long start;

	p.fault = fault;
	farmem_piece_begin(&p, NULL);
	start = bio_start_io_acct(bio);
	zero_fill_bio(bio);
	farmem_stat_add(v->stats, FARMEM_STAT_ZERO_READS, farmem_piece_pages(&p));
	farmem_piece_end(&p, NULL, BLK_STS_OK);
	bio_end_io_acct(bio, start);
	io_end_bio(v, bio, BLK_STS_OK);
}

/* One page of zeros (kernels since 6.12 don't send swap's here). */
static bool io_writes_zero_page(const struct farmem_piece *p, struct bio *bio)
{
	struct bio_vec bv;

	if (p->op != FARMEM_OP_WRITE || p->bytes != FARMEM_PAGE_SIZE)
		return false;
	bv = bio_iovec(bio);
	return bv.bv_len == FARMEM_PAGE_SIZE &&
	       farmem_piece_page_is_zero(bv.bv_page, bv.bv_offset);
}

/*
 * Cut a bio to its first @bytes: @bio is the rest then, to be submitted once the front has
 * been started.  A task that holds a front would keep others from splitting.
 * Return: the front, or NULL: ended, for want of memory (REQ_NOWAIT).
 */
static struct bio *io_front(struct farmem_volume *v, struct bio *bio, u32 bytes)
{
	bool nowait = bio->bi_opf & REQ_NOWAIT;
	struct bio *split;

	if (likely(bytes == bio->bi_iter.bi_size))
		return bio;
	split = bio_split(bio, bytes >> SECTOR_SHIFT,
			  nowait ? GFP_NOWAIT : GFP_NOIO, &v->split_bios);
	if (IS_ERR_OR_NULL(split)) {
		io_end_bio(v, bio, BLK_STS_AGAIN);
		return NULL;
	}
	bio_chain(split, bio);
	return split;
}

/* What one request can carry of page states: SGEs of one constant page, or any number. */
static u32 io_most_bytes(const struct farmem_piece *p)
{
	u64 most;

	if (p->op != FARMEM_OP_ZERO)
		return p->bytes;
	most = (u64)READ_ONCE(p->extent->session->max_sge) * PAGE_SIZE
		<< FARMEM_PAGE_SHIFT;
	return min_not_zero((u64)p->bytes, most);
}

/* Cut @p to what goes in one; @zero: to zeros that are read. */
static void io_cut_piece(struct farmem_piece *p, bool *zero)
{
	*zero = false;
	if (p->op != FARMEM_OP_READ)
		p->bytes = io_most_bytes(p);
	else
		p->bytes = farmem_zeromap_run(&p->volume->memory.zeromap,
					      farmem_piece_page(p),
					      farmem_piece_pages(p), zero)
			   << FARMEM_PAGE_SHIFT;
}

/* Are page states to be written with it? */
static bool io_changes_states(const struct farmem_piece *p)
{
	if (p->op == FARMEM_OP_WRITE)
		return farmem_zeromap_stored(&p->volume->memory.zeromap,
					     farmem_piece_page(p),
					     farmem_piece_pages(p));
	return p->op == FARMEM_OP_ZERO;
}

/* @bio is the piece; all of it is zeros to read or none. */
static void io_start_piece(struct farmem_piece *p, struct bio *bio, bool zero)
{
	if (farmem_piece_fails(p)) {
		io_end_bio(p->volume, bio, BLK_STS_IOERR);
		return;
	}
	if (zero) {
		io_read_zeros(p->volume, bio, p->fault, p->arrived);
		return;
	}
	if (io_writes_zero_page(p, bio)) {
		p->op = FARMEM_OP_ZERO;
		p->zeros = true;
	}
	p->meta = io_changes_states(p);
	io_post_bio(p, bio);
}

/* The bio holds a reference of v->io. */
static void io_start_bio(struct farmem_volume *v, struct bio *bio, unsigned int waits,
			 u64 arrived)
{
	struct farmem_piece p = io_piece_of(v, bio, arrived);
	struct bio *piece;
	bool zero;

	if (!p.bytes) {
		io_end_bio(v, bio, BLK_STS_OK);
		return;
	}
	p.extent = farmem_memory_map(&v->memory, p.offset, &p.bytes);
	if (unlikely(!p.extent ||
		     (p.offset | p.bytes) & (FARMEM_PAGE_SIZE - 1))) {
		io_end_bio(v, bio, BLK_STS_IOERR);
		return;
	}
	io_cut_piece(&p, &zero);
	piece = io_front(v, bio, p.bytes);
	if (!piece)
		return;
	p.fault = waits & IO_FAULTS;
	/* Polling for the front would hold the rest back. */
	if (piece == bio) {
		p.awaited = waits & IO_POLLS;
		p.waiter = waits & IO_SLEEPS ? current : NULL;
	}
	io_start_piece(&p, piece, zero);
	if (piece != bio)
		submit_bio_noacct(bio);
}

/* Here, and not further down: io_start_bio() is for what has waited already. */
static void io_throttle(struct farmem_volume *v, struct bio *bio, bool awaited)
{
	enum farmem_queue_type type = farmem_queue_type_of(io_op_of(bio), awaited);
	struct farmem_queue *q = farmem_session_queue(v->memory.session, type);

	if (likely(q))
		farmem_throttle_wait(q, bio_op(bio) == REQ_OP_WRITE ?
				     farmem_throttle_most(q, bio->bi_opf & REQ_SWAP,
							  bio->bi_iter.bi_size) :
				     FARMEM_THROTTLE_READ);
}

void farmem_io_refuse(struct farmem_volume *v, struct bio *bio, u64 arrived)
{
	struct farmem_piece p = {
		.volume = v,
		.op = io_op_of(bio),
		.fault = io_was_fault(bio),
		.arrived = arrived,
	};

	farmem_piece_begin(&p, NULL);
	farmem_piece_end(&p, NULL, BLK_STS_TRANSPORT);
	io_end_bio(v, bio, BLK_STS_TRANSPORT);
}

/*
 * The memory cannot serve it now.  A submitter that would sleep anyway does so here, before
 * anything is posted: if it is killed, it may go.  Return: true: go on.
 */
static bool io_wait_for_session(struct farmem_volume *v, struct bio *bio, unsigned int waits,
				u64 arrived)
{
	enum farmem_verdict verdict = waits & (IO_SLEEPS | IO_FILLS) ?
		farmem_park_wait(v, bio->bi_opf) : farmem_park_bio(v, bio, arrived);

	if (verdict == FARMEM_VERDICT_FAIL)
		farmem_io_refuse(v, bio, arrived);
	return verdict == FARMEM_VERDICT_GO;
}

void farmem_io_bio(struct farmem_volume *v, struct bio *bio, bool split, bool cloned)
{
	unsigned int waits = 0;
	u64 arrived;

	if (unlikely(!percpu_ref_tryget_live(&v->io))) {
		bio_io_error(bio);
		return;
	}
	arrived = farmem_latency_begin(&v->latency);
	if (!(bio->bi_opf & REQ_NOWAIT)) {
		waits = io_classify(v, bio, cloned);
		/* Neither a front that was cut off nor the rest, to which it is chained. */
		if (split || bio_flagged(bio, BIO_CHAIN))
			waits &= ~IO_POLLS;
		io_throttle(v, bio, waits & IO_POLLS);
	}
	if (unlikely(!farmem_memory_live(&v->memory)) &&
	    !io_wait_for_session(v, bio, waits, arrived))
		return;
	io_start_bio(v, bio, waits, arrived);
}

void farmem_io_resubmit(struct farmem_volume *v, struct bio *bio, u64 arrived)
{
	io_start_bio(v, bio, io_was_fault(bio) ? IO_FAULTS : 0,
		     arrived ?: farmem_latency_begin(&v->latency));
}
