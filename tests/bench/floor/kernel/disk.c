// SPDX-License-Identifier: GPL-2.0
/*
 * disk.c - /dev/floor0: the least that a block device over RDMA can do.
 *
 * A bio is one work request on one queue pair, taken from a table as long as
 * the send queue; a task that finds the table empty waits.  Completions come by
 * IB_POLL_SOFTIRQ.  No polling, no batching, no statistics.
 *
 * The lock guards the list of free ones and is held over posting.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "disk.h"

#define BLOCK_SIZE_BYTES 4096u
#define MAX_SGE 32

/* As farmem's disk has it: a transparent huge page in one work request. */
#define MAX_SECTORS ((2u << 20) >> SECTOR_SHIFT)
#define CHUNK_SECTORS (FLOOR_CHUNK_SIZE >> SECTOR_SHIFT)

struct io {
	struct ib_cqe cqe;
	struct io *next;
	struct bio *bio;
	struct ib_rdma_wr wr;
	struct ib_sge sge[MAX_SGE];
};

static struct floor_link link;
static const struct floor_remote *remote;
static struct gendisk *disk;
static struct bio_set splits;
static struct io *ios;

static DEFINE_SPINLOCK(lock);
static struct io *unused;
static DECLARE_WAIT_QUEUE_HEAD(room);

static enum dma_data_direction direction(const struct bio *bio)
{
	return op_is_write(bio_op(bio)) ? DMA_TO_DEVICE : DMA_FROM_DEVICE;
}

static void unmap(struct io *io)
{
	int i;

	for (i = 0; i < io->wr.wr.num_sge; i++)
		ib_dma_unmap_page(link.id->device, io->sge[i].addr,
				  io->sge[i].length, direction(io->bio));
}

/* The disk's limits keep a bio within the link's SGEs. */
static int map(struct io *io)
{
	struct ib_sge *sge = io->sge;
	struct bvec_iter iter;
	struct bio_vec bv;

	io->wr.wr.num_sge = 0;
	bio_for_each_bvec(bv, io->bio, iter) {
		sge->addr = ib_dma_map_page(link.id->device, bv.bv_page,
					    bv.bv_offset, bv.bv_len,
					    direction(io->bio));
		if (unlikely(ib_dma_mapping_error(link.id->device, sge->addr))) {
			unmap(io);
			return -ENOMEM;
		}
		sge->length = bv.bv_len;
		sge->lkey = link.pd->local_dma_lkey;
		sge++;
		io->wr.wr.num_sge++;
	}
	return 0;
}

/* lock held */
static void put_io(struct io *io)
{
	io->bio = NULL;
	io->next = unused;
	unused = io;
}

static void io_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct io *io = container_of(wc->wr_cqe, struct io, cqe);
	struct bio *bio = io->bio;

	unmap(io);
	if (unlikely(wc->status != IB_WC_SUCCESS))
		bio->bi_status = BLK_STS_IOERR;
	spin_lock(&lock);
	put_io(io);
	spin_unlock(&lock);
	if (wq_has_sleeper(&room))
		wake_up(&room);
	bio_endio(bio);
}

static u64 remote_address(sector_t sector)
{
	return le64_to_cpu(remote->chunks[sector / CHUNK_SECTORS]) +
	       (sector % CHUNK_SECTORS << SECTOR_SHIFT);
}

/* lock held */
static int post(struct io *io, struct bio *bio)
{
	int err;

	io->bio = bio;
	err = map(io);
	if (unlikely(err))
		return err;
	io->wr.wr.opcode = op_is_write(bio_op(bio)) ? IB_WR_RDMA_WRITE :
						       IB_WR_RDMA_READ;
	io->wr.remote_addr = remote_address(bio->bi_iter.bi_sector);
	err = ib_post_send(link.qp, &io->wr.wr, NULL);
	if (unlikely(err))
		unmap(io);
	return err;
}

/* False if the bio may not wait: then it is ended. */
static bool wait_for_room(struct bio *bio)
{
	if (bio->bi_opf & REQ_NOWAIT) {
		bio_wouldblock_error(bio);
		return false;
	}
	wait_event(room, READ_ONCE(unused));
	return true;
}

