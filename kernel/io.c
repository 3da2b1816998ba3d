// SPDX-License-Identifier: GPL-2.0
/*
 * io.c - the I/O path: bounds, zeros, splitting, posting, completing.
 *
 * Every bio accepted holds a reference of volume->io until it is ended.  What
 * it needs comes from mempools: requests, and bios for splitting.
 */
#include <linux/blkdev.h>
#include <linux/highmem.h>

#include "batch.h"
#include "fault.h"
#include "io.h"
#include "local.h"
#include "trace.h"

#define SPLIT_BIOS 16

static struct bio_set split_bios;

static u64 first_page(u64 offset)
{
	return offset >> FARMEM_PAGE_SHIFT;
}

static void count_done(struct farmem_volume *v, enum farmem_op op, u64 offset,
		       u32 bytes, blk_status_t status)
{
	trace_farmem_complete(v->index, op, offset, bytes,
			      blk_status_to_errno(status));
	farmem_stat_inc(v->stats, FARMEM_STAT_COMPLETED);
	if (unlikely(status))
		farmem_stat_inc(v->stats, op == FARMEM_OP_READ ?
				FARMEM_STAT_READ_ERRORS :
				FARMEM_STAT_WRITE_ERRORS);
}

static void count_start(struct farmem_volume *v, enum farmem_op op, u64 offset,
			u32 bytes, int queue)
{
	trace_farmem_submit(v->index, op, offset, bytes, queue);
	farmem_stat_inc(v->stats, FARMEM_STAT_SUBMITTED);
	switch (op) {
	case FARMEM_OP_READ:
		farmem_stat_inc(v->stats, FARMEM_STAT_READS);
		farmem_stat_add(v->stats, FARMEM_STAT_READ_BYTES, bytes);
		break;
	case FARMEM_OP_WRITE:
		farmem_stat_inc(v->stats, FARMEM_STAT_WRITES);
		farmem_stat_add(v->stats, FARMEM_STAT_WRITE_BYTES, bytes);
		break;
	case FARMEM_OP_ZERO:
		farmem_stat_inc(v->stats, FARMEM_STAT_DISCARDS);
		break;
	}
}

/* The end of every bio: drops the reference that farmem_io_bio() took. */
static void end_bio(struct farmem_volume *v, struct bio *bio,
		    blk_status_t status)
{
	/* A piece that was split off may have failed before. */
	if (unlikely(status))
		bio->bi_status = status;
	bio_endio(bio);
	percpu_ref_put(&v->io);
}

/* Range bookkeeping of what was written; wakes who waited for the range. */
static void settle_zeromap(struct farmem_volume *v, enum farmem_op op,
			   struct farmem_zero_range *range, u64 offset,
			   u32 bytes, bool meta, blk_status_t status)
{
	struct bio_list blocked;
	unsigned long flags;

	if (!status && op == FARMEM_OP_WRITE)
		farmem_zeromap_written(&v->zeromap, first_page(offset),
				       first_page(bytes), meta);
	if (!meta)
		return;
	if (!status && op == FARMEM_OP_ZERO)
		farmem_zeromap_zeroed(&v->zeromap, first_page(offset),
				      first_page(bytes));
	farmem_zeromap_end(&v->zeromap, range, &blocked);
	if (bio_list_empty(&blocked))
		return;
	spin_lock_irqsave(&v->resubmit_lock, flags);
	bio_list_merge(&v->resubmit_bios, &blocked);
	spin_unlock_irqrestore(&v->resubmit_lock, flags);
	queue_work(farmem_wq, &v->resubmit);
}

/* What the ends of a bio's and a page's requests share. */
static void request_done(struct farmem_request *req, blk_status_t status)
{
	struct farmem_volume *v = req->volume;

	WARN_ON_ONCE(req->mapped);	/* the pages' owner may free them */
	if (unlikely(req->delayed))
		farmem_stat_inc(v->stats, FARMEM_STAT_SHORTAGES);
	if (req->op == FARMEM_OP_READ)
		farmem_stat_inc(v->stats, farmem_request_awaited(req) ?
						  FARMEM_STAT_POLLED_READS :
						  FARMEM_STAT_IRQ_READS);
	/* First, so that the trace shows it over before what waited begins. */
	count_done(v, req->op, req->offset, req->bytes, status);
	if (req->op != FARMEM_OP_READ)
		settle_zeromap(v, req->op, &req->zero_range, req->offset,
			       req->bytes, req->meta_pages, status);
}

static void bio_request_done(struct farmem_request *req, blk_status_t status)
{
	struct bio *bio = req->bio;

	request_done(req, status);
	bio_end_io_acct(bio, req->start);
	end_bio(req->volume, bio, status);
}

