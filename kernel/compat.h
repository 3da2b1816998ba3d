/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat.h - everything that differs between the kernels farmem supports.
 *
 * Force-included by Kbuild.  The rest of the module is written against the
 * newest API; what an older kernel lacks is supplied here, and no other file
 * asks for it.  probes.mk looks into the kernel's headers and defines FARMEM_HAVE_*; each
 * shim says which release changed what.
 */
#ifndef FARMEM_COMPAT_H
#define FARMEM_COMPAT_H

/* Before any kernel header: this file is the first of every object. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/pagemap.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched/task_stack.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

/* 5.11: genhd.h was folded into blkdev.h, kmap_local_page() came. */
#if FARMEM_HAVE_GENHD_H
#include <linux/genhd.h>
#endif
#if !FARMEM_HAVE_KMAP_LOCAL
#include <linux/highmem.h>
static inline void *kmap_local_page(struct page *page)
{
	return page_address(page);	/* 64 bit only: no highmem */
}
#define kunmap_local(addr) ((void)(addr))
#endif

/* New releases have it, stable ones too: what need not be cleared on the stack. */
#ifndef __uninitialized
#if __has_attribute(__uninitialized__)
#define __uninitialized __attribute__((__uninitialized__))
#else
#define __uninitialized
#endif
#endif

/* 5.11: SHA-2 got a header of its own. */
#if FARMEM_HAVE_SHA2_H
#include <crypto/sha2.h>
#else
#include <crypto/sha.h>
#endif

/* 6.4: hex2bin() got a header of its own. */
#if FARMEM_HAVE_HEX_H
#include <linux/hex.h>
#endif

/* 5.12: a bio carries its block device, before that the disk. */
static inline struct gendisk *farmem_bio_disk(struct bio *bio)
{
#if FARMEM_HAVE_BIO_BDEV
	return bio->bi_bdev->bd_disk;
#else
	return bio->bi_disk;
#endif
}

/* 5.16: submit_bio returns nothing. */
#if FARMEM_HAVE_SUBMIT_VOID
#define FARMEM_SUBMIT_BIO_OP(fn)						\
	static void fn##_op(struct bio *bio) { fn(bio); }
#else
#define FARMEM_SUBMIT_BIO_OP(fn)						\
	static blk_qc_t fn##_op(struct bio *bio)			\
	{								\
		fn(bio);						\
		return BLK_QC_T_NONE;					\
	}
#endif

/* 6.5: open() and release() work on the disk, with a mode type of their own. */
#if FARMEM_HAVE_OPEN_DISK
#define FARMEM_OPEN_OPS(opened, closed)					\
	static int opened##_op(struct gendisk *disk, blk_mode_t mode)	\
	{								\
		return opened(disk);					\
	}								\
	static void closed##_op(struct gendisk *disk) { closed(disk); }
#else
#define FARMEM_OPEN_OPS(opened, closed)					\
	static int opened##_op(struct block_device *bdev, fmode_t mode)	\
	{								\
		return opened(bdev->bd_disk);				\
	}								\
	static void closed##_op(struct gendisk *disk, fmode_t mode)	\
	{								\
		closed(disk);						\
	}
#endif

/* 6.2: timer_delete() is the new name of del_timer(), which 6.15 took away. */
#if !FARMEM_HAVE_TIMER_DELETE
#define timer_delete del_timer
#define timer_delete_sync del_timer_sync
#endif

/* 6.0: bio_split_to_limits() replaced blk_queue_split(). */
#if !FARMEM_HAVE_SPLIT_TO_LIMITS
static inline struct bio *bio_split_to_limits(struct bio *bio)
{
	blk_queue_split(&bio);
	return bio;
}
#endif

/* 6.0: a bio's operation and flags got a type. */
#if !FARMEM_HAVE_OPF
typedef unsigned int blk_opf_t;
#endif

/*
 * 6.0..6.2: rw_page, see block.c.  Earlier kernels have it as well, with another type
 * of op, and lose writes where a disk offers it: docs/design/decisions/032-no-rw-page-before-6.0.md.
 */
#if FARMEM_HAVE_RW_PAGE
#define FARMEM_RW_PAGE_OP(fn)						\
	static int fn##_op(struct block_device *bdev, sector_t sector,	\
			   struct page *page, enum req_op op)		\
	{								\
		return fn(bdev, sector, page, op_is_write(op));		\
	}
#define FARMEM_RW_PAGE_FIELD(fn) .rw_page = fn##_op,

static inline void farmem_page_read(struct page *page)
{
	page_endio(page, false, 0);
}

/*
 * The end of a page's writeback that rw_page began.  page_endio() alone would
 * leave a page clean that is nowhere but here; swap's own bios end like this.
 */
static inline void farmem_end_page_write(struct page *page, int err)
{
	if (unlikely(err) && PageSwapCache(page)) {
		SetPageError(page);
		set_page_dirty(page);
		ClearPageReclaim(page);
		end_page_writeback(page);
	} else {
		page_endio(page, true, err);
	}
}
#else
#define FARMEM_RW_PAGE_OP(fn)						\
	static inline void fn##_unused(void) { (void)fn; }
