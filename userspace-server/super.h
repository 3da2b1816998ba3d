/* SPDX-License-Identifier: GPL-2.0 */
/* super.h - what of the server's knowledge lies in the pool itself, and outlives it */
#ifndef SUPER_H
#define SUPER_H

#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"
#include "slab.h"

struct client;
struct server;
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
 * struct super - the superblock of a pool
 * @head: geometry and its checksum; the last page of the pool
 * @volume: a record for each volume; as many as there are slabs
 * @word: for each slab its state, and whose it is
 * @slabs: of the pool
 * @copy: which has these three
 * @area: where it is mapped; NULL once it cannot be kept there any more
 * @bytes: of it
 * @used: of records and words; @head is behind them in the copy, and at the end of @area
 * @fd: the file that @area is of; -1 if that does not matter
 * @offset: of @area in it
 *
 * The memory of a process that is killed stays as its last store left it, so what
 * counts is the order of stores (super.c), and nothing is ever synced.
 *
 * Context: event loop only.
 */
struct super {
	struct super_head *head;
	struct super_volume *volume;
	uint64_t *word;
	uint32_t slabs;
	uint8_t *copy;
	uint8_t *area;
	uint64_t bytes;
	uint64_t used;
	int fd;
	uint64_t offset;
};

/* Bytes of its head, which a pool ends with. */
#define SUPER_HEAD_BYTES 4096
/* Bytes of a volume's record. */
#define SUPER_VOLUME_BYTES 128

/* super_bytes() - how large it is for so many slabs, in whole pages; pool-size.c */
uint64_t super_bytes(uint32_t slabs);

/**
 * super_map() - it lies in @area; nothing is read or written
 * @super: result
 * @area: of @bytes bytes, super_bytes(@slabs) or more, the last of the pool
 *
 * Return: 0 or -ENOMEM.
 */
int super_map(struct super *super, void *area, uint64_t bytes, uint32_t slabs);
void super_unmap(struct super *super);

/* super_load() - copy what is there.  Return: 0, or -EHWPOISON: it cannot be read. */
int super_load(struct super *super);

/**
 * super_publish() - what has changed in the copy goes to the pool; super.c
 * @super: the superblock
 * @from: in the copy; one store if it is a number
 * @bytes: of it
 *
 * What a memory error has cost there is written anew, too, if it may be.
 */
void super_publish(struct super *super, const void *from, size_t bytes);

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

/**
 * super_restore() - clients, volumes and slabs as they were
 * @server: its pool has a superblock; no client yet, its slab table is new
 * @error: room for a message
 * @size: of @error
 *
 * What was half done is undone: slabs that belong to nobody for certain are dirty.
 *
 * Return: 0, or -EINVAL (the records contradict each other) or -ENOMEM.
 */
int super_restore(struct server *server, char *error, size_t size);

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
