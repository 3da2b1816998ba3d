// SPDX-License-Identifier: GPL-2.0
/*
 * io-page.c - the path of one page without a bio: rw_page and frontswap.
 *
 * What a bio can do better is refused: a bio follows, or swap's own fallback.
 */
#include <linux/blkdev.h>
#include <linux/completion.h>
#include <linux/highmem.h>

#include "io-page.h"
#include "piece.h"
#include "prepare.h"
#include "queue.h"
#include "throttle.h"

struct page_wait {
	struct completion done;
	blk_status_t status;
};

/* Return: 0, or -EIO: not within the volume. */
static int io_page_find_piece(struct farmem_volume *v, enum farmem_op op, u64 offset,
			      struct farmem_piece *p)
{
	*p = (struct farmem_piece) {
		.volume = v,
		.op = op,
		.offset = offset,
		.bytes = PAGE_SIZE,
		.fault = op == FARMEM_OP_READ,
		.arrived = farmem_latency_begin(&v->latency),
	};
	p->extent = farmem_memory_map(&v->memory, offset, &p->bytes);
	return p->extent && p->bytes == PAGE_SIZE ? 0 : -EIO;
}

/* Its state byte on the server must be reset: the bio path does that. */
static bool io_page_resets_state(const struct farmem_piece *p)
{
	return p->op == FARMEM_OP_WRITE &&
	       farmem_zeromap_stored(&p->volume->memory.zeromap, farmem_piece_page(p), 1);
}

static struct farmem_request *io_page_request(const struct farmem_piece *p,
					      const struct farmem_request_ops *ops,
					      struct page *page)
{
	struct farmem_request *req = farmem_piece_request(p, ops, GFP_NOIO);

	req->data.page = page;
	req->opf = (p->op == FARMEM_OP_READ ? REQ_OP_READ : REQ_OP_WRITE) | REQ_SWAP;
	return req;
}

static void io_page_request_done(struct farmem_request *req, blk_status_t status)
{
	struct page_wait *wait = req->private;

	wait->status = farmem_piece_request_done(req, status);
	complete(&wait->done);
}

static const struct farmem_request_ops waited_ops = {
	.prepare = farmem_prepare_request,
	.park = farmem_repost_request,
	.verify = farmem_checksum_verify,
	.done = io_page_request_done,
};

static int io_page_wait_for(struct farmem_piece *p, struct page *page)
{
	struct farmem_request *req;
	struct page_wait wait;

	p->awaited = true;
	p->waiter = p->op == FARMEM_OP_READ ? current : NULL;
	req = io_page_request(p, &waited_ops, page);
	init_completion(&wait.done);
	req->private = &wait;
	farmem_piece_post(p, farmem_piece_queue(p), req);
	/* Killably: it may be long.  A killed task waits until the fence, or repost.c. */
	if (wait_for_completion_killable(&wait.done))
		wait_for_completion(&wait.done);
	return blk_status_to_errno(wait.status);
}

/* Return: false: the server has to be asked. */
static bool io_page_read_zero(const struct farmem_piece *p, struct page *page)
{
	bool zero;

	if (p->op != FARMEM_OP_READ)
		return false;
	farmem_zeromap_run(&p->volume->memory.zeromap, farmem_piece_page(p), 1, &zero);
	if (!zero)
		return false;
	farmem_piece_begin(p, NULL);
	clear_highpage(page);
	farmem_stat_inc(p->volume->stats, FARMEM_STAT_ZERO_READS);
	farmem_piece_end(p, NULL, BLK_STS_OK);
	return true;
}

static int io_page_do(struct farmem_volume *v, enum farmem_op op, u64 offset,
		      struct page *page)
{
	struct farmem_piece p;
	int err;

	err = io_page_find_piece(v, op, offset, &p);
	if (err)
		return err;
	if (io_page_resets_state(&p))
		return -EOPNOTSUPP;
	if (io_page_read_zero(&p, page))
		return 0;
	return io_page_wait_for(&p, page);
}

int farmem_io_page(struct farmem_volume *v, enum farmem_op op, u64 offset,
		   struct page *page)
{
	int err = -ENOTCONN;

	if (unlikely(!percpu_ref_tryget_live(&v->io)))
		return -EIO;
	if (likely(farmem_memory_live(&v->memory)))
		err = io_page_do(v, op, offset, page);
	percpu_ref_put(&v->io);
	return err;
}

/* The end of every page that farmem_io_write_page() took on. */
static void io_page_end_write(struct farmem_volume *v, struct block_device *bdev,
			      struct page *page, unsigned long start, blk_status_t status)
{
	if (unlikely(status))
		pr_err_ratelimited("%s: writing a page failed\n", bdev->bd_disk->disk_name);
	farmem_end_page_acct(bdev, true, start);
	farmem_end_page_write(page, blk_status_to_errno(status));
	percpu_ref_put(&v->io);
}

static void io_page_written(struct farmem_request *req, blk_status_t status)
{
	status = farmem_piece_request_done(req, status);
	io_page_end_write(req->volume, req->private, req->data.page, req->start, status);
}

static const struct farmem_request_ops write_ops = {
	.prepare = farmem_prepare_request,
	.park = farmem_repost_request,
	.verify = farmem_checksum_verify,
	.done = io_page_written,
};

static void io_page_post_write(const struct farmem_piece *p, struct block_device *bdev,
			       struct page *page, unsigned long start)
{
	struct farmem_request *req;

	req = io_page_request(p, &write_ops, page);
	req->private = bdev;
	req->start = start;
	farmem_piece_post(p, farmem_piece_queue(p), req);
}

static int io_page_start_write(struct farmem_volume *v, struct block_device *bdev,
			       u64 offset, struct page *page)
{
	struct farmem_queue *q;
	struct farmem_piece p;
	unsigned long start;
	int err;

	err = io_page_find_piece(v, FARMEM_OP_WRITE, offset, &p);
	if (err)
		return err;
	if (io_page_resets_state(&p) || farmem_piece_page_is_zero(page, 0))
		return -EOPNOTSUPP;
	/* The page is locked: a bio can wait without that. */
	q = farmem_piece_queue(&p);
	if (q && !farmem_throttle_has_room(q, farmem_throttle_most(q, true, FARMEM_PAGE_SIZE)))
		return -EAGAIN;

	start = farmem_start_page_acct(bdev, true);
	if (farmem_piece_fails(&p))
		io_page_end_write(v, bdev, page, start, BLK_STS_IOERR);
	else
		io_page_post_write(&p, bdev, page, start);
	return 0;
}

int farmem_io_write_page(struct farmem_volume *v, struct block_device *bdev,
			 u64 offset, struct page *page)
{
	int err = -ENOTCONN;

	if (unlikely(!percpu_ref_tryget_live(&v->io)))
		return -EIO;
	if (likely(farmem_memory_live(&v->memory)))
		err = io_page_start_write(v, bdev, offset, page);
	if (err)
		percpu_ref_put(&v->io);
	return err;
}