#define FARMEM_RW_PAGE_FIELD(fn)
static inline void farmem_page_read(struct page *page) { }
static inline void farmem_end_page_write(struct page *page, int err) { }
#endif

/* A huge page came to rw_page by its head; 6.3+ has neither. */
static inline bool farmem_page_huge(struct page *page)
{
#if FARMEM_HAVE_RW_PAGE
	return PageTransHuge(page);
#else
	return false;
#endif
}

/* File systems try rw_page too, page by page (fs/mpage.c). */
static inline bool farmem_page_of_swap(struct page *page)
{
#if FARMEM_HAVE_RW_PAGE
	/* In the swap cache, or on the way past it and nobody's yet. */
	return PageSwapCache(page) || !page->mapping;
#else
	return false;
#endif
}

/*
 * The submitter's plug, or NULL.  6.10: the block layer plugs around each
 * bio by itself, which gathers nothing; its plug lies deeper in the stack than
 * the list of bios that submit_bio_noacct() keeps.
 */
static inline struct blk_plug *farmem_submitters_plug(void)
{
	struct blk_plug *plug = current->plug;

	if (plug && object_is_on_stack(plug) &&
	    (unsigned long)plug < (unsigned long)current->bio_list)
		return NULL;
	return plug;
}

/*
 * Do more bios of this task wait until the one that is being submitted is?  A driver above
 * submits several at once, which submit_bio_noacct() keeps in two lists.
 */
static inline bool farmem_submitter_has_more(void)
{
	const struct bio_list *bios = current->bio_list;

	return bios && !(bio_list_empty(&bios[0]) && bio_list_empty(&bios[1]));
}

/* Is swap reading this page into its cache?  5.16: folios, 6.12: they alone tell. */
static inline bool farmem_page_swapping(struct page *page)
{
#if FARMEM_HAVE_FOLIO
	struct folio *folio = page_folio(page);

	return folio_test_swapcache(folio) && folio_test_locked(folio);
#else
	return PageSwapCache(page) && PageLocked(page);
#endif
}

/*
 * Of a window that swap reads: is this page not the one that the task faulted on?  The
 * kernel marks the others (mm/swap_state.c).
 */
static inline bool farmem_page_ahead(struct page *page)
{
#if FARMEM_HAVE_FOLIO
	return folio_test_readahead(page_folio(page));
#else
	return PageReadahead(page);
#endif
}

/* Is swap reading this page past its cache, for a fault?  6.11: on a synchronous disk. */
static inline bool farmem_page_past_cache(struct page *page)
{
#if FARMEM_HAVE_SYNC
	struct folio *folio = page_folio(page);

	return folio_test_locked(folio) && folio_test_swapbacked(folio) && !folio->mapping;
#else
	return false;
#endif
}

/* Bytes of the page or folio that this page belongs to. */
static inline size_t farmem_page_bytes(struct page *page)
{
#if FARMEM_HAVE_FOLIO
	return folio_size(page_folio(page));
#else
	return page_size(compound_head(page));
#endif
}

/* Is this page being read into the page cache, of a file or of the disk itself? */
static inline bool farmem_page_filling(struct page *page)
{
#if FARMEM_HAVE_FOLIO
	struct folio *folio = page_folio(page);

	return folio_test_locked(folio) && !folio_test_uptodate(folio) &&
	       !folio_test_swapcache(folio);
#else
	return PageLocked(page) && !PageUptodate(page) && !PageSwapCache(page);
#endif
}

/*
 * farmem_wait_freezable() - wait_event_killable(), in which a task may be frozen as well.
 * 6.1: that is a state to sleep in; before, the freezer is told not to count the task.
 * The task may hold locks, of a file or an address space. What waits for those cannot be
 * frozen, and could not be before.
 */
#if FARMEM_HAVE_WAIT_FREEZABLE
#define farmem_wait_freezable(wq, condition)				\
	wait_event_state(wq, condition, (TASK_KILLABLE | TASK_FREEZABLE_UNSAFE))
#else
#include <linux/freezer.h>
#define farmem_wait_freezable(wq, condition)				\
({									\
	int ret_ = 0;							\
									\
	might_sleep();							\
	if (!(condition))						\
		ret_ = ___wait_event(wq, condition, TASK_KILLABLE, 0, 0, \
				     freezable_schedule_unsafe());	\
	ret_;								\
})
#endif

/* Accounting of rw_page's pages, of which the block layer does none. */
static inline unsigned long farmem_start_page_acct(struct block_device *bdev,
						   bool write)
{
#if FARMEM_HAVE_RW_PAGE
	return bdev_start_io_acct(bdev, PAGE_SIZE >> SECTOR_SHIFT,
				  write ? REQ_OP_WRITE : REQ_OP_READ, jiffies);
#else
	return 0;
#endif
}

static inline void farmem_end_page_acct(struct block_device *bdev, bool write,
					unsigned long start)
{
#if FARMEM_HAVE_RW_PAGE
	bdev_end_io_acct(bdev, write ? REQ_OP_WRITE : REQ_OP_READ, start);
#endif
}

