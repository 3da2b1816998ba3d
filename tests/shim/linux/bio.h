/* SPDX-License-Identifier: GPL-2.0 */
/* bio.h - bios that wait in lists; what they carry is not looked at */
#ifndef SHIM_BIO_H
#define SHIM_BIO_H

#include <linux/blk_types.h>
#include <linux/mm.h>

#define SECTOR_SHIFT 9

struct bvec_iter {
	sector_t bi_sector;
	unsigned int bi_size;
};

struct bio {
	struct bio *bi_next;
	blk_opf_t bi_opf;
	unsigned char bi_status;
	struct bvec_iter bi_iter;
	void *bi_private;
};

struct bio_list {
	struct bio *head;
	struct bio *tail;
};

static inline void bio_list_init(struct bio_list *list)
{
	list->head = list->tail = NULL;
}

static inline int bio_list_empty(const struct bio_list *list)
{
	return !list->head;
}

static inline void bio_list_add(struct bio_list *list, struct bio *bio)
{
	bio->bi_next = NULL;
	if (list->tail)
		list->tail->bi_next = bio;
	else
		list->head = bio;
	list->tail = bio;
}

static inline void bio_list_merge(struct bio_list *to, const struct bio_list *from)
{
	if (!from->head)
		return;
	if (to->tail)
		to->tail->bi_next = from->head;
	else
		to->head = from->head;
	to->tail = from->tail;
}

static inline struct bio *bio_list_pop(struct bio_list *list)
{
	struct bio *bio = list->head;

	if (bio) {
		list->head = bio->bi_next;
		if (!list->head)
			list->tail = NULL;
		bio->bi_next = NULL;
	}
	return bio;
}

#endif /* SHIM_BIO_H */
