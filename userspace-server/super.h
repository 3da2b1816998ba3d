/* SPDX-License-Identifier: GPL-2.0 */
/* super.h - what of the server's knowledge lies in the pool itself, and outlives it */
#ifndef SUPER_H
#define SUPER_H

#include <stdint.h>

#include "slab.h"
#include "super-map.h"

struct standin;
struct volume;

/**
 * struct super_geometry - what a pool is
 * @slab_size: bytes
 * @slabs: how many
 * @generation: of the memory
 */
struct super_geometry {
	uint64_t slab_size;
	uint64_t generation;
	uint32_t slabs;
};

/**
 * super_read() - is there a superblock?
 * @head: the last SUPER_HEAD_BYTES of a pool: of one of any size
 * @geometry: what it says
 *
 * Return: 0; -ENOENT: there is none, all is new; -EINVAL: it is damaged;
 * -EPROTONOSUPPORT: another version's.
 */
int super_read(const void *head, struct super_geometry *geometry);

/* super_format() - make one; the memory is all zeros, and nobody's */
int super_format(struct super *super, const struct super_geometry *geometry);

/* super_slab() - the state of a slab is another one; its owner stays, if it has one */
void super_slab(struct super *super, uint32_t slab, enum slab_state state);

/**
 * super_add() - a volume without slabs, which is nothing until super_opened()
 *
 * Return: 0, or -ENOSPC when there is no record left.
 */
int super_add(struct super *super, struct volume *volume);

/* super_own() - all slabs of a volume's list are its own, from now on */
void super_own(struct super *super, const struct volume *volume);

/**
 * super_stand_in() - another slab is in the place of a bad one, which is nobody's next
 *
 * That it is one stays on record: a client that goes on with the volume has to be told.
 */
void super_stand_in(struct super *super, const struct volume *volume,
		    const struct standin *standin);

/* super_cut() - it has fewer, before those are given up */
void super_cut(struct super *super, const struct volume *volume);

/* super_opened() - its client is about to be told; @volume->incarnation is another one */
void super_opened(struct super *super, const struct volume *volume);

/* super_proved() - its client has proved a key; so has that of a volume opened later */
void super_proved(struct super *super, const struct volume *volume);

/* super_begin_drop() - before its slabs are given up; super_drop() - after that */
void super_begin_drop(struct super *super, const struct volume *volume);
void super_drop(struct super *super, const struct volume *volume);

#endif /* SUPER_H */