static void transfer(struct bio *bio)
{
	struct io *io;
	int err;

	spin_lock_bh(&lock);
	while (unlikely(!unused)) {
		spin_unlock_bh(&lock);
		if (!wait_for_room(bio))
			return;
		spin_lock_bh(&lock);
	}
	io = unused;
	unused = io->next;
	err = post(io, bio);
	if (unlikely(err))
		put_io(io);
	/* Up to 6.1 soft-RoCE does all its work as this section ends. */
	spin_unlock_bh(&lock);
	if (unlikely(err))
		bio_io_error(bio);
}

/* Rarely a bio lies across two chunks of the server's memory. */
static struct bio *within_chunk(struct bio *bio)
{
	unsigned int left = CHUNK_SECTORS - bio->bi_iter.bi_sector % CHUNK_SECTORS;
	struct bio *first;

	if (likely(bio_sectors(bio) <= left))
		return bio;
	first = bio_split(bio, left, GFP_NOIO, &splits);
	bio_chain(first, bio);
	submit_bio_noacct(bio);
	return first;
}

static void submit(struct bio *bio)
{
	if (unlikely(bio_op(bio) != REQ_OP_READ && bio_op(bio) != REQ_OP_WRITE)) {
		bio->bi_status = BLK_STS_NOTSUPP;
		bio_endio(bio);
		return;
	}
	bio = bio_split_to_limits(bio);
	if (likely(bio))
		transfer(within_chunk(bio));
}
FARMEM_SUBMIT_BIO_OP(submit)

static const struct block_device_operations disk_ops = {
	.owner = THIS_MODULE,
	.submit_bio = submit_op,
};

static int build_ios(void)
{
	unsigned int i;

	ios = kvcalloc(FLOOR_DEPTH_MAX, sizeof(*ios), GFP_KERNEL);
	if (!ios)
		return -ENOMEM;
	unused = NULL;
	for (i = 0; i < FLOOR_DEPTH_MAX; i++) {
		struct io *io = &ios[i];

		io->cqe.done = io_done;
		io->wr.wr.wr_cqe = &io->cqe;
		io->wr.wr.sg_list = io->sge;
		io->wr.wr.send_flags = IB_SEND_SIGNALED;
		io->wr.rkey = remote->rkey;
		put_io(io);
	}
	return 0;
}

static int add_disk_for_link(void)
{
	struct queue_limits limits = {
		.logical_block_size = BLOCK_SIZE_BYTES,
		.physical_block_size = BLOCK_SIZE_BYTES,
		.io_min = BLOCK_SIZE_BYTES,
		.io_opt = BLOCK_SIZE_BYTES,
		.max_hw_sectors = MAX_SECTORS,
		.max_segments = link.max_sge,
		.max_segment_size = round_down(UINT_MAX, PAGE_SIZE),
	};
	/* With few SGEs a block of 512-byte pieces would not fit a request. */
	bool few = limits.max_segments <= BLOCK_SIZE_BYTES / SECTOR_SIZE;
	int err;

	disk = farmem_alloc_disk(&limits, 0,
				 (few ? BLOCK_SIZE_BYTES : SECTOR_SIZE) - 1);
	if (IS_ERR(disk))
		return PTR_ERR(disk);
	disk->fops = &disk_ops;
	strscpy(disk->disk_name, "floor0", sizeof(disk->disk_name));
	set_capacity(disk, floor_remote_size(remote) >> SECTOR_SHIFT);
	err = farmem_add_disk(disk, NULL);
	if (err)
		put_disk(disk);
	return err;
}

int floor_disk_start(const char *where, const struct floor_remote *lent)
{
	int err;

	remote = lent;
	err = floor_link_open(&link, where, IB_POLL_SOFTIRQ, MAX_SGE);
	if (err)
		return err;
	err = build_ios();
	if (err)
		goto close_link;
	err = bioset_init(&splits, 16, 0, 0);
	if (err)
		goto free_ios;
	err = add_disk_for_link();
	if (!err)
		return 0;
	pr_err("no disk (%d)\n", err);
	bioset_exit(&splits);
free_ios:
	kvfree(ios);
close_link:
	floor_link_close(&link);
	return err;
}

/* What the queue pair took to its grave without a completion. */
static void end_leftovers(void)
{
	unsigned int i;

	for (i = 0; i < FLOOR_DEPTH_MAX; i++) {
		if (!ios[i].bio)
			continue;
		unmap(&ios[i]);
		bio_io_error(ios[i].bio);
	}
}

void floor_disk_stop(void)
{
	farmem_del_disk(disk);
	floor_link_break(&link);
	end_leftovers();
	put_disk(disk);
	floor_link_close(&link);
	bioset_exit(&splits);
	kvfree(ios);
}
