// SPDX-License-Identifier: GPL-2.0
/*
 * slab.c - the allocator of slabs.
 *
 * Owns the state of every slab; touches no memory of the pool.  Called from the
 * event loop only: by grant.c (take, zero, give up), session.c (fence) and
 * clean.c (zero in the background).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "slab.h"
#include "super.h"
#include "util.h"

int slab_table_init(struct slab_table *table, uint32_t count)
{
	memset(table, 0, sizeof(*table));
	table->state = calloc(count, 1);
	if (!table->state)
		return -ENOMEM;
	table->count = count;
	table->in[SLAB_CLEAN] = count;
	return 0;
}

void slab_table_free(struct slab_table *table)
{
	free(table->state);
	memset(table, 0, sizeof(*table));
}

int slab_list_append(struct slab_list *list, struct slab_run run)
{
	struct slab_run *last = list->runs ? &list->run[list->runs - 1] : NULL;
	struct slab_run *grown;

	if (last && last->first + last->count == run.first) {
		last->count += run.count;
		list->slabs += run.count;
		return 0;
	}
	grown = realloc(list->run, (list->runs + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	list->run = grown;
	list->run[list->runs++] = run;
	list->slabs += run.count;
	return 0;
}

int slab_list_cut(struct slab_list *list, uint32_t keep, struct slab_list *rest)
{
	struct slab_list first = {};
	uint32_t left = keep;
	int ret = 0;
	size_t i;

	for (i = 0; i < list->runs && !ret; i++) {
		struct slab_run run = list->run[i];
		uint32_t take = run.count < left ? run.count : left;

		if (take)
			ret = slab_list_append(&first, (struct slab_run){ run.first, take });
		if (!ret && take < run.count)
			ret = slab_list_append(rest, (struct slab_run){ run.first + take,
									run.count - take });
		left -= take;
	}
	slab_list_free(ret ? &first : list);
	if (ret)
		slab_list_free(rest);
	else
		*list = first;
	return ret;
}

int slab_list_put(struct slab_list *list, uint32_t place, uint32_t slab)
{
	struct slab_list changed = {};
	uint32_t at = 0, each;
	int ret = 0;
	size_t i;

	for (i = 0; i < list->runs; i++) {
		for (each = 0; each < list->run[i].count && !ret; each++, at++) {
			struct slab_run one = { list->run[i].first + each, 1 };

			if (at == place)
				one.first = slab;
			ret = slab_list_append(&changed, one);
		}
	}
	slab_list_free(ret ? &changed : list);
	if (!ret)
		*list = changed;
	return ret;
}

void slab_list_free(struct slab_list *list)
{
	free(list->run);
	memset(list, 0, sizeof(*list));
}

void slab_set(struct slab_table *table, uint32_t slab, enum slab_state state)
{
	table->in[table->state[slab]]--;
	table->state[slab] = state;
	table->in[state]++;
	if (table->super)
		super_slab(table->super, slab, state);
}

/* With memory. */
static bool slab_is_free(const struct slab_table *table, uint32_t slab)
{
	enum slab_state state = table->state[slab];

	return (state == SLAB_CLEAN || state == SLAB_DIRTY || state == SLAB_ZEROING) &&
	       !slab_is_bad(table->bad, slab);
}

uint32_t slab_free_count(const struct slab_table *table)
{
	uint32_t room = min(table->in[SLAB_ABSENT], table->room);
	uint32_t count = 0, slab;

	if (!table->bad || !table->bad->count)
		return slab_unused(table) + room;
	for (slab = 0; slab < table->count; slab++)
		count += slab_is_free(table, slab);
	return count + room;
}

void slab_wake(struct slab_table *table, uint32_t count)
{
	uint32_t slab;

	for (slab = 0; slab < table->count && count; slab++)
		if (table->state[slab] == SLAB_ABSENT) {
			slab_set(table, slab, SLAB_DIRTY);
			count--;
		}
}

bool slab_find_bad(const struct slab_table *table, const struct slab_list *list,
		   uint32_t *place, uint32_t *slab)
{
	uint32_t left;
	size_t i;

	*place = 0;
	for (i = 0; i < list->runs; i++) {
		*slab = list->run[i].first;
		for (left = list->run[i].count; left; left--, (*place)++, (*slab)++)
			if (slab_is_bad(table->bad, *slab))
				return true;
	}
	return false;
}

