// SPDX-License-Identifier: GPL-2.0
/*
 * super-map.c - where the superblock lies: in the pool, and a copy of it here.
 *
 * Owns the copy.  super.c reads the copy alone; each store goes there and then to the pool.
 * So a memory error in the pool's superblock is met by a store, and the bytes that it cost
 * are written anew from the copy.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "poison.h"
#include "super-map.h"
#include "util.h"

/* At the end, where a farmemd finds it that expects a pool of another size. */
static uint64_t super_map_head_at(const struct super *super)
{
	return super->bytes - SUPER_HEAD_BYTES;
}

int super_map(struct super *super, void *area, uint64_t bytes, uint32_t slabs)
{
	*super = (struct super){ .area = area, .bytes = bytes, .slabs = slabs, .fd = -1 };
	super->used = slabs * (SUPER_VOLUME_BYTES + sizeof(*super->word));
	super->copy = calloc(1, super->used + SUPER_HEAD_BYTES);
	if (!super->copy)
		return -ENOMEM;
	super->volume = (struct super_volume *)super->copy;
	super->word = (uint64_t *)(super->copy + (uint64_t)slabs * SUPER_VOLUME_BYTES);
	super->head = (struct super_head *)(super->copy + super->used);
	return 0;
}

void super_map_free(struct super *super)
{
	free(super->copy);
	super->copy = NULL;
}

static void super_map_copy(void *data)
{
	struct super *super = data;

	memcpy(super->copy, super->area, super->used);
	memcpy(super->head, super->area + super_map_head_at(super), SUPER_HEAD_BYTES);
}

int super_map_load(struct super *super)
{
	return poison_try(super_map_copy, super) ? 0 : -EHWPOISON;
}

struct store {
	uint8_t *to;
	const uint8_t *from;
	size_t bytes;
};

/* One store, if it is a number. */
static void super_map_store(void *data)
{
	const struct store *s = data;

	if (s->bytes == sizeof(uint64_t))
		__atomic_store_n((uint64_t *)s->to, *(const uint64_t *)s->from, __ATOMIC_RELEASE);
	else if (s->bytes == sizeof(uint32_t))
		__atomic_store_n((uint32_t *)s->to, *(const uint32_t *)s->from, __ATOMIC_RELEASE);
	else
		memcpy(s->to, s->from, s->bytes);
}

static void super_map_fill_page(const struct super *super, uint64_t at, uint8_t *page)
{
	memset(page, 0, SUPER_HEAD_BYTES);
	if (at == super_map_head_at(super))
		memcpy(page, super->head, SUPER_HEAD_BYTES);
	else if (at < super->used)
		memcpy(page, super->copy + at, min(super->used - at, (uint64_t)SUPER_HEAD_BYTES));
}

/*
 * Puts another page in the place of the bad one, which has all its bytes from its first
 * moment on.  Until then the file has a gap, and no farmemd takes it over.  A huge page is
 * not replaced, nor one that has state bytes of slabs as well.
 */
static bool super_map_renew_page(struct super *super, uint64_t at)
{
	uint64_t into = (super->offset + at) % SUPER_HEAD_BYTES;
	uint64_t offset = super->offset + at - into;
	uint8_t page[SUPER_HEAD_BYTES];
	struct stat st;

	if (super->fd < 0 || at < into || fstat(super->fd, &st) ||
	    st.st_blksize != SUPER_HEAD_BYTES)
		return false;
	at -= into;
	super_map_fill_page(super, at, page);
	if (fallocate(super->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset,
		      SUPER_HEAD_BYTES) ||
	    pwrite(super->fd, page, sizeof(page), offset) != SUPER_HEAD_BYTES)
		return false;
	return mmap(super->area + at, SUPER_HEAD_BYTES, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_FIXED, super->fd, offset) != MAP_FAILED &&
	       !mlock2(super->area + at, SUPER_HEAD_BYTES, MLOCK_ONFAULT);
}

/* The bytes from @at on could not be stored. */
static void super_map_renew(struct super *super, uint64_t at, size_t bytes)
{
	uint64_t last = at + bytes - 1;

	/* A record may lie on two pages. */
	if (super_map_renew_page(super, at) &&
	    ((super->offset + at) / SUPER_HEAD_BYTES == (super->offset + last) / SUPER_HEAD_BYTES ||
	     super_map_renew_page(super, last))) {
		log_warn("pool: an uncorrectable memory error in the superblock: that page is replaced, and nothing is lost; replace the memory module that 'dmesg' names");
		return;
	}
	super->area = NULL;
	log_err("pool: an uncorrectable memory error in the superblock: this farmemd goes on, but no other can take over the pool; have the clients move their data to another server, then end this one and remove the file");
}

void super_map_publish(struct super *super, const void *from, size_t bytes)
{
	uint64_t at = (const uint8_t *)from - super->copy;
	struct store s = { .from = from, .bytes = bytes };

	if (!super->area)
		return;
	if (at >= super->used)
		at += super_map_head_at(super) - super->used;
	s.to = super->area + at;
	if (!poison_try(super_map_store, &s))
		super_map_renew(super, at, bytes);
}
