// SPDX-License-Identifier: GPL-2.0
/* sets.c - the cluster's sets as text and back, and when they change. */
#include <jansson.h>
#include <string.h>

#include "attr.h"
#include "sets.h"

#define NOWHERE	((size_t)-1)

static size_t sets_find(const struct sets *sets, const char *uuid)
{
	size_t i;

	for (i = 0; i < sets->count; i++)
		if (!strcmp(sets->uuid[i], uuid))
			return i;
	return NOWHERE;
}

static size_t sets_add(struct sets *sets, const char *uuid)
{
	sets->uuid = checked(reallocarray(sets->uuid, sets->count + 1, sizeof(*sets->uuid)));
	sets->uuid[sets->count] = text_copy(uuid);
	return sets->count++;
}

/* One set.  Servers are named anew in the first permutation alone. */
static bool sets_read_set(struct sets *sets, unsigned int permutation, const json_t *list, bool *seen)
{
	struct placement_set *set = &sets->set[permutation][sets->sets[permutation]++];
	const char *uuid;
	json_t *word;
	size_t i, at;

	set->count = 0;
	if (!json_array_size(list) || json_array_size(list) > PLACEMENT_SET_MAX)
		return false;
	json_array_foreach(list, i, word) {
		uuid = json_string_value(word);
		if (!uuid || !*uuid)
			return false;
		at = sets_find(sets, uuid);
		if (at == NOWHERE && !permutation)
			at = sets_add(sets, uuid);
		if (at == NOWHERE || seen[at])
			return false;
		seen[at] = true;
		set->server[set->count++] = at;
	}
	return true;
}

static bool sets_read_permutation(struct sets *sets, unsigned int permutation, const json_t *list)
{
	size_t count = json_array_size(list), members = 0, i;
	bool *seen = checked(calloc(sets->count + count * PLACEMENT_SET_MAX + 1, sizeof(*seen)));
	bool whole = true;

	sets->set[permutation] = checked(calloc(count + 1, sizeof(struct placement_set)));
	for (i = 0; i < count && whole; i++) {
		whole = sets_read_set(sets, permutation, json_array_get(list, i), seen);
		members += sets->set[permutation][i].count;
	}
	free(seen);
	return whole && json_is_array(list) && members == sets->count;
}

bool sets_read(struct sets *sets, const char *text)
{
	json_t *value = json_loads(text, 0, NULL), *list = json_object_get(value, "permutations");
	bool whole = json_array_size(list) == PLACEMENT_PERMUTATIONS;
	unsigned int i;

	memset(sets, 0, sizeof(*sets));
	for (i = 0; i < PLACEMENT_PERMUTATIONS && whole; i++)
		whole = sets_read_permutation(sets, i, json_array_get(list, i));
	json_decref(value);
	return whole;
}

char *sets_text(const struct sets *sets)
{
	json_t *all = checked(json_array()), *value;
	unsigned int permutation;
	size_t i, k;
	char *text;

	for (permutation = 0; permutation < PLACEMENT_PERMUTATIONS; permutation++) {
		json_t *list = json_array();

		for (i = 0; i < sets->sets[permutation]; i++) {
			const struct placement_set *set = &sets->set[permutation][i];
			json_t *words = json_array();

			for (k = 0; k < set->count; k++)
				json_array_append_new(words, checked(json_string(sets->uuid[set->server[k]])));
			json_array_append_new(list, words);
		}
		json_array_append_new(all, list);
	}
	value = checked(json_pack("{s:o}", "permutations", all));
	text = checked(json_dumps(value, JSON_COMPACT));
	json_decref(value);
	return text;
}

void sets_free(struct sets *sets)
{
	unsigned int i;

	while (sets->count)
		free(sets->uuid[--sets->count]);
	free(sets->uuid);
	for (i = 0; i < PLACEMENT_PERMUTATIONS; i++)
		free(sets->set[i]);
	memset(sets, 0, sizeof(*sets));
}

static const struct sets_server *sets_listed(const struct sets_server *servers, size_t count, const char *uuid)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(servers[i].uuid, uuid))
			return &servers[i];
	return NULL;
}

static struct sets_change *sets_recall(struct sets_memory *memory, const char *uuid)
{
	size_t i;

	for (i = 0; i < memory->count; i++)
		if (!strcmp(memory->change[i].uuid, uuid))
			return &memory->change[i];
	return NULL;
}

static void sets_note(struct sets_memory *memory, const char *uuid, bool gone, long now)
{
	if (sets_recall(memory, uuid))
		return;
	memory->change = checked(reallocarray(memory->change, memory->count + 1, sizeof(*memory->change)));
	memory->change[memory->count++] = (struct sets_change){ .uuid = text_copy(uuid), .gone = gone, .since = now };
}

/* What is not so any more is forgotten, what is so now is noted. */
static void sets_compare(const struct sets *sets, const struct sets_server *servers, size_t count,
			 struct sets_memory *memory, long now)
{
	size_t i, left = 0;

