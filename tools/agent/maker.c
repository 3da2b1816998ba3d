// SPDX-License-Identifier: GPL-2.0
/*
 * maker.c - looks now and then which servers there are, and has the sets follow.
 *
 * Owns the key copysets, with others of its kind: a transaction puts it if it is as it was read.
 * It asks, and does not watch: a few nodes do this, and what they look for takes minutes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "directory.h"
#include "maker.h"
#include "sets.h"
#include "trouble.h"

#define KEY	DIRECTORY SETS_KEY
/* Of the patience: looks in it, and the part of it that new servers wait for more of them. */
#define LOOKS	10

struct maker {
	struct etcd *etcd;
	sd_event_source *timer;
	uint64_t every;	/* microseconds */
	struct etcd_call *call;
	struct sets sets;
	int64_t revision;	/* of the sets in etcd; 0: there are none */
	struct sets_memory memory;
	struct directory_server *server;	/* that the directory knows */
	size_t servers;
	uint64_t random;
	struct trouble reading;
	struct trouble writing;	/* what may be read may not be written */
	bool held;	/* was said */
	bool readable;	/* what etcd has */
};

static void maker_drop_servers(struct maker *maker)
{
	while (maker->servers)
		directory_server_free(&maker->server[--maker->servers]);
	free(maker->server);
	maker->server = NULL;
}

static void maker_put(void *data, const json_t *answer, const char *error)
{
	struct maker *maker = data;

	maker->call = NULL;
	trouble_tell(&maker->writing, "sets: ", maker, error);
	/* Else another node was first: the next look has what that made of it. */
	if (answer && json_is_true(json_object_get(answer, "succeeded")))
		printf("sets: %zu servers in %zu sets\n", maker->sets.count, maker->sets.sets[0] + maker->sets.sets[1]);
}

static void maker_follow(struct maker *maker)
{
	struct sets_server *servers = checked(calloc(maker->servers + 1, sizeof(*servers)));
	bool changed;
	char *text;
	size_t i;

	for (i = 0; i < maker->servers; i++)
		servers[i] = (struct sets_server){ maker->server[i].uuid, maker->server[i].domain };
	changed = sets_follow(&maker->sets, servers, maker->servers, &maker->memory, clock_ms(),
			      placement_random(&maker->random));
	free(servers);
	if (maker->memory.held && !maker->held)
		fail("sets: most servers are gone at one time; as long as that is so, none loses its place");
	maker->held = maker->memory.held;
	if (!changed)
		return;
	text = sets_text(&maker->sets);
	maker->call = checked(etcd_call(maker->etcd, "kv/txn", checked(etcd_put_if(KEY, text, maker->revision)),
					maker_put, maker));
	free(text);
}

static void maker_take_sets(void *data, const char *key, const char *value)
{
	struct maker *maker = data;

	sets_free(&maker->sets);
	maker->readable = sets_read(&maker->sets, value);
}

/* What cannot be read may be another release's: it is an administrator's to delete. */
static void maker_has_sets(void *data, const json_t *answer, const char *error)
{
	struct maker *maker = data;
	bool readable = maker->readable;

	maker->call = NULL;
	if (!answer) {
		trouble_tell(&maker->reading, "sets: ", maker, error);
		return;
	}
	sets_free(&maker->sets);
	maker->readable = true;
	maker->revision = etcd_revision(answer);
	etcd_each(answer, DIRECTORY, maker_take_sets, maker);
	if (!maker->readable && readable)
		fail("sets: what etcd has are none of this release; etcdctl del " KEY " has them made anew");
	trouble_tell(&maker->reading, "sets: ", maker, NULL);
	if (maker->readable)
		maker_follow(maker);
}

static void maker_take_server(void *data, const char *uuid, const char *value)
{
	struct maker *maker = data;
	struct directory_server server;

	if (!directory_server_read(&server, uuid, value) || !text_visible(uuid)) {
		directory_server_free(&server);
		return;
	}
	maker->server = checked(reallocarray(maker->server, maker->servers + 1, sizeof(server)));
	maker->server[maker->servers++] = server;
}

static void maker_has_servers(void *data, const json_t *answer, const char *error)
{
	struct maker *maker = data;

	maker->call = NULL;
	if (!answer) {
		trouble_tell(&maker->reading, "sets: ", maker, error);
		return;
	}
	maker_drop_servers(maker);
	etcd_each(answer, DIRECTORY_SERVERS, maker_take_server, maker);
	maker->call = checked(etcd_call(maker->etcd, "kv/range", checked(etcd_get(KEY)), maker_has_sets, maker));
}

static int maker_look(sd_event_source *source, uint64_t usec, void *data)
{
	struct maker *maker = data;

	if (!maker->call)
		maker->call = checked(etcd_call(maker->etcd, "kv/range", checked(etcd_range(DIRECTORY_SERVERS)),
						maker_has_servers, maker));
	sd_event_source_set_time_relative(source, maker->every);
	sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
	return 0;
}

struct maker *maker_open(sd_event *event, struct etcd *etcd, unsigned int patience)
{
	struct maker *maker = calloc(1, sizeof(*maker));

	if (!maker)
		return NULL;
	maker->etcd = etcd;
	maker->every = patience * 1000000ull / LOOKS;
	maker->memory.patience = patience * 1000l;
	/* Two looks. */
	maker->memory.settle = patience * 2000l / LOOKS;
	maker->random = clock_ms();
	maker->readable = true;
	if (sd_event_add_time_relative(event, &maker->timer, CLOCK_MONOTONIC, 0, 0, maker_look, maker) >= 0)
		return maker;
	maker_close(maker);
	return NULL;
}

void maker_close(struct maker *maker)
{
	if (!maker)
		return;
	etcd_cancel(maker->call);
	sd_event_source_disable_unref(maker->timer);
	maker_drop_servers(maker);
	sets_free(&maker->sets);
	sets_forget(&maker->memory);
	free(maker);
}
