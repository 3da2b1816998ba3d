// SPDX-License-Identifier: GPL-2.0
/*
 * block.c - the bio-based disk: limits, operations, uevents.
 *
 * Stateless but for the disk numbers; bios go to io.c, single pages to io-page.c.
 */
#include <linux/blkdev.h>
#include <linux/idr.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/pagemap.h>

#include "block.h"
#include "disk-attr.h"
#include "fault.h"
#include "hibernate.h"
#include "io-page.h"
#include "io.h"

/* A transparent huge page in one work request. */
#define MAX_SECTORS ((2u << 20) >> SECTOR_SHIFT)

/* Discards and write-zeroes send page states only: as much as a bio can say. */
#define MAX_ZERO_SECTORS (round_down(UINT_MAX, FARMEM_PAGE_SIZE) >> SECTOR_SHIFT)

/* With so few SGEs a block in pieces of 512 bytes might not fit a request. */
#define FEW_SGES (FARMEM_PAGE_SIZE / SECTOR_SIZE)

static DEFINE_IDA(disk_numbers);

/* A disk's volume, for one that opens it: 5.10 may do so after the disk has gone. */
static DEFINE_SPINLOCK(disk_lock);

static bool block_has_few_sges(const struct farmem_volume *v)
{
	return v->memory.session->max_sge && v->memory.session->max_sge <= FEW_SGES;
}

/* The alignment that a disk of few SGEs asks for. */
static bool block_is_whole(struct bio *bio)
{
	struct bvec_iter iter;
	struct bio_vec bv;

	bio_for_each_bvec(bv, bio, iter)
		if ((bv.bv_offset | bv.bv_len) & (FARMEM_PAGE_SIZE - 1))
			return false;
	return true;
}

static void block_refuse(struct bio *bio, blk_status_t status)
{
	bio->bi_status = status;
	bio_endio(bio);
}

static void block_submit(struct bio *bio)
{
	struct farmem_volume *v = farmem_bio_disk(bio)->private_data;
	/* Of what is cut off below the flag says nothing. */
	bool cloned = bio_flagged(bio, BIO_CLONED);
	struct bio *piece = bio;

	switch (bio_op(bio)) {
	case REQ_OP_READ:
	case REQ_OP_WRITE:
		/* Not all ask for it.  A split at less than a block is a BUG in bio_split(). */
		if (unlikely(block_has_few_sges(v)) && !block_is_whole(bio)) {
			block_refuse(bio, BLK_STS_IOERR);
			return;
		}
		/* Into pieces that one work request can carry. */
		piece = bio_split_to_limits(bio);
		if (!piece)
			return;
		break;
	case REQ_OP_DISCARD:
	case REQ_OP_WRITE_ZEROES:
	case REQ_OP_FLUSH:
		break;
	default:
		block_refuse(bio, BLK_STS_NOTSUPP);
		return;
	}
	farmem_io_bio(v, piece, piece != bio, cloned);
}
FARMEM_SUBMIT_BIO_OP(block_submit)

static int block_open_volume(struct farmem_volume *v)
{
	if (farmem_hibernate_opens()) {
		pr_err("volume %s: hibernation to a volume is refused: its image could not be read again; give the kernel a swap area on a disk of this machine (resume=)\n",
		       v->name);
		return -EOPNOTSUPP;
	}
	return farmem_volume_opened(v);
}

static int block_open(struct gendisk *disk)
{
	struct farmem_volume *v;
	int err;

	spin_lock(&disk_lock);
	v = disk->private_data;
	err = v ? block_open_volume(v) : -ENXIO;
	spin_unlock(&disk_lock);
	return err;
}

static void block_release(struct gendisk *disk)
{
	farmem_volume_closed(disk->private_data);
}
FARMEM_OPEN_OPS(block_open, block_release)

/*
 * Swap's shortcut on Linux 6.0 to 6.2.  Reads are complete when this
 * returns: the page may not be in the swap cache, nobody else waits for it.
 * Writes end the page's writeback later.  An error leaves the page alone, a
 * bio follows: for files one that has many pages.
 */
static int block_rw_page(struct block_device *bdev, sector_t sector,
			 struct page *page, bool write)
{
	struct farmem_volume *v = bdev->bd_disk->private_data;
	u64 offset = (u64)sector << SECTOR_SHIFT;
	unsigned long start;
	int err;

