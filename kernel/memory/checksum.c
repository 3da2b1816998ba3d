// SPDX-License-Identifier: GPL-2.0
/*
 * checksum.c - the words that checksum=crc32c keeps, one a page.
 *
 * 0			nothing is known
 * CRC, bit 31 clear	of the bytes that a READ must bring
 * WORD_WRITING | CRC	one WRITE is under way, of these bytes
 * WORD_SHARED | n	n WRITEs have met: any may come last, or a mixture of them
 *
 * Each WRITE in flight is counted in its pages' words, from farmem_checksum_begin() to
 * farmem_checksum_end(), also while it is parked.
 */
#include <linux/bio.h>
#include <linux/crc32c.h>
#include <linux/highmem.h>
#include <linux/jhash.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "arm.h"
#include "checksum.h"
#include "fault.h"
#include "memory.h"
#include "post.h"
#include "queue.h"

#define CHUNK_BYTES (64u << 10)
#define CHUNK_PAGES (CHUNK_BYTES / sizeof(u32))

#define WORD_WRITING 0x80000000u
#define WORD_SHARED 0xffffff00u
#define WORD_SHARED_MAX 0xffffffffu

/* Where the next page of a request's data begins. */
struct checksum_data {
	struct bio *bio;
	struct bvec_iter iter;
	const struct farmem_request *req;
};

int farmem_checksums_init(struct farmem_checksums *sums, u64 pages)
{
	u64 count = DIV_ROUND_UP_ULL(pages, CHUNK_PAGES), i;

	sums->pages = pages;
	sums->chunks = farmem_fault_alloc(kvcalloc(count, sizeof(*sums->chunks),
						   FARMEM_GFP_MAY_FAIL));
	if (!sums->chunks)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		sums->chunks[i] = farmem_fault_alloc(kvzalloc(CHUNK_BYTES,
							      FARMEM_GFP_MAY_FAIL));
		if (!sums->chunks[i]) {
			farmem_checksums_free(sums);
			return -ENOMEM;
		}
	}
	return 0;
}

void farmem_checksums_free(struct farmem_checksums *sums)
{
	u64 count = DIV_ROUND_UP_ULL(sums->pages, CHUNK_PAGES), i;

	for (i = 0; sums->chunks && i < count; i++)
		kvfree(sums->chunks[i]);
	kvfree(sums->chunks);
	sums->chunks = NULL;
}

static struct farmem_checksums *checksum_map(const struct farmem_request *req)
{
	return &farmem_memory_of(req)->checksums;
}

static u32 *checksum_at(const struct farmem_checksums *sums, u64 page)
{
	return &sums->chunks[page / CHUNK_PAGES][page % CHUNK_PAGES];
}

/* What a CRC of 31 bits would be that has a meaning of its own counts as 1. */
static u32 checksum_word(u32 crc)
{
	crc &= ~WORD_WRITING;
	return crc && crc < (WORD_SHARED & ~WORD_WRITING) ? crc : 1;
}

static u32 checksum_word_begun(u32 was, u32 crc)
{
	if (!(was & WORD_WRITING))
		return WORD_WRITING | crc;
	if (was < WORD_SHARED)
		return WORD_SHARED | 2;
	/* So many are never there. If they were, the page would never be checked again. */
	return was == WORD_SHARED_MAX ? was : was + 1;
}

/* @crc: of what the server has now; 0: not known */
static u32 checksum_word_ended(u32 was, u32 crc)
{
	if (was < WORD_SHARED)
		return was == (WORD_WRITING | crc) ? crc : 0;
	if (was == WORD_SHARED_MAX)
		return was;
	return was == (WORD_SHARED | 1) ? 0 : was - 1;
}

static void checksum_change(u32 *word, u32 (*change)(u32 was, u32 crc), u32 crc)
{
	u32 was, is = READ_ONCE(*word);

	do {
		was = is;
		is = cmpxchg(word, was, change(was, crc));
	} while (is != was);
}

static struct checksum_data checksum_data_of(const struct farmem_request *req)
{
	struct checksum_data data = { .bio = req->data.bio, .req = req };

	if (data.bio)
		data.iter = data.bio->bi_iter;
	return data;
}

static u32 checksum_add(u32 crc, struct page *page, unsigned int offset, unsigned int bytes)
{
	void *mapped = kmap_local_page(page);

	crc = crc32c(crc, mapped + offset, bytes);
	kunmap_local(mapped);
	return crc;
}

/* Of the next page's bytes, in as many pieces as its owner has them. */
static u32 checksum_next(struct checksum_data *data)
{
	unsigned int left = FARMEM_PAGE_SIZE, bytes;
	u32 crc = ~0u;
	struct bio_vec bv;

	if (!data->bio)
		return checksum_word(checksum_add(crc, data->req->data.page,
						  data->req->data.offset, left));
	for (; left; left -= bytes) {
		bv = bio_iter_iovec(data->bio, data->iter);
		bytes = min(left, bv.bv_len);
		crc = checksum_add(crc, bv.bv_page, bv.bv_offset, bytes);
		bio_advance_iter(data->bio, &data->iter, bytes);
	}
	return checksum_word(crc);
}