/*
 * A page that swap reads into its cache, locked, and without a plug: whoever
 * faulted waits for that lock next.  Readahead and madvise() plug around all that
 * they read.
 */
static bool faulted(struct bio *bio)
{
	return bio_op(bio) == REQ_OP_READ && !farmem_submitters_plug() &&
	       farmem_page_swapping(bio_iovec(bio).bv_page);
}

/*
 * Poll only on evidence that the submitter waits for this very bio: it is on
 * its own stack, the volume promises to complete in its context, or it is a page
 * fault's.
 */
static bool waited_for(const struct farmem_volume *v, struct bio *bio)
{
	return !(bio->bi_opf & REQ_NOWAIT) &&
	       (v->sync || object_is_on_stack(bio) || faulted(bio));
}

static enum farmem_queue_type queue_type(enum farmem_op op, bool awaited)
{
	if (op != FARMEM_OP_READ)
		return FARMEM_QUEUE_WRITE;
	return awaited ? FARMEM_QUEUE_POLL : FARMEM_QUEUE_READ;
}

static void post(struct farmem_queue *q, struct farmem_request *req,
		 bool awaited)
{
	if (awaited)
		farmem_queue_post_polled(q, req);
	else if (!farmem_batch_add(q, req))
		farmem_queue_post(q, req);
}

static void address(struct farmem_request *req, struct farmem_volume *v,
		    struct farmem_extent *extent, enum farmem_op op, u64 offset,
		    u32 bytes, bool meta)
{
	u64 within = offset - extent->start;

	req->op = op;
	req->volume = v;
	req->offset = offset;
	req->bytes = bytes;
	req->remote_addr = extent->addr + within;
	req->rkey = extent->rkey;
	if (!meta)
		return;
	req->meta_pages = first_page(bytes);
	req->meta_addr = extent->meta_addr + first_page(within);
	req->meta_rkey = extent->meta_rkey;
	req->zero_range.first = first_page(offset);
	req->zero_range.count = first_page(bytes);
}

static void remote_bio(struct farmem_volume *v, struct farmem_extent *extent,
		       struct bio *bio, enum farmem_op op, u64 offset,
		       u32 bytes, bool meta)
{
	struct farmem_session *s = extent->session;
	bool nowait = bio->bi_opf & REQ_NOWAIT;
	bool awaited = waited_for(v, bio);
	struct farmem_queue *q = farmem_session_queue(s, queue_type(op, awaited));
	struct farmem_request *req;

	req = farmem_request_alloc(s->requests, nowait ? GFP_NOWAIT : GFP_NOIO);
	if (unlikely(!req)) {
		end_bio(v, bio, BLK_STS_AGAIN);
		return;
	}
	address(req, v, extent, op, offset, bytes, meta);
	req->bio = bio;
	req->done = bio_request_done;
	if (meta && !farmem_zeromap_begin(&v->zeromap, &req->zero_range, bio)) {
		farmem_request_free(req);
		return;
	}
	count_start(v, op, offset, bytes, q->index);
	req->start = bio_start_io_acct(bio);
	post(q, req, awaited);
}

static void local_bio(struct farmem_volume *v, struct farmem_extent *extent,
		      struct bio *bio, enum farmem_op op, u64 offset,
		      u32 bytes, bool meta)
{
	u64 within = offset - extent->start;
	struct farmem_zero_range range = {
		.first = first_page(offset),
		.count = first_page(bytes),
	};
	unsigned long start;

	if (meta && !farmem_zeromap_begin(&v->zeromap, &range, bio))
		return;
	count_start(v, op, offset, bytes, -1);
	start = bio_start_io_acct(bio);
	if (op != FARMEM_OP_ZERO)
		farmem_local_copy_bio(bio, extent->data + within);
	if (meta)
		memset(extent->meta + first_page(within),
		       op == FARMEM_OP_ZERO ? FARMEM_PAGE_ZERO :
					      FARMEM_PAGE_DATA,
		       first_page(bytes));
	count_done(v, op, offset, bytes, BLK_STS_OK);
	if (op != FARMEM_OP_READ)
		settle_zeromap(v, op, &range, offset, bytes, meta, BLK_STS_OK);
	bio_end_io_acct(bio, start);
	end_bio(v, bio, BLK_STS_OK);
}