	if (farmem_page_huge(page) || !farmem_page_of_swap(page))
		return -EOPNOTSUPP;
	if (write)
		return farmem_io_write_page(v, bdev, offset, page);
	start = farmem_start_page_acct(bdev, false);
	err = farmem_io_page(v, FARMEM_OP_READ, offset, page);
	farmem_end_page_acct(bdev, false, start);
	if (err)
		return -EOPNOTSUPP;
	farmem_page_read(page);
	return 0;
}
FARMEM_RW_PAGE_OP(block_rw_page)

/* Under swap's spinlocks: note it, no more. */
static void block_slot_free(struct block_device *bdev, unsigned long index)
{
	struct farmem_volume *v = bdev->bd_disk->private_data;

	index += get_start_sect(bdev) >> (FARMEM_PAGE_SHIFT - SECTOR_SHIFT);
	farmem_zeromap_freed(&v->memory.zeromap, index);
	farmem_stat_inc(v->stats, FARMEM_STAT_SLOT_FREES);
}

static const struct block_device_operations farmem_ops = {
	.owner = THIS_MODULE,
	.submit_bio = block_submit_op,
	.open = block_open_op,
	.release = block_release_op,
	FARMEM_RW_PAGE_FIELD(block_rw_page)
	.swap_slot_free_notify = block_slot_free,
};

struct farmem_volume *farmem_block_volume(struct gendisk *disk)
{
	return disk->fops == &farmem_ops ? disk->private_data : NULL;
}

static struct gendisk *block_alloc_disk(struct farmem_volume *v)
{
	struct queue_limits limits = {
		.logical_block_size = FARMEM_PAGE_SIZE,
		.physical_block_size = FARMEM_PAGE_SIZE,
		.io_min = FARMEM_PAGE_SIZE,
		.io_opt = FARMEM_PAGE_SIZE,
		.max_hw_sectors = MAX_SECTORS,
		.max_segments = v->memory.session->max_sge ?: BIO_MAX_VECS,
		.max_segment_size = v->memory.session->max_segment ?: UINT_MAX,
		.max_hw_discard_sectors = MAX_ZERO_SECTORS,
		.discard_granularity = FARMEM_PAGE_SIZE,
		.max_write_zeroes_sectors = MAX_ZERO_SECTORS,
	};

	return farmem_alloc_disk(&limits,
				 (v->memory.policy.sync ? FARMEM_DISK_SYNC : 0) |
				 (v->memory.want_checksums ? FARMEM_DISK_STABLE : 0),
				 (block_has_few_sges(v) ? FARMEM_PAGE_SIZE : SECTOR_SIZE) - 1);
}

static int block_add(struct farmem_volume *v)
{
	struct gendisk *disk;
	int err;

	err = ida_alloc(&disk_numbers, GFP_KERNEL);
	if (err < 0)
		return err;
	v->index = err;

	disk = block_alloc_disk(v);
	if (IS_ERR(disk)) {
		err = PTR_ERR(disk);
		goto free_number;
	}
	disk->fops = &farmem_ops;
	disk->private_data = v;
	snprintf(disk->disk_name, sizeof(disk->disk_name), "farmem%d",
		 v->index);
	set_capacity(disk, v->memory.size >> SECTOR_SHIFT);
	err = farmem_add_disk(disk, farmem_disk_groups);
	/* The block layer goes on without a name that it had no memory for. */
	if (err == -EINVAL && !dev_name(disk_to_dev(disk)))
		err = -ENOMEM;
	if (err)
		goto put_disk;
	v->disk = disk;
	return 0;

put_disk:
	put_disk(disk);
free_number:
	ida_free(&disk_numbers, v->index);
	return err;
}

static void block_remove(struct farmem_volume *v)
{
	farmem_del_disk(v->disk);
}

static void block_put(struct farmem_volume *v)
{
	spin_lock(&disk_lock);
	v->disk->private_data = NULL;
	spin_unlock(&disk_lock);
	put_disk(v->disk);
	v->disk = NULL;
	ida_free(&disk_numbers, v->index);
}

static void block_uevent(struct farmem_volume *v, const char *state)
{
	char volume[FARMEM_VOLUME_NAME_LEN + 16], is[32];
	char *env[] = { volume, is, NULL };

	snprintf(volume, sizeof(volume), "FARMEM_VOLUME=%s", v->name);
	snprintf(is, sizeof(is), "FARMEM_STATE=%s", state);
	farmem_fault_hold(FARMEM_FAULT_UEVENT);
	kobject_uevent_env(&disk_to_dev(v->disk)->kobj, KOBJ_CHANGE, env);
}

const struct farmem_disk_ops farmem_block_ops = {
	.add = block_add,
	.remove = block_remove,
	.put = block_put,
	.uevent = block_uevent,
	.resubmit = farmem_io_resubmit,
	.refuse = farmem_io_refuse,
};
