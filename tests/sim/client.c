// SPDX-License-Identifier: GPL-2.0
#include "client.h"

#include <stdlib.h>
#include <string.h>

/* Published loads may have told of room that is gone: then the client asks all servers. */
#define TRIES	16
#define DRAWS	200

/* As many sets as a group of farmemctl has. */
#define SETS_MAX	60
#define VIEW_MAX	(SETS_MAX * PLACEMENT_SET_MAX)

/* The servers of a group's sets, and what the client knows of them. */
struct view {
	struct place places[VIEW_MAX];
	uint32_t server[VIEW_MAX];
	size_t count;
	unsigned int sets;
};

static size_t view_find(const struct view *view, uint32_t server)
{
	size_t at = 0;

	while (at < view->count && view->server[at] != server)
		at++;
	return at;
}

/* One more set; false: the group has as many as it may. */
static bool view_add(struct view *view, const struct placement_set *set)
{
	size_t i, at;

	if (view->sets == SETS_MAX)
		return false;
	for (i = 0; i < set->count; i++) {
		at = view_find(view, set->server[i]);
		if (at == view->count) {
			view->server[view->count++] = set->server[i];
			view->places[at].sets = 0;
		}
		view->places[at].sets |= 1ull << view->sets;
	}
	view->sets++;
	return true;
}

/* The client asks the servers, or believes what they published. */
static void view_learn(struct view *view, const struct place *places)
{
	size_t i;

	for (i = 0; i < view->count; i++) {
		uint64_t sets = view->places[i].sets;

		view->places[i] = places[view->server[i]];
		view->places[i].sets = sets;
	}
}

static long pick_set(struct world *world, const struct place *places)
{
	world->sets_taken++;
	return placement_pick(places, world->sets, world->set_count, CHUNK, world->setting->copies, &world->random);
}

/* What the client has placed itself it knows without being told. */
static void note(const struct world *world, struct place *place, uint32_t server)
{
	place->free -= CHUNK;
	place->load = placement_use(world->pools[server], place->free);
}

/* A chunk's place in one set, as far as that is known. */
static bool plan_chunk(const struct world *world, struct place *places, const struct placement_set *set)
{
	struct place of_set[PLACEMENT_SET_MAX];
	uint32_t at[PLACEMENT_COPIES_MAX];
	unsigned int copy;

	placement_gather(places, set, of_set);
	if (!placement_chunk(of_set, set->count, CHUNK, world->setting->copies, at))
		return false;
	for (copy = 0; copy < world->setting->copies; copy++)
		note(world, &places[set->server[at[copy]]], set->server[at[copy]]);
	return true;
}

/* The sets of a new group: one more for each few of its chunks. */
static void choose_sets(struct world *world, struct view *view, unsigned int chunks)
{
	const struct place *known = world->setting->knowledge == FRESH ? world->real : world->known;
	struct place *places = checked(malloc(world->setting->servers * sizeof(*places)));
	const struct placement_set *set = NULL;
	unsigned int i;
	long at;

	memcpy(places, known, world->setting->servers * sizeof(*places));
	for (i = 0; i < chunks; i++) {
		if (i % world->setting->share && plan_chunk(world, places, set))
			continue;
		at = pick_set(world, places);
		if (at < 0 || !view_add(view, &world->sets[at]))
			break;
		set = &world->sets[at];
		plan_chunk(world, places, set);
	}
	view_learn(view, world->setting->knowledge == PUBLISHED ? world->known : world->real);
	free(places);
}

/* False: a server has refused, and is not asked again; nothing is placed. */
static bool view_put(struct world *world, struct view *view, const uint32_t *at, struct chunk *chunk)
{
	unsigned int copy;

	for (copy = 0; copy < world->setting->copies; copy++) {
		chunk->at[copy] = view->server[at[copy]];
		if (world_take(world, chunk->at[copy]))
			continue;
		view->places[at[copy]].closed = true;
		while (copy--)
			world_give(world, chunk->at[copy]);
		return false;
	}
	for (copy = 0; copy < world->setting->copies; copy++)
		note(world, &view->places[at[copy]], chunk->at[copy]);
	return true;
}