	for (i = 0; i < memory->count; i++) {
		struct sets_change *change = &memory->change[i];
		bool member = sets_find(sets, change->uuid) != NOWHERE;
		bool listed = sets_listed(servers, count, change->uuid);

		if (member != listed && member == change->gone)
			memory->change[left++] = *change;
		else
			free(change->uuid);
	}
	memory->count = left;
	for (i = 0; i < sets->count; i++)
		if (!sets_listed(servers, count, sets->uuid[i]))
			sets_note(memory, sets->uuid[i], true, now);
	for (i = 0; i < count; i++)
		if (sets_find(sets, servers[i].uuid) == NOWHERE)
			sets_note(memory, servers[i].uuid, false, now);
}

/* Those that are new get places together: enough of them are cut into sets of their own. */
static bool sets_settled(const struct sets_memory *memory, long now)
{
	long first = now, last = 0;
	bool any = false;
	size_t i;

	for (i = 0; i < memory->count; i++) {
		const struct sets_change *change = &memory->change[i];

		if (change->gone)
			continue;
		any = true;
		first = change->since < first ? change->since : first;
		last = change->since > last ? change->since : last;
	}
	return any && (now - last >= memory->settle || now - first >= memory->patience);
}

/* That so many died at one time is less likely than that the directory lost them: they come back. */
static bool sets_lost_most(const struct sets *sets, const struct sets_memory *memory)
{
	size_t i, gone = 0;

	for (i = 0; i < memory->count; i++)
		gone += memory->change[i].gone;
	return gone * 2 > sets->count;
}

/* While that is so, no server's time goes on. */
static void sets_hold(const struct sets *sets, struct sets_memory *memory, long now)
{
	size_t i;

	if (!sets_lost_most(sets, memory)) {
		memory->lost = 0;
		memory->held = false;
		return;
	}
	if (!memory->lost)
		memory->lost = now;
	memory->held = now - memory->lost >= memory->patience;
	for (i = 0; i < memory->count; i++)
		if (memory->change[i].gone)
			memory->change[i].since = now;
}

/* A time in which etcd was away, and nobody looked, does not count. */
static void sets_pass_over(struct sets_memory *memory, long now)
{
	long gap = now - memory->looked;
	size_t i;

	if (gap > memory->patience / 3)
		for (i = 0; i < memory->count; i++)
			memory->change[i].since += gap;
	memory->looked = now;
}

static void sets_take_out(struct sets *sets, size_t server)
{
	unsigned int permutation;
	size_t i, k;

	free(sets->uuid[server]);
	sets->uuid[server] = sets->uuid[--sets->count];
	for (permutation = 0; permutation < PLACEMENT_PERMUTATIONS; permutation++)
		for (i = 0; i < sets->sets[permutation]; i++) {
			struct placement_set *set = &sets->set[permutation][i];

			for (k = 0; k < set->count; k++)
				if (set->server[k] == server)
					set->server[k--] = set->server[--set->count];
			for (k = 0; k < set->count; k++)
				if (set->server[k] == sets->count)
					set->server[k] = server;
		}
}

/* The domain of a server that is away is not known: it is one of its own. */
static void sets_mend(struct sets *sets, const struct sets_server *servers, size_t count, uint64_t seed)
{
	struct place *places = checked(calloc(sets->count + 1, sizeof(*places)));
	unsigned int permutation;
	size_t i;

	for (i = 0; i < sets->count; i++) {
		const struct sets_server *server = sets_listed(servers, count, sets->uuid[i]);

		places[i].domain = server ? server->domain : sets->uuid[i];
	}
	for (permutation = 0; permutation < PLACEMENT_PERMUTATIONS; permutation++) {
		sets->set[permutation] = checked(reallocarray(sets->set[permutation],
							      sets->sets[permutation] + sets->count + 1,
							      sizeof(struct placement_set)));
		if (!placement_mend(places, sets->count, PLACEMENT_SET, placement_random(&seed), sets->set[permutation],
				    &sets->sets[permutation]))
			checked(NULL);
	}
	free(places);
}

bool sets_follow(struct sets *sets, const struct sets_server *servers, size_t count,
		 struct sets_memory *memory, long now, uint64_t seed)
{
	bool settled, changed = false;
	size_t i;

	sets_pass_over(memory, now);
	sets_compare(sets, servers, count, memory, now);
	sets_hold(sets, memory, now);
	settled = sets_settled(memory, now);
	for (i = 0; i < memory->count; i++) {
		const struct sets_change *change = &memory->change[i];

		if (change->gone ? now - change->since < memory->patience : !settled)
			continue;
		changed = true;
		if (change->gone)
			sets_take_out(sets, sets_find(sets, change->uuid));
		else
			sets_add(sets, change->uuid);
	}
	if (changed)
		sets_mend(sets, servers, count, seed);
	return changed;
}

void sets_forget(struct sets_memory *memory)
{
	while (memory->count)
		free(memory->change[--memory->count].uuid);
	free(memory->change);
	memory->change = NULL;
}