/* The first run of free slabs at or after @from; count 0 at the end. */
static struct slab_run slab_next_free(const struct slab_table *table, uint32_t from)
{
	struct slab_run run = { .first = from };

	while (run.first < table->count && !slab_is_free(table, run.first))
		run.first++;
	while (run.first + run.count < table->count && slab_is_free(table, run.first + run.count))
		run.count++;
	return run;
}

/* The smallest free run of at least @want slabs; count 0 if there is none. */
static struct slab_run slab_best_fit(const struct slab_table *table, uint32_t want)
{
	struct slab_run best = { .count = 0 };
	struct slab_run run = slab_next_free(table, 0);

	for (; run.count; run = slab_next_free(table, run.first + run.count))
		if (run.count >= want && (!best.count || run.count < best.count))
			best = run;
	if (best.count)
		best.count = want;
	return best;
}

static int slab_longer_first(const void *a, const void *b)
{
	const struct slab_run *left = a, *right = b;

	if (left->count != right->count)
		return left->count < right->count ? 1 : -1;
	return left->first < right->first ? -1 : 1;
}

/* The fewest fragments that hold @want slabs, which are known to be free. */
static int slab_find_fragments(const struct slab_table *table, uint32_t want,
			       struct slab_list *found)
{
	struct slab_list all = {};
	struct slab_run run = slab_next_free(table, 0);
	int ret = 0;
	size_t i;

	for (; run.count && !ret; run = slab_next_free(table, run.first + run.count))
		ret = slab_list_append(&all, run);
	if (!ret)
		qsort(all.run, all.runs, sizeof(*all.run), slab_longer_first);
	for (i = 0; want && !ret; i++) {
		/* A slab of them has just been found bad. */
		if (i == all.runs) {
			ret = -ENOSPC;
			break;
		}
		run = all.run[i];
		if (run.count > want)
			run.count = want;
		want -= run.count;
		ret = slab_list_append(found, run);
	}
	slab_list_free(&all);
	return ret;
}

static void slab_take(struct slab_table *table, struct slab_run run)
{
	uint32_t slab;

	for (slab = run.first; slab < run.first + run.count; slab++)
		slab_set(table, slab, table->state[slab] == SLAB_CLEAN ?
			 SLAB_LENT : SLAB_RESERVED);
}

/* All of @from to the end of @to, or nothing. */
static int slab_list_append_all(struct slab_list *to, const struct slab_list *from)
{
	struct slab_list joined = {};
	int ret = 0;
	size_t i;

	for (i = 0; i < to->runs && !ret; i++)
		ret = slab_list_append(&joined, to->run[i]);
	for (i = 0; i < from->runs && !ret; i++)
		ret = slab_list_append(&joined, from->run[i]);
	if (ret) {
		slab_list_free(&joined);
		return ret;
	}
	slab_list_free(to);
	*to = joined;
	return 0;
}

int slab_alloc(struct slab_table *table, uint32_t want, struct slab_list *list)
{
	uint32_t room = min(table->in[SLAB_ABSENT], table->room);
	uint32_t avail = slab_free_count(table);
	struct slab_list found = {};
	struct slab_run run;
	int ret;
	size_t i;

	if (!want || want > avail)
		return -ENOSPC;
	if (want > avail - room) {
		table->room -= want - (avail - room);
		table->woken += want - (avail - room);
		slab_wake(table, want - (avail - room));
	}
	run = slab_best_fit(table, want);
	ret = run.count ? slab_list_append(&found, run) : slab_find_fragments(table, want, &found);
	if (!ret)
		ret = slab_list_append_all(list, &found);
	for (i = 0; i < found.runs && !ret; i++)
		slab_take(table, found.run[i]);
	slab_list_free(&found);
	return ret;
}

void slab_release(struct slab_table *table, struct slab_list *list, int fenced,
		  struct slab_list *quarantine)
{
	uint32_t slab, end;
	size_t i;

