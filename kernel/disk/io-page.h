/* SPDX-License-Identifier: GPL-2.0 */
/*
 * io-page.h - from a page without a bio to a request.
 */
#ifndef FARMEM_IO_PAGE_H
#define FARMEM_IO_PAGE_H

#include "request.h"

struct block_device;
struct farmem_volume;
struct page;

/**
 * farmem_io_page() - read or write one page and wait for it
 * @v: the volume
 * @op: FARMEM_OP_READ or FARMEM_OP_WRITE
 * @offset: bytes, page-aligned
 * @page: PAGE_SIZE bytes
 *
 * For rw_page and frontswap.  On an error nothing was done to the page's
 * flags, and the caller falls back to a bio.
 *
 * Context: may sleep.
 * Return: 0, or a negative errno; -ENOTCONN while the session is not live.
 */
int farmem_io_page(struct farmem_volume *v, enum farmem_op op, u64 offset,
		   struct page *page);

/**
 * farmem_io_write_page() - start to write one page out
 * @v: the volume
 * @bdev: its disk, or a partition of it
 * @offset: bytes, page-aligned, from the disk's start
 * @page: locked, PAGE_SIZE bytes, its writeback begun
 *
 * For rw_page.  Ends the page's writeback when it is written, by this call or
 * later; a page of swap that could not be written is dirty again then.
 *
 * Context: may sleep.
 * Return: 0, or a negative errno: nothing was done, the caller's bio may follow.
 */
int farmem_io_write_page(struct farmem_volume *v, struct block_device *bdev,
			 u64 offset, struct page *page);

#endif /* FARMEM_IO_PAGE_H */
