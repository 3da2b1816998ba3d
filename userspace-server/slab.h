/* SPDX-License-Identifier: GPL-2.0 */
/* slab.h - which slab of the pool is in whose hands */
#ifndef SLAB_H
#define SLAB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "super.h"

/**
 * struct slab_bad - slabs with a memory error
 * @count: how many
 * @slab: for each whether it has one
 *
 * Context: any thread; a slab that is bad stays so.
 */
struct slab_bad {
	atomic_uint count;
	atomic_bool slab[];
};

static inline bool slab_is_bad(const struct slab_bad *bad, uint32_t slab)
{
	return bad && bad->count && bad->slab[slab];
}

/**
 * struct slab_run - neighbours in the pool
 * @first: index of the first slab
 * @count: how many, at least 1 (0: no run)
 */
struct slab_run {
	uint32_t first;
	uint32_t count;
};

/**
 * struct slab_list - slabs of one owner, in the owner's order
 * @run: runs; neighbours in the list are merged if they are in the pool
 * @runs: entries of @run
 * @slabs: slabs in all runs
 */
struct slab_list {
	struct slab_run *run;
	size_t runs;
	uint32_t slabs;
};

/**
 * struct slab_table - the state of every slab; pure bookkeeping, no memory
 * @state: enum slab_state, one byte a slab
 * @count: slabs in the pool
 * @in: how many slabs are in each state
 * @room: absent slabs for which the machine has memory
 * @woken: absent slabs that volumes have taken, and that are not zeroed yet
 * @unfilled: of these, those that volumes gave up again: they may never have got memory
 * @super: is told of each change, NULL if none is
 * @bad: slabs that are lent to no client any more, NULL if that is not known
 *
 * Context: event loop only.
 */
struct slab_table {
	uint8_t *state;
	uint32_t count;
	uint32_t in[SLAB_STATES];
	uint32_t room;
	uint32_t woken;
	uint32_t unfilled;
	struct super *super;
	const struct slab_bad *bad;
};

/**
 * slab_table_init() - a table of clean slabs
 * @table: filled in; super and bad are the caller's to set
 * @count: slabs of the pool
 *
 * Return: 0 or -ENOMEM.
 */
int slab_table_init(struct slab_table *table, uint32_t count);
void slab_table_free(struct slab_table *table);

/* slab_set() - a slab is in this state since before farmemd started, or by a stand-in */
void slab_set(struct slab_table *table, uint32_t slab, enum slab_state state);

/* Slabs that slab_alloc() could hand out. */
uint32_t slab_free_count(const struct slab_table *table);

/* Slabs that no volume has, and that have memory. */
static inline uint32_t slab_unused(const struct slab_table *table)
{
	return table->in[SLAB_CLEAN] + table->in[SLAB_DIRTY] + table->in[SLAB_ZEROING];
}

/**
 * slab_alloc() - take free slabs for a volume
 * @table: the table
 * @want: how many, at least 1
 * @list: where they are appended
 *
 * Takes the smallest free run that is large enough, else the fewest fragments; absent slabs
 * only where the others do not suffice.  Clean slabs become lent, others reserved.
 *
 * Return: 0, -ENOSPC or -ENOMEM, with nothing taken.
 */
int slab_alloc(struct slab_table *table, uint32_t want, struct slab_list *list);

/**
 * slab_release() - take back what slab_alloc() gave
 * @table: the table
 * @list: the slabs; emptied
 * @fenced: no queue pair that could write to them exists: they become dirty.
 *	Otherwise they go to @quarantine.
 * @quarantine: where they are appended unless @fenced
 *
 * Slabs that are only reserved were never registered and always become dirty.
 */
void slab_release(struct slab_table *table, struct slab_list *list, int fenced,
		  struct slab_list *quarantine);

/* slab_fence() - the queue pairs are gone: quarantined slabs become dirty */
void slab_fence(struct slab_table *table, struct slab_list *quarantine);

/**
 * slab_find_reserved() - the first run of slabs that are still to be zeroed
 * @table: the table
 * @list: where to look
 * @max: longest run wanted, at least 1
 *
 * Return: a run of at most @max slabs; count 0 when all are zeroed.
 */
struct slab_run slab_find_reserved(const struct slab_table *table,
				   const struct slab_list *list, uint32_t max);

/**
 * slab_unlend() - slabs of a volume are to be zeroed again: it was not told of them
 * @table: the table
 * @list: its slabs
 * @place: the first of them, to the end
 *
 * No registration of them exists.
 */
void slab_unlend(struct slab_table *table, const struct slab_list *list, uint32_t place);

/* slab_zeroed() - the worker has zeroed @run: what is still reserved is lent */
void slab_zeroed(struct slab_table *table, struct slab_run run);

/**
 * slab_clean_begin() - pick dirty slabs for the background to zero
 * @table: the table
 * @max: longest run wanted
 *
 * Return: a run that is now SLAB_ZEROING; count 0 when none is dirty.
 */
struct slab_run slab_clean_begin(struct slab_table *table, uint32_t max);

/* slab_clean_end() - done: what no volume took meanwhile is in this state now */
void slab_clean_end(struct slab_table *table, struct slab_run run, enum slab_state state);

/**
 * slab_give_begin() - pick free slabs whose memory goes back to the machine
 * @table: the table
 * @max: longest run wanted
 *
 * Dirty ones first, which would be zeroed else; the last ones first, so that what stays is in
 * one piece.
 *
 * Return: such a run, which is now SLAB_ABSENT; count 0 when none is free.
 */
struct slab_run slab_give_begin(struct slab_table *table, uint32_t max);

/* slab_give_failed() - they have their memory still: dirty, but for what a volume took meanwhile */
void slab_give_failed(struct slab_table *table, struct slab_run run);

/* slab_wake() - so many absent slabs are dirty now: the worker takes memory as it zeroes them */
void slab_wake(struct slab_table *table, uint32_t count);

/* slab_find_bad() - the first slab of a list with a memory error.  Return: is there one? */
bool slab_find_bad(const struct slab_table *table, const struct slab_list *list,
		   uint32_t *place, uint32_t *slab);

/**
 * slab_list_append() - add a run, merged with the last one if it continues it
 * @list: the list; after -ENOMEM as it was
 * @run: at least 1 slab
 *
 * Return: 0 or -ENOMEM.
 */
int slab_list_append(struct slab_list *list, struct slab_run run);

/**
 * slab_list_put() - another slab at a place of a list
 * @list: the list
 * @place: below @list->slabs
 * @slab: the other one
 *
 * Return: 0, or -ENOMEM with @list as it was.
 */
int slab_list_put(struct slab_list *list, uint32_t place, uint32_t slab);

/**
 * slab_list_cut() - leave the first slabs of a list
 * @list: the list
 * @keep: how many
 * @rest: where the others are appended
 *
 * Return: 0, or -ENOMEM with @list as it was.
 */
int slab_list_cut(struct slab_list *list, uint32_t keep, struct slab_list *rest);

void slab_list_free(struct slab_list *list);

#endif /* SLAB_H */