/* False: there is no place for it. */
static bool place_in_sets(struct world *world, struct view *view, struct chunk *chunk)
{
	uint32_t at[PLACEMENT_COPIES_MAX];
	long set;

	for (;;) {
		while (placement_chunk(view->places, view->count, CHUNK, world->setting->copies, at))
			if (view_put(world, view, at, chunk))
				return true;
		set = pick_set(world, world->real);
		if (set < 0 || !view_add(view, &world->sets[set]))
			return false;
		view_learn(view, world->real);
	}
}

/* A server with room in another domain than the chunk's other copies, or -1. */
static long draw(struct world *world, const struct place *places, const struct place *const *others, size_t count)
{
	unsigned int servers = world->setting->servers;
	size_t server = 0, i;

	/* When most are full, one after the other. */
	for (i = 0; i < DRAWS + servers; i++) {
		server = i < DRAWS ? placement_below(&world->random, servers) : (server + 1) % servers;
		if (!placement_choose(&places[server], 1, CHUNK, others, count, false))
			return server;
	}
	return -1;
}

/* A server for one more copy: a random one, or the emptier of two. */
static long choose(struct world *world, const struct place *places, const struct place *const *others, size_t count)
{
	long server = draw(world, places, others, count), other;

	if (world->setting->policy == RANDOM || server < 0)
		return server;
	other = draw(world, places, others, count);
	return places[other].load < places[server].load ? other : server;
}

/* Copies @first to @end - 1, apart from others; none if not all. */
static bool place_anywhere(struct world *world, struct chunk *chunk, unsigned int first, unsigned int end,
			   const struct place **others, size_t count)
{
	unsigned int tries = 0, copy = first;

	while (copy < end) {
		bool fresh = world->setting->knowledge == FRESH || tries++ >= TRIES;
		long server = choose(world, fresh ? world->real : world->known, others, count);

		if (server < 0) {
			while (copy > first)
				world_give(world, chunk->at[--copy]);
			return false;
		}
		if (!world_take(world, server))
			continue;
		chunk->at[copy++] = server;
		others[count++] = &world->real[server];
	}
	return true;
}

static bool place(struct world *world, struct view *view, struct chunk *chunk)
{
	const struct place *others[PLACEMENT_COPIES_MAX];

	if (world->setting->policy == SETS)
		return place_in_sets(world, view, chunk);
	return place_anywhere(world, chunk, 0, world->setting->copies, others, 0);
}

unsigned int client_create(struct world *world, unsigned int chunks)
{
	struct group *group = world_add_group(world);
	struct view view;

	view.count = view.sets = 0;
	if (world->setting->policy == SETS)
		choose_sets(world, &view, chunks);
	while (group->count < chunks && place(world, &view, &group->chunks[group->count]))
		group->count++;
	world->chunk_count += group->count;
	return group->count;
}

static bool has_all(const struct placement_set *set, const uint32_t *servers, size_t count)
{
	size_t i, found = 0, all = count;

	while (count--)
		for (i = 0; i < set->count; i++)
			found += set->server[i] == servers[count];
	return found == all;
}

/* A server in a set of the other copies: those that the group knows, or of the directory. */
static long choose_beside(struct world *world, const uint32_t *servers, const struct place *const *others, size_t count)
{
	struct view view;
	size_t i;
	int at;

	view.count = view.sets = 0;
	for (i = 0; i < world->set_count; i++)
		if (has_all(&world->sets[i], servers, count))
			view_add(&view, &world->sets[i]);
	view_learn(&view, world->real);
	at = placement_choose(view.places, view.count, CHUNK, others, count, false);
	return at < 0 ? at : (long)view.server[at];
}

bool client_move(struct world *world, struct chunk *chunk, unsigned int copy)
{
	const struct place *others[PLACEMENT_COPIES_MAX];
	uint32_t servers[PLACEMENT_COPIES_MAX];
	struct chunk moved = *chunk;
	size_t count = 0;
	unsigned int i;

	for (i = 0; i < world->setting->copies; i++) {
		if (i == copy)
			continue;
		servers[count] = chunk->at[i];
		others[count++] = &world->real[chunk->at[i]];
	}
	if (world->setting->policy == SETS) {
		long server = choose_beside(world, servers, others, count);

		if (server < 0 || !world_take(world, server))
			return false;
		moved.at[copy] = server;
	} else if (!place_anywhere(world, &moved, copy, copy + 1, others, count)) {
		return false;
	}
	world_give(world, chunk->at[copy]);
	*chunk = moved;
	return true;
}
