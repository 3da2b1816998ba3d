/* SPDX-License-Identifier: GPL-2.0 */
/*
 * checksum.h - does a page read as it was written?
 */
#ifndef FARMEM_CHECKSUM_H
#define FARMEM_CHECKSUM_H

#include <linux/atomic.h>
#include <linux/bio.h>
#include <linux/compiler.h>
#include <linux/types.h>

struct farmem_request;

/* farmem_request.checked */
#define FARMEM_CHECKED 1	/* its pages have checksums */
#define FARMEM_CHECKED_AGAIN 2	/* and it is the second look at them */

/**
 * struct farmem_checksums - four bytes a page
 * @chunks: words of pages, 64 KiB each; NULL: the volume has none, the usual
 * @pages: of the volume
 * @errors: mismatches; never set back
 *
 * A page that has not been written since they were made is not checked.
 */
struct farmem_checksums {
	u32 **chunks;
	u64 pages;
	atomic64_t errors;
};

/** farmem_checksums_init() - nothing is known yet.  May sleep.  Return: 0 or -ENOMEM. */
int farmem_checksums_init(struct farmem_checksums *sums, u64 pages);

void farmem_checksums_free(struct farmem_checksums *sums);

/** farmem_checksums_used() - has the volume any?  Context: any. */
static inline bool farmem_checksums_used(const struct farmem_checksums *sums)
{
	return sums->chunks;
}

/**
 * farmem_checksum_begin() - before a READ or WRITE is posted for the first time
 * @req: with data, of a volume with checksums
 *
 * Context: up to softirq.
 */
void farmem_checksum_begin(struct farmem_request *req);

/**
 * farmem_checksum_verify() - of one that came back: compare what was read
 * @req: unmapped, with @checked set
 * @status: how it went, so far good; an error when also the second read is wrong
 *
 * What may have been written meanwhile is not judged.
 *
 * Context: up to softirq, in the RCU section of its completion.
 * Return: false: it is wrong, and was posted once more.
 */
bool farmem_checksum_verify(struct farmem_request *req, blk_status_t *status);

/**
 * farmem_checksum_end() - a WRITE with @checked set is over
 * @req: its data is still its own
 * @status: how it went
 *
 * Context: up to softirq.
 */
void farmem_checksum_end(struct farmem_request *req, blk_status_t status);

#endif /* FARMEM_CHECKSUM_H */