/* Zeros for pages that are known to be zero: no network. */
static void read_zeros(struct farmem_volume *v, struct bio *bio, u64 offset,
		       u32 bytes)
{
	unsigned long start;

	count_start(v, FARMEM_OP_READ, offset, bytes, -1);
	start = bio_start_io_acct(bio);
	zero_fill_bio(bio);
	farmem_stat_add(v->stats, FARMEM_STAT_ZERO_READS, first_page(bytes));
	count_done(v, FARMEM_OP_READ, offset, bytes, BLK_STS_OK);
	bio_end_io_acct(bio, start);
	end_bio(v, bio, BLK_STS_OK);
}

/* One page of zeros (kernels since 6.12 don't send swap's here). */
static bool zero_page(struct page *page, unsigned int offset)
{
	const void *data = kmap_local_page(page);
	bool zero = !memchr_inv(data + offset, 0, FARMEM_PAGE_SIZE);

	kunmap_local((void *)data);
	return zero;
}

static bool writes_zero_page(struct bio *bio)
{
	struct bio_vec bv = bio_iovec(bio);

	return bv.bv_len == FARMEM_PAGE_SIZE &&
	       zero_page(bv.bv_page, bv.bv_offset);
}

/*
 * Cut a bio to its first @bytes; the rest comes again as a bio of its own.
 * Return: the front, or NULL: ended, for want of memory (REQ_NOWAIT).
 */
static struct bio *front(struct farmem_volume *v, struct bio *bio, u32 bytes)
{
	bool nowait = bio->bi_opf & REQ_NOWAIT;
	struct bio *split;

	if (likely(bytes == bio->bi_iter.bi_size))
		return bio;
	split = bio_split(bio, bytes >> SECTOR_SHIFT,
			  nowait ? GFP_NOWAIT : GFP_NOIO, &split_bios);
	if (IS_ERR_OR_NULL(split)) {
		end_bio(v, bio, BLK_STS_AGAIN);
		return NULL;
	}
	bio_chain(split, bio);
	submit_bio_noacct(bio);
	return split;
}

static enum farmem_op op_of(struct bio *bio)
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

/* What one request can carry of page states: SGEs of one constant page. */
static u32 most_bytes(struct farmem_extent *extent, enum farmem_op op, u32 bytes)
{
	u64 most;

	if (op != FARMEM_OP_ZERO || extent->data)
		return bytes;
	most = (u64)READ_ONCE(extent->session->max_sge) * PAGE_SIZE
		<< FARMEM_PAGE_SHIFT;
	return min_t(u64, bytes, most);
}

/* How far from its start a bio can go in one piece. */
static u32 one_piece(struct farmem_volume *v, struct farmem_extent *extent,
		     enum farmem_op op, u64 offset, u32 bytes, bool *zero)
{
	*zero = false;
	if (op != FARMEM_OP_READ)
		return most_bytes(extent, op, bytes);
	return farmem_zeromap_run(&v->zeromap, first_page(offset),
				  first_page(bytes), zero) << FARMEM_PAGE_SHIFT;
}

static bool fails_on_purpose(struct farmem_volume *v, enum farmem_op op,
			     u64 offset, u32 bytes)
{
	if (!farmem_fault(op == FARMEM_OP_READ ? FARMEM_FAULT_READ :
						 FARMEM_FAULT_WRITE))
		return false;
	count_start(v, op, offset, bytes, -1);
	count_done(v, op, offset, bytes, BLK_STS_IOERR);
	return true;
}

/* Are page states to be written with it? */
static bool changes_states(struct farmem_volume *v, enum farmem_op op,
			   u64 offset, u32 bytes)
{
	if (op == FARMEM_OP_WRITE)
		return farmem_zeromap_stored(&v->zeromap, first_page(offset),
					     first_page(bytes));
	return op == FARMEM_OP_ZERO;
}

/* The bio is within one extent, and all of it is zeros to read or none. */
static void start_piece(struct farmem_volume *v, struct farmem_extent *extent,
			struct bio *bio, enum farmem_op op, u64 offset,
			u32 bytes, bool zero)
{
	bool meta;

	if (fails_on_purpose(v, op, offset, bytes)) {
		end_bio(v, bio, BLK_STS_IOERR);
		return;
	}
	if (zero) {
		read_zeros(v, bio, offset, bytes);
		return;
	}
	if (op == FARMEM_OP_WRITE && bytes == FARMEM_PAGE_SIZE &&
	    writes_zero_page(bio)) {
		op = FARMEM_OP_ZERO;
		farmem_stat_inc(v->stats, FARMEM_STAT_ZERO_WRITES);
	}
	meta = changes_states(v, op, offset, bytes);
	if (extent->data)
		local_bio(v, extent, bio, op, offset, bytes, meta);
	else
		remote_bio(v, extent, bio, op, offset, bytes, meta);
}

