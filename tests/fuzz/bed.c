// SPDX-License-Identifier: GPL-2.0
/*
 * bed.c - stands in for main.c and log.c, and knows what must hold in a server.
 */
#include <stdarg.h>

#include "bed.h"
#include "client.h"
#include "clock.h"
#include "farmem-proto.h"
#include "log.h"
#include "session.h"
#include "shutdown.h"
#include "volume.h"
#include "watch.h"

uint64_t bed_seconds;

/* No two inputs share a minute, so that none is the log's limit for the next. */
uint64_t clock_seconds(void)
{
	return bed_seconds;
}

int shutdown_begin(struct server *server, const char *why)
{
	return 0;
}

/* Formatted as always, shown to nobody; what a peer sends must not control a terminal. */
void __wrap_log_line(int level, const char *peer, const char *format, ...)
{
	char line[1024];
	va_list args;

	REQUIRE(!peer || is_printable(peer, 300));
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	REQUIRE(is_printable(line, sizeof(line)));
}

void bed_server(struct server *server, void *area, uint32_t slabs, uint64_t slab_size)
{
	bed_seconds += 100;
	memset(server, 0, sizeof(*server));
	server->ops = &watch_ops;
	options_defaults(&server->opt);
	server->pool.slabs = slabs;
	server->pool.floor = slabs;
	server->pool.slab_size = slab_size;
	server->pool.size = slabs * slab_size;
	server->pool.generation = 0x1234;
	server->pool.fd = -1;
	REQUIRE(!super_map(&server->pool.super, area, super_map_bytes(slabs), slabs));
	REQUIRE(!super_map_load(&server->pool.super));
	REQUIRE(!slab_table_init(&server->slabs, slabs));
	server->slabs.room = UINT32_MAX;
	server->slabs.super = &server->pool.super;
	LIST_INIT(&server->beats);
	LIST_INIT(&server->clients);
	LIST_INIT(&server->sessions);
	LIST_INIT(&server->devices);
	LIST_INIT(&server->listeners);
	server->clean.active = true;
}

void bed_server_free(struct server *server)
{
	volume_forget_all(server);
	slab_table_free(&server->slabs);
	super_map_free(&server->pool.super);
	options_free(&server->opt);
}

/* Notes the slabs of a list as @client's; each must be nobody's until then. */
static void note(const struct slab_list *list, struct client *client, struct client **owner,
		 uint32_t slabs)
{
	uint32_t slab, sum = 0;
	size_t i;

	for (i = 0; i < list->runs; i++) {
		REQUIRE(list->run[i].count);
		sum += list->run[i].count;
		for (slab = list->run[i].first; slab < list->run[i].first + list->run[i].count;
		     slab++) {
			REQUIRE(slab < slabs);
			REQUIRE(!owner[slab]);
			owner[slab] = client;
		}
	}
	REQUIRE(sum == list->slabs);
}

struct client **bed_owners(const struct server *server)
{
	struct client **owner = calloc(server->slabs.count, sizeof(*owner)), *client;
	struct volume *volume;

	REQUIRE(owner);
	LIST_FOREACH(client, &server->clients, link)
		LIST_FOREACH(volume, &client->volumes, link)
			note(&volume->slabs, client, owner, server->slabs.count);
	return owner;
}

static void check_slabs(const struct server *server)
{
	const struct slab_table *table = &server->slabs;
	struct client **owner = bed_owners(server);
	uint32_t in[SLAB_STATES] = {}, slab;

	for (slab = 0; slab < table->count; slab++) {
		enum slab_state state = table->state[slab];

		REQUIRE(state < SLAB_STATES);
		in[state]++;
		REQUIRE((state == SLAB_LENT || state == SLAB_RESERVED) == !!owner[slab]);
	}
	REQUIRE(!memcmp(in, table->in, sizeof(in)));
	free(owner);
}

static void check_volumes(const struct client *client)
{
	const struct volume *volume, *other;
	unsigned int count = 0;

	LIST_FOREACH(volume, &client->volumes, link) {
		count++;
		REQUIRE(volume->client == client);
		REQUIRE(!all_zero(volume->uuid, sizeof(volume->uuid)));
		for (other = LIST_NEXT(volume, link); other; other = LIST_NEXT(other, link))
			REQUIRE(memcmp(volume->uuid, other->uuid, sizeof(volume->uuid)));
	}
	REQUIRE(count == client->volume_count && count <= CLIENT_VOLUMES_MAX);
}

void bed_check(const struct server *server)
{
	struct client *client;
	unsigned int count = 0;

	check_slabs(server);
	LIST_FOREACH(client, &server->clients, link) {
		count++;
		check_volumes(client);
		/* Before HELLO nobody has anything. */
		REQUIRE(*client->name || LIST_EMPTY(&client->volumes));
	}
	REQUIRE(count == server->client_count && count <= server->opt.max_clients);
}

void bed_check_names(const struct server *server)
{
	uint8_t identity[FARMEM_ID_LEN];
	struct client *client;

	LIST_FOREACH(client, &server->clients, link) {
		if (!*client->name)
			continue;
		REQUIRE(is_printable(client->name, sizeof(client->name)));
		REQUIRE(!strchr(client->name, ' '));
		REQUIRE(!client_identity(client->name, identity));
		REQUIRE(!memcmp(identity, client->identity, sizeof(identity)));
	}
}

static void check_same(const struct volume *a, const struct volume *b)
{
	REQUIRE(b && b->record == a->record && b->incarnation == a->incarnation);
	REQUIRE(!strcmp(b->name, a->name));
	REQUIRE(b->slabs.runs == a->slabs.runs);
	REQUIRE(!memcmp(b->slabs.run, a->slabs.run, a->slabs.runs * sizeof(*a->slabs.run)));
}

void bed_check_volumes(const struct server *a, const struct server *b)
{
	struct client *client, *twin;
	struct volume *volume;

	LIST_FOREACH(client, &a->clients, link) {
		twin = client_find((struct server *)b, client->identity);
		LIST_FOREACH(volume, &client->volumes, link) {
			/* Nobody has been told of it. */
			if (!volume->incarnation)
				continue;
			REQUIRE(twin && !strcmp(twin->name, client->name));
			REQUIRE(twin->keyed || !client->keyed);
			check_same(volume, volume_find(twin, volume->uuid));
		}
	}
}