/*
 * 6.9: blk_alloc_disk() takes the limits, 6.11: and features; 5.14: there was
 * no blk_alloc_disk().  6.1: the alignment is one of the limits.
 * @features: FARMEM_DISK_*; @dma_alignment: a mask.
 */
#define FARMEM_DISK_SYNC 1u
#define FARMEM_DISK_STABLE 2u	/* pages do not change while they are written */

static inline struct gendisk *farmem_alloc_disk(struct queue_limits *lim,
						unsigned int features,
						unsigned int dma_alignment)
{
#if FARMEM_HAVE_DISK_FEATURES
	lim->dma_alignment = dma_alignment;
	lim->max_user_sectors = lim->max_hw_sectors;
	lim->features = BLK_FEAT_NOWAIT;
#if FARMEM_HAVE_SYNC
	if (features & FARMEM_DISK_SYNC)
		lim->features |= BLK_FEAT_SYNCHRONOUS;
#endif
	if (features & FARMEM_DISK_STABLE)
		lim->features |= BLK_FEAT_STABLE_WRITES;
	return blk_alloc_disk(lim, NUMA_NO_NODE);
#else
	struct request_queue *q;
	struct gendisk *disk;

#if FARMEM_HAVE_ALLOC_DISK
	disk = blk_alloc_disk(NUMA_NO_NODE);
	if (!disk)
		return ERR_PTR(-ENOMEM);
	q = disk->queue;
#else
	disk = alloc_disk(0);
	if (!disk)
		return ERR_PTR(-ENOMEM);
	q = blk_alloc_queue(NUMA_NO_NODE);
	if (!q) {
		put_disk(disk);
		return ERR_PTR(-ENOMEM);
	}
	disk->queue = q;
	disk->flags |= GENHD_FL_EXT_DEVT;
	blk_queue_flag_set(QUEUE_FLAG_DISCARD, q);
#endif
	blk_queue_logical_block_size(q, lim->logical_block_size);
	blk_queue_physical_block_size(q, lim->physical_block_size);
	blk_queue_io_min(q, lim->io_min);
	blk_queue_io_opt(q, lim->io_opt);
	blk_queue_max_hw_sectors(q, lim->max_hw_sectors);
	q->limits.max_sectors = lim->max_hw_sectors;
	blk_queue_max_segments(q, lim->max_segments);
	blk_queue_max_segment_size(q, lim->max_segment_size);
	blk_queue_max_discard_sectors(q, lim->max_hw_discard_sectors);
	blk_queue_max_write_zeroes_sectors(q, lim->max_write_zeroes_sectors);
	blk_queue_dma_alignment(q, dma_alignment);
	q->limits.discard_granularity = lim->discard_granularity;
	blk_queue_flag_set(QUEUE_FLAG_NONROT, q);
	blk_queue_flag_set(QUEUE_FLAG_NOWAIT, q);
	blk_queue_flag_clear(QUEUE_FLAG_ADD_RANDOM, q);
	if (features & FARMEM_DISK_STABLE)
		blk_queue_flag_set(QUEUE_FLAG_STABLE_WRITES, q);
	return disk;
#endif
}

/* 5.15: adding a disk can fail. */
static inline int farmem_add_disk(struct gendisk *disk,
				  const struct attribute_group **groups)
{
#if FARMEM_HAVE_ADD_DISK_FAILS
	return device_add_disk(NULL, disk, groups);
#else
	device_add_disk(NULL, disk, groups);
	return 0;
#endif
}

/* 5.13: the name tells what it counts. */
#if !FARMEM_HAVE_BIO_MAX_VECS
#define BIO_MAX_VECS BIO_MAX_PAGES
#endif

/*
 * Remove a disk; when this returns nobody is inside submit_bio any more.
 * 5.14: the disk owns its queue, del_gendisk() waits for submitters.
 */
static inline void farmem_del_disk(struct gendisk *disk)
{
	del_gendisk(disk);
#if !FARMEM_HAVE_ALLOC_DISK
	blk_cleanup_queue(disk->queue);
#endif
}

/* 6.10: __assign_str() finds the source by itself. */
#if FARMEM_HAVE_ASSIGN_STR_ONE
#define farmem_assign_str(dst, src) __assign_str(dst)
#else
#define farmem_assign_str(dst, src) __assign_str(dst, src)
#endif

/*
 * The CPU's cycle counter: farmem_cycles_khz() is its rate, or 0 if the kernel's own clock
 * does not count on it, being the same on all CPUs.
 */
#ifdef CONFIG_X86_64
#include <asm/msr.h>
#include <asm/tsc.h>

static __always_inline u64 farmem_cycles(void)
{
	return rdtsc();
}

static inline unsigned int farmem_cycles_khz(void)
{
	return check_tsc_unstable() ? 0 : tsc_khz;
}
#else
static __always_inline u64 farmem_cycles(void)
{
	return 0;
}

static inline unsigned int farmem_cycles_khz(void)
{
	return 0;
}
#endif

#endif /* FARMEM_COMPAT_H */