/*
 * Of several words: another one when any of them is another one, also when many change in
 * the same bit, as WORD_WRITING: a sum of odd multiples would not show an even number.
 */
static u32 checksum_see(u32 seen, u32 word)
{
	return jhash_1word(word, seen);
}

static void checksum_begin_read(struct farmem_request *req, u64 first, u64 count)
{
	u64 page;

	req->checksums_seen = 0;
	for (page = first; page < first + count; page++)
		req->checksums_seen = checksum_see(req->checksums_seen,
				READ_ONCE(*checksum_at(checksum_map(req), page)));
}

static void checksum_begin_write(struct farmem_request *req, u64 first, u64 count)
{
	struct checksum_data data = checksum_data_of(req);
	u64 page;

	for (page = first; page < first + count; page++)
		checksum_change(checksum_at(checksum_map(req), page), checksum_word_begun,
				checksum_next(&data));
}

void farmem_checksum_begin(struct farmem_request *req)
{
	u64 first = req->offset >> FARMEM_PAGE_SHIFT, count = req->bytes >> FARMEM_PAGE_SHIFT;

	req->checked = FARMEM_CHECKED;
	if (req->op == FARMEM_OP_WRITE)
		checksum_begin_write(req, first, count);
	else
		checksum_begin_read(req, first, count);
}

/*
 * Nothing changes swap's pages under a write: the disk asks for stable pages.  All others
 * are looked at again, and a page that has changed is unknown: a process may write to its
 * buffer of direct I/O, and before 6.7 to a page of the disk's own page cache.
 */
static u32 checksum_written(const struct farmem_request *req, struct checksum_data *data,
			    u32 word)
{
	return req->opf & REQ_SWAP ? word & ~WORD_WRITING : checksum_next(data);
}

void farmem_checksum_end(struct farmem_request *req, blk_status_t status)
{
	u64 page = req->offset >> FARMEM_PAGE_SHIFT;
	u64 end = page + (req->bytes >> FARMEM_PAGE_SHIFT);
	struct checksum_data data = checksum_data_of(req);

	for (; page < end; page++) {
		u32 *word = checksum_at(checksum_map(req), page);

		checksum_change(word, checksum_word_ended,
				status ? 0 : checksum_written(req, &data, READ_ONCE(*word)));
	}
}

/*
 * Return: its first page that is not as it was written, or U64_MAX.  Words are looked at
 * once: one that is no longer what it was when the READ was posted tells of other bytes.
 */
static u64 checksum_find_wrong(const struct farmem_request *req, u32 *is, u32 *should)
{
	u64 page = req->offset >> FARMEM_PAGE_SHIFT, wrong = U64_MAX;
	u64 end = page + (req->bytes >> FARMEM_PAGE_SHIFT);
	struct checksum_data data = checksum_data_of(req);
	u32 word, crc, seen = 0;

	for (; page < end; page++) {
		word = READ_ONCE(*checksum_at(checksum_map(req), page));
		crc = checksum_next(&data);
		seen = checksum_see(seen, word);
		if (likely(crc == word) || !word || word & WORD_WRITING || wrong != U64_MAX)
			continue;
		wrong = page;
		*is = crc;
		*should = word;
	}
	return seen == req->checksums_seen ? wrong : U64_MAX;
}

/* Here, and not by farmem_repost_request(): it may be polled for, on this queue. */
static void checksum_read_again(struct farmem_request *req)
{
	struct farmem_queue *q = req->queue;

	req->checked = FARMEM_CHECKED_AGAIN;
	farmem_post_request(q, req);
	/* Its poller may have left, and the interrupt that it asked for may be over. */
	spin_lock_bh(&q->lock);
	if (q->live)
		farmem_arm_next(q);
	spin_unlock_bh(&q->lock);
}

/* Return: false: it was posted once more. */
static bool checksum_judge(struct farmem_request *req, blk_status_t *status)
{
	const struct farmem_memory *m = farmem_memory_of(req);
	/* Memory of this machine would say the same again. */
	bool again = req->checked == FARMEM_CHECKED && !m->session->local;
	u32 is, should;
	u64 page = checksum_find_wrong(req, &is, &should);

	if (likely(page == U64_MAX))
		return true;
	atomic64_inc(&checksum_map(req)->errors);
	pr_err_ratelimited("volume %s: page %llu was read from %s with checksum %08x, and written with %08x; %s\n",
			   m->name, page, m->session->config.server, is, should,
			   again ? "it is read once more" :
				   "so it reads as an error until it is written again");
	if (again) {
		checksum_read_again(req);
		return false;
	}
	*status = BLK_STS_IOERR;
	return true;
}

bool farmem_checksum_verify(struct farmem_request *req, blk_status_t *status)
{
	return req->op != FARMEM_OP_READ || req->lost || checksum_judge(req, status);
}