/* The bio holds a reference of v->io. */
static void start_bio(struct farmem_volume *v, struct bio *bio)
{
	u64 offset = (u64)bio->bi_iter.bi_sector << SECTOR_SHIFT;
	u32 bytes = bio->bi_iter.bi_size;
	enum farmem_op op = op_of(bio);
	struct farmem_extent *extent;
	bool zero;

	if (!bytes) {
		end_bio(v, bio, BLK_STS_OK);
		return;
	}
	extent = farmem_volume_map(v, offset, &bytes);
	if (unlikely(!extent || (offset | bytes) & (FARMEM_PAGE_SIZE - 1))) {
		end_bio(v, bio, BLK_STS_IOERR);
		return;
	}
	bytes = one_piece(v, extent, op, offset, bytes, &zero);
	bio = front(v, bio, bytes);
	if (bio)
		start_piece(v, extent, bio, op, offset, bytes, zero);
}

/* Where I/O will park while its session recovers; today it fails at once. */
static bool available(const struct farmem_volume *v)
{
	return farmem_session_live(v->session);
}

/* Here, and not further down: start_bio() is for what has waited already. */
static void throttle(struct farmem_volume *v, struct bio *bio)
{
	struct farmem_session *s = v->session;
	enum farmem_queue_type type = queue_type(op_of(bio), waited_for(v, bio));

	if (!s->local)
		farmem_queue_throttle(farmem_session_queue(s, type),
				      bio_op(bio) == REQ_OP_WRITE);
}

void farmem_io_bio(struct farmem_volume *v, struct bio *bio)
{
	if (unlikely(!percpu_ref_tryget_live(&v->io))) {
		bio_io_error(bio);
		return;
	}
	if (unlikely(!available(v))) {
		count_start(v, op_of(bio), 0, 0, -1);
		count_done(v, op_of(bio), 0, 0, BLK_STS_TRANSPORT);
		end_bio(v, bio, BLK_STS_TRANSPORT);
		return;
	}
	if (!(bio->bi_opf & REQ_NOWAIT))
		throttle(v, bio);
	start_bio(v, bio);
}

void farmem_io_resubmit(struct work_struct *work)
{
	struct farmem_volume *v =
		container_of(work, struct farmem_volume, resubmit);
	struct bio_list bios;
	struct bio *bio;

	spin_lock_irq(&v->resubmit_lock);
	bios = v->resubmit_bios;
	bio_list_init(&v->resubmit_bios);
	spin_unlock_irq(&v->resubmit_lock);
	while ((bio = bio_list_pop(&bios)))
		start_bio(v, bio);
}

struct page_wait {
	struct completion done;
	blk_status_t status;
};

static void page_request_done(struct farmem_request *req, blk_status_t status)
{
	struct page_wait *wait = req->private;

	request_done(req, status);
	wait->status = status;
	complete(&wait->done);
}

static struct farmem_request *page_request(struct farmem_volume *v,
					   struct farmem_extent *extent,
					   enum farmem_op op, u64 offset,
					   struct page *page)
{
	struct farmem_request *req;

	req = farmem_request_alloc(extent->session->requests, GFP_NOIO);
	address(req, v, extent, op, offset, PAGE_SIZE, false);
	req->page = page;
	return req;
}

static void post_page(struct farmem_request *req, struct farmem_session *s,
		      bool awaited)
{
	struct farmem_queue *q =
		farmem_session_queue(s, queue_type(req->op, awaited));

	count_start(req->volume, req->op, req->offset, PAGE_SIZE, q->index);
	post(q, req, awaited);
}

static int remote_page(struct farmem_volume *v, struct farmem_extent *extent,
		       enum farmem_op op, u64 offset, struct page *page)
{
	struct farmem_request *req = page_request(v, extent, op, offset, page);
	struct page_wait wait;

	init_completion(&wait.done);
	req->done = page_request_done;
	req->private = &wait;
	post_page(req, extent->session, true);
	wait_for_completion(&wait.done);
	return blk_status_to_errno(wait.status);
}

static int local_page(struct farmem_volume *v, struct farmem_extent *extent,
		      enum farmem_op op, u64 offset, struct page *page)
{
	void *data = extent->data + (offset - extent->start);
	void *addr = kmap_local_page(page);

	count_start(v, op, offset, PAGE_SIZE, -1);
	if (op == FARMEM_OP_READ)
		memcpy(addr, data, PAGE_SIZE);
	else
		memcpy(data, addr, PAGE_SIZE);
	kunmap_local(addr);
	if (op == FARMEM_OP_WRITE)
		settle_zeromap(v, op, NULL, offset, PAGE_SIZE, false,
			       BLK_STS_OK);
	count_done(v, op, offset, PAGE_SIZE, BLK_STS_OK);
	return 0;
}

