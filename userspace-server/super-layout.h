/* SPDX-License-Identifier: GPL-2.0 */
/* super-layout.h - what a superblock is made of; for super.c and super-restore.c alone */
#ifndef SUPER_LAYOUT_H
#define SUPER_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "farmem-proto.h"
#include "super.h"

enum volume_state {
	VOLUME_FREE,
	VOLUME_USED,
	VOLUME_HALF,	/* not opened yet, or on its way out */
	VOLUME_KEYED,	/* used, and its client has proved a key */
};

/**
 * struct super_head - a page
 * @magic: MAGIC, stored last
 * @version: of this layout
 * @slabs: of the pool
 * @slab_size: bytes
 * @generation: of the memory
 * @checksum: SHA-256 of all before it
 * @reserved: all zero
 */
struct super_head {
	uint64_t magic;
	uint32_t version;
	uint32_t slabs;
	uint64_t slab_size;
	uint64_t generation;
	uint8_t checksum[32];
	uint8_t reserved[4032];
};
_Static_assert(sizeof(struct super_head) == SUPER_HEAD_BYTES, "super_head");

/**
 * struct super_volume - a volume
 * @state: enum volume_state
 * @slabs: places that are its own
 * @client: name of its client
 * @uuid: its identity
 * @name: for people
 * @incarnation: of the client that opened it last
 */
struct super_volume {
	uint32_t state;
	uint32_t slabs;
	char client[FARMEM_NAME_LEN];
	uint8_t uuid[FARMEM_ID_LEN];
	char name[FARMEM_VOLUME_NAME_LEN];
	uint64_t incarnation;
};
_Static_assert(sizeof(struct super_volume) == SUPER_VOLUME_BYTES, "super_volume");

/* A slab's word: state, 28 bits of place, 28 bits of volume + 1 (0: no volume's). */
#define STATE_BITS 8
#define STANDIN    0x80	/* of the state: in the place of a bad one */
#define FIELD_BITS 28
#define FIELD_MASK ((1ull << FIELD_BITS) - 1)

static inline uint64_t super_word_make(enum slab_state state, uint32_t record, uint32_t place)
{
	return state | (uint64_t)place << STATE_BITS |
	       (uint64_t)(record + 1) << (STATE_BITS + FIELD_BITS);
}

static inline enum slab_state super_word_state(uint64_t word)
{
	return word & (STANDIN - 1);
}

static inline uint32_t super_word_place(uint64_t word)
{
	return word >> STATE_BITS & FIELD_MASK;
}

static inline bool super_word_is_standin(uint64_t word)
{
	return word & STANDIN;
}

/* False: no volume's. */
static inline bool super_word_owner(uint64_t word, uint32_t *record)
{
	*record = (word >> (STATE_BITS + FIELD_BITS)) - 1;
	return word >> (STATE_BITS + FIELD_BITS);
}

static inline bool super_volume_is_used(const struct super_volume *record)
{
	return record->state == VOLUME_USED || record->state == VOLUME_KEYED;
}

/* The compiler keeps the order of these, and each is one store to the pool. */
#define STORE(to, value) \
	do { \
		(to) = (value); \
		super_map_publish(super, &(to), sizeof(to)); \
	} while (0)

#endif /* SUPER_LAYOUT_H */