	for (i = 0; i < list->runs; i++) {
		end = list->run[i].first + list->run[i].count;
		for (slab = list->run[i].first; slab < end; slab++) {
			int safe = fenced || table->state[slab] == SLAB_RESERVED;
			struct slab_run one = { slab, 1 };

			/* Out of memory: the slab is lost to the pool rather than lent unsafely. */
			if (!safe && slab_list_append(quarantine, one))
				safe = 0;
			if (table->state[slab] == SLAB_RESERVED && table->woken) {
				table->woken--;
				table->unfilled++;
			}
			slab_set(table, slab, safe ? SLAB_DIRTY : SLAB_QUARANTINED);
		}
	}
	slab_list_free(list);
}

void slab_fence(struct slab_table *table, struct slab_list *quarantine)
{
	slab_release(table, quarantine, 1, NULL);
}

struct slab_run slab_find_reserved(const struct slab_table *table,
				   const struct slab_list *list, uint32_t max)
{
	struct slab_run found = { .count = 0 };
	uint32_t slab, end;
	size_t i;

	for (i = 0; i < list->runs && !found.count; i++) {
		end = list->run[i].first + list->run[i].count;
		for (slab = list->run[i].first; slab < end && found.count < max; slab++) {
			if (table->state[slab] == SLAB_RESERVED) {
				if (!found.count)
					found.first = slab;
				found.count++;
			} else if (found.count) {
				break;
			}
		}
	}
	return found;
}

void slab_zeroed(struct slab_table *table, struct slab_run run)
{
	uint32_t slab;

	for (slab = run.first; slab < run.first + run.count; slab++)
		if (table->state[slab] == SLAB_RESERVED) {
			slab_set(table, slab, SLAB_LENT);
			table->woken -= !!table->woken;
		}
}

void slab_unlend(struct slab_table *table, const struct slab_list *list, uint32_t place)
{
	uint32_t at = 0, slab;
	size_t i;

	for (i = 0; i < list->runs; i++)
		for (slab = list->run[i].first; slab < list->run[i].first + list->run[i].count; slab++)
			if (at++ >= place && table->state[slab] == SLAB_LENT)
				slab_set(table, slab, SLAB_RESERVED);
}

static bool slab_is_cleanable(const struct slab_table *table, uint32_t slab)
{
	return table->state[slab] == SLAB_DIRTY && !slab_is_bad(table->bad, slab);
}

struct slab_run slab_clean_begin(struct slab_table *table, uint32_t max)
{
	struct slab_run run = { .count = 0 };

	if (!table->in[SLAB_DIRTY])
		return run;
	while (run.first < table->count && !slab_is_cleanable(table, run.first))
		run.first++;
	while (run.count < max && run.first + run.count < table->count &&
	       slab_is_cleanable(table, run.first + run.count)) {
		slab_set(table, run.first + run.count, SLAB_ZEROING);
		run.count++;
	}
	return run;
}

void slab_clean_end(struct slab_table *table, struct slab_run run, enum slab_state state)
{
	uint32_t slab;

	for (slab = run.first; slab < run.first + run.count; slab++)
		if (table->state[slab] == SLAB_ZEROING)
			slab_set(table, slab, state);
}

/* The last run of free slabs in this state, which is now absent. */
static struct slab_run slab_give_last(struct slab_table *table, enum slab_state state, uint32_t max)
{
	struct slab_run run = { .first = table->count };

	while (run.first && (table->state[run.first - 1] != state || slab_is_bad(table->bad, run.first - 1)))
		run.first--;
	for (; run.first && run.count < max && table->state[run.first - 1] == state &&
	       !slab_is_bad(table->bad, run.first - 1); run.count++)
		slab_set(table, --run.first, SLAB_ABSENT);
	return run;
}

struct slab_run slab_give_begin(struct slab_table *table, uint32_t max)
{
	struct slab_run run = slab_give_last(table, SLAB_DIRTY, max);

	return run.count ? run : slab_give_last(table, SLAB_CLEAN, max);
}

void slab_give_failed(struct slab_table *table, struct slab_run run)
{
	uint32_t slab;

	for (slab = run.first; slab < run.first + run.count; slab++)
		if (table->state[slab] == SLAB_ABSENT)
			slab_set(table, slab, SLAB_DIRTY);
}
