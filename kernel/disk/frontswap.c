// SPDX-License-Identifier: GPL-2.0
/*
 * frontswap.c - frontswap for Linux 5.10: for compatibility, off by default.
 *
 * Built for 5.10 alone; frontswap-none.c stands in elsewhere.
 *
 * A page is stored only if its swap area is one of our own volumes, and then
 * at the very place where the block path would put it.  So a load that fails,
 * which the kernel answers by reading the swap device, finds the same bytes or
 * an error there, never someone else's.
 */
#include <linux/errno.h>
#include <linux/frontswap.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/swap.h>

#include "block.h"
#include "frontswap.h"
#include "io-page.h"

/* The volume behind the page's swap area and where its slot is, or NULL. */
static struct farmem_volume *front_find_slot(struct page *page, pgoff_t slot,
					     u64 *offset)
{
	struct inode *inode = __page_file_mapping(page)->host;
	struct block_device *bdev;

	if (!S_ISBLK(inode->i_mode))
		return NULL;
	bdev = I_BDEV(inode);
	*offset = ((u64)get_start_sect(bdev) << SECTOR_SHIFT) +
		  ((u64)slot << PAGE_SHIFT);
	return farmem_block_volume(bdev->bd_disk);
}

static int front_store(unsigned int type, pgoff_t slot, struct page *page)
{
	struct farmem_volume *v;
	u64 offset;

	/* The core would mark the head's slot alone. */
	if (PageTransHuge(page))
		return -EOPNOTSUPP;
	v = front_find_slot(page, slot, &offset);
	if (!v)
		return -ENODEV;
	return farmem_io_page(v, FARMEM_OP_WRITE, offset, page);
}

static int front_load(unsigned int type, pgoff_t slot, struct page *page)
{
	struct farmem_volume *v;
	u64 offset;

	v = front_find_slot(page, slot, &offset);
	if (!v)
		return -ENODEV;
	return farmem_io_page(v, FARMEM_OP_READ, offset, page);
}

/* Freed slots are told by swap_slot_free_notify. */
static void front_init(unsigned int type) { }
static void front_invalidate_page(unsigned int type, pgoff_t slot) { }
static void front_invalidate_area(unsigned int type) { }

static struct frontswap_ops ops = {
	.init = front_init,
	.store = front_store,
	.load = front_load,
	.invalidate_page = front_invalidate_page,
	.invalidate_area = front_invalidate_area,
};

const bool farmem_frontswap_available = true;

void farmem_frontswap_init(void)
{
	/* frontswap has no unregister: stay loaded for good. */
	__module_get(THIS_MODULE);
	frontswap_register_ops(&ops);
	pr_notice("frontswap is on: this module can no longer be unloaded\n");
}
