// SPDX-License-Identifier: GPL-2.0
/*
 * evict.c - clients are asked for memory that the machine needs, and for all of a drained server.
 *
 * Owns client->wanted and its kin.  Called by watch.c each second.  Nothing is taken: what a
 * client gives up comes as RELEASE, through quarantine (barrier.c), and headroom.c
 * gives it to the machine.
 */
#include <stdlib.h>

#include "beat.h"
#include "clock.h"
#include "client.h"
#include "evict.h"
#include "format.h"
#include "headroom.h"
#include "log.h"
#include "server.h"
#include "session.h"
#include "util.h"
#include "volume.h"

#define STEP_BYTES	(1ull << 30)
/* In this time a chunk of 64 GiB moves at 1 Gbit/s. */
#define HEED_SECONDS	600
/* An administrator drains, and waits: no copy is given up for that. */
#define DRAIN_SECONDS	86400

static struct evict_share *evict_most(struct evict_share *share, size_t count)
{
	struct evict_share *most = NULL;
	size_t i;

	for (i = 0; i < count; i++) {
		if (share[i].heedless || share[i].ask == share[i].held)
			continue;
		if (!most || (uint64_t)(share[i].held - share[i].ask) * most->weight >
				     (uint64_t)(most->held - most->ask) * share[i].weight)
			most = &share[i];
	}
	return most;
}

void evict_plan(struct evict_share *share, size_t count, uint32_t want, uint32_t step)
{
	struct evict_share *most;
	uint32_t ask;
	size_t i;

	for (i = 0; i < count; i++)
		share[i].ask = share[i].heedless ? min(want, share[i].held) : 0;
	while (want && (most = evict_most(share, count))) {
		ask = min(min(want, step), most->held - most->ask);
		most->ask += ask;
		want -= ask;
	}
}

static uint32_t evict_held(const struct client *client)
{
	return volume_bytes(client) / client->server->pool.slab_size;
}

static bool evict_is_heedless(const struct client *client)
{
	return client->wanted &&
	       clock_seconds() - client->heeded >= client->server->opt.notice + HEED_SECONDS;
}

static uint32_t evict_within(const struct server *server)
{
	uint64_t waited = clock_seconds() - server->wanted_since;

	/* Programs wait for it. */
	if (server->headroom.calm < HEADROOM_CALM || waited >= server->opt.notice)
		return 0;
	return server->opt.notice - waited;
}

static void evict_ask(struct client *client, uint64_t bytes, uint32_t held, uint32_t within)
{
	struct session *session = session_of(client);
	char size[SIZE_TEXT];

	if (bytes && !client->wanted)
		log_info("(%s): %s %s, which this machine %s", client->name,
			 session ? "asked to give back" : "is away, and has", format_size(bytes, size),
			 within == DRAIN_SECONDS ? "is drained of" : "needs");
	else if (!bytes && client->wanted)
		log_info("(%s): asked for no memory any more", client->name);
	if (!client->wanted || !session || held < client->wanted_of) {
		client->wanted_of = held;
		client->heeded = clock_seconds();
	}
	client->wanted = bytes;
	if (session)
		beat_want(&session->beat, bytes, within);
}

/* Of a client that is away memory is wanted, but none will come: others are asked for all. */
static void evict_learn(const struct client *client, struct evict_share *share)
{
	*share = (struct evict_share) {
		.held = evict_held(client),
		.weight = options_weight(&client->server->opt, client->name),
		.heedless = !session_of(client) || evict_is_heedless(client),
	};
}

void evict_look(struct server *server)
{
	uint64_t slab_size = server->pool.slab_size;
	uint32_t step = max(STEP_BYTES / slab_size, (uint64_t)1), within;
	struct evict_share *share = calloc(server->client_count + 1, sizeof(*share));
	struct client *client;
	size_t i = 0;

	if (!share)
		return;
	if (!server->headroom.want)
		server->wanted_since = 0;
	else if (!server->wanted_since)
		server->wanted_since = clock_seconds();
	within = evict_within(server);
	LIST_FOREACH(client, &server->clients, link)
		evict_learn(client, &share[i++]);
	evict_plan(share, i, server->headroom.want, step);
	server->wanted = 0;
	i = 0;
	LIST_FOREACH(client, &server->clients, link) {
		uint32_t held = share[i].held, ask = share[i].ask;

		server->wanted += ask * slab_size;
		if (!ask && server->draining)
			evict_ask(client, min(held, step) * slab_size, held, DRAIN_SECONDS);
		else
			evict_ask(client, ask * slab_size, held, within);
		i++;
	}
	free(share);
}
