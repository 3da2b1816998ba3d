/* SPDX-License-Identifier: GPL-2.0 */
/* super.h - what of the server's knowledge lies in the pool itself, and outlives it */
#ifndef SUPER_H
#define SUPER_H

#include <stdbool.h>
#include <stdint.h>

#include "farmem-proto.h"
#include "super-map.h"

/**
 * enum slab_state - of one slab
 * @SLAB_CLEAN: free, all zeros
 * @SLAB_DIRTY: free, holds an earlier owner's bytes
 * @SLAB_ZEROING: free, the worker is zeroing it in the background
 * @SLAB_RESERVED: belongs to a volume, must be zeroed before it is registered
 * @SLAB_LENT: belongs to a volume, was all zeros when it was first registered
 * @SLAB_QUARANTINED: given up, but queue pairs that may write to it still exist
 * @SLAB_ABSENT: nobody's, and without memory: the machine has that
 * @SLAB_STATES: how many states there are
 */
enum slab_state {
	SLAB_CLEAN,
	SLAB_DIRTY,
	SLAB_ZEROING,
	SLAB_RESERVED,
	SLAB_LENT,
	SLAB_QUARANTINED,
	SLAB_ABSENT,
	SLAB_STATES
};

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

/**
 * super_find_hollow() - which slabs may lack memory, as a superblock in a file says
 * @fd: the file
 * @offset: of the superblock in it
 * @slabs: of the pool
 * @hollow: result, for each slab
 *
 * All but clean and lent ones: the others are zeroed before they are lent, whatever they hold.
 * What cannot be read has its memory.
 *
 * Return: 0 or -ENOMEM.
 */
int super_find_hollow(int fd, uint64_t offset, uint32_t slabs, bool *hollow);

/* super_format() - make one; the first @held slabs are zeros and no volume's, the others absent */
int super_format(struct super *super, const struct super_geometry *geometry, uint32_t held);

/* super_slab() - the state of a slab is another one; its owner stays, if it has one */
void super_slab(struct super *super, uint32_t slab, enum slab_state state);

/**
 * super_add() - a volume without slabs, which is nothing until super_opened()
 * @super: the superblock
 * @client: its client's name
 * @uuid: its identity
 * @name: for people
 * @record: result: the number of its record
 *
 * Return: 0, or -ENOSPC when there is no record left.
 */
int super_add(struct super *super, const char client[FARMEM_NAME_LEN],
	      const uint8_t uuid[FARMEM_ID_LEN], const char name[FARMEM_VOLUME_NAME_LEN],
	      uint32_t *record);

/* super_own() - @slab is to be at a place of the volume, which super_resize() makes its own */
void super_own(struct super *super, uint32_t record, uint32_t place, uint32_t slab);

/* super_resize() - the volume has so many: after super_own(), or before others are given up */
void super_resize(struct super *super, uint32_t record, uint32_t slabs);

/**
 * super_stand_in() - @slab is at this place instead of @bad, which is no volume's next
 * @super: the superblock
 * @record: number of the volume's record
 * @place: of the slab in the volume
 * @bad: the slab at that place, with a memory error
 * @slab: the stand-in, no volume's so far
 *
 * That it is a stand-in stays on record: a client that goes on with the volume is told.
 */
void super_stand_in(struct super *super, uint32_t record, uint32_t place, uint32_t bad,
		    uint32_t slab);

/**
 * super_opened() - a volume's client is about to be told
 * @super: the superblock
 * @record: number of the volume's record
 * @incarnation: of the client
 * @keyed: it has proved a key
 */
void super_opened(struct super *super, uint32_t record, uint64_t incarnation, bool keyed);

/* super_proved() - its client has proved a key; so has that of a volume opened later */
void super_proved(struct super *super, uint32_t record);

/* super_begin_drop() - before its slabs are given up; super_drop() - after that */
void super_begin_drop(struct super *super, uint32_t record);
void super_drop(struct super *super, uint32_t record);

#endif /* SUPER_H */