static int start_page(struct farmem_volume *v, enum farmem_op op, u64 offset,
		      struct page *page)
{
	struct farmem_extent *extent;
	u32 bytes = PAGE_SIZE;
	bool zero;

	extent = farmem_volume_map(v, offset, &bytes);
	if (!extent || bytes != PAGE_SIZE)
		return -EIO;
	if (op == FARMEM_OP_READ) {
		farmem_zeromap_run(&v->zeromap, first_page(offset), 1, &zero);
		if (zero) {
			count_start(v, op, offset, PAGE_SIZE, -1);
			clear_highpage(page);
			farmem_stat_inc(v->stats, FARMEM_STAT_ZERO_READS);
			count_done(v, op, offset, PAGE_SIZE, BLK_STS_OK);
			return 0;
		}
	} else if (farmem_zeromap_stored(&v->zeromap, first_page(offset), 1)) {
		/* The state byte must be reset: the bio path does that. */
		return -EOPNOTSUPP;
	}
	if (extent->data)
		return local_page(v, extent, op, offset, page);
	return remote_page(v, extent, op, offset, page);
}

int farmem_io_page(struct farmem_volume *v, enum farmem_op op, u64 offset,
		   struct page *page)
{
	int err = -ENOTCONN;

	if (unlikely(!percpu_ref_tryget_live(&v->io)))
		return -EIO;
	if (likely(available(v)))
		err = start_page(v, op, offset, page);
	percpu_ref_put(&v->io);
	return err;
}

/* The end of every page that farmem_io_write_page() took on. */
static void end_page(struct farmem_volume *v, struct block_device *bdev,
		     struct page *page, unsigned long start, blk_status_t status)
{
	if (unlikely(status))
		pr_err_ratelimited("%s: writing a page failed\n", v->disk->disk_name);
	farmem_end_page_acct(bdev, true, start);
	farmem_end_page_write(page, blk_status_to_errno(status));
	percpu_ref_put(&v->io);
}

static void page_written(struct farmem_request *req, blk_status_t status)
{
	request_done(req, status);
	end_page(req->volume, req->private, req->page, req->start, status);
}

static bool has_room(struct farmem_session *s)
{
	return farmem_queue_has_room(farmem_session_queue(s, FARMEM_QUEUE_WRITE),
				     true);
}

/* Zeros, and pages whose state byte must be reset: the bio path does that. */
static int start_page_write(struct farmem_volume *v, struct block_device *bdev,
			    u64 offset, struct page *page)
{
	struct farmem_extent *extent;
	struct farmem_request *req;
	u32 bytes = PAGE_SIZE;
	unsigned long start;

	extent = farmem_volume_map(v, offset, &bytes);
	if (!extent || bytes != PAGE_SIZE)
		return -EIO;
	if (farmem_zeromap_stored(&v->zeromap, first_page(offset), 1) ||
	    zero_page(page, 0))
		return -EOPNOTSUPP;
	/* The page is locked: a bio can wait without that. */
	if (!extent->data && !has_room(extent->session))
		return -EAGAIN;

	start = farmem_start_page_acct(bdev, true);
	if (fails_on_purpose(v, FARMEM_OP_WRITE, offset, PAGE_SIZE)) {
		end_page(v, bdev, page, start, BLK_STS_IOERR);
	} else if (extent->data) {
		local_page(v, extent, FARMEM_OP_WRITE, offset, page);
		end_page(v, bdev, page, start, BLK_STS_OK);
	} else {
		farmem_begin_page_write(page);
		req = page_request(v, extent, FARMEM_OP_WRITE, offset, page);
		req->done = page_written;
		req->private = bdev;
		req->start = start;
		post_page(req, extent->session, false);
	}
	return 0;
}

int farmem_io_write_page(struct farmem_volume *v, struct block_device *bdev,
			 u64 offset, struct page *page)
{
	int err = -ENOTCONN;

	if (unlikely(!percpu_ref_tryget_live(&v->io)))
		return -EIO;
	if (likely(available(v)))
		err = start_page_write(v, bdev, offset, page);
	if (err)
		percpu_ref_put(&v->io);
	return err;
}

int farmem_io_init(void)
{
	return bioset_init(&split_bios, SPLIT_BIOS, 0, BIOSET_NEED_RESCUER);
}

void farmem_io_exit(void)
{
	bioset_exit(&split_bios);
}
