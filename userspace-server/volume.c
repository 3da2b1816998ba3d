// SPDX-License-Identifier: GPL-2.0
/*
 * volume.c - volumes: the slabs that a client has, and its quota.
 *
 * Owns struct volume.  What changes of it goes to the superblock at once, in the order that
 * super.c asks for.  Called by grant.c for a client, by report.c for an administrator, by
 * lease.c, and by super-restore.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "client.h"
#include "format.h"
#include "options.h"
#include "server.h"
#include "status.h"
#include "super.h"
#include "volume.h"

struct volume *volume_find(struct client *client, const uint8_t uuid[FARMEM_ID_LEN])
{
	struct volume *volume;

	LIST_FOREACH(volume, &client->volumes, link)
		if (!memcmp(volume->uuid, uuid, FARMEM_ID_LEN))
			return volume;
	return NULL;
}

uint64_t volume_bytes(const struct client *client)
{
	const struct volume *volume;
	uint64_t slabs = 0;

	LIST_FOREACH(volume, &client->volumes, link)
		slabs += volume->slabs.slabs;
	return slabs * client->server->pool.slab_size;
}

static struct volume *volume_new(struct client *client, const uint8_t uuid[FARMEM_ID_LEN],
				 const char *name, struct volume_refusal *refusal)
{
	struct volume *volume;

	if (client->volume_count >= CLIENT_VOLUMES_MAX) {
		refusal->reason = FARMEM_ERR_TOO_MANY;
		snprintf(refusal->detail, sizeof(refusal->detail), "this client has %u volumes",
			 client->volume_count);
		return NULL;
	}
	volume = calloc(1, sizeof(*volume));
	if (!volume) {
		refusal->reason = FARMEM_ERR_RESOURCES;
		snprintf(refusal->detail, sizeof(refusal->detail), "out of memory");
		return NULL;
	}
	volume->client = client;
	memcpy(volume->uuid, uuid, FARMEM_ID_LEN);
	snprintf(volume->name, sizeof(volume->name), "%s", name);
	LIST_INSERT_HEAD(&client->volumes, volume, link);
	client->volume_count++;
	return volume;
}

static void volume_free(struct volume *volume)
{
	LIST_REMOVE(volume, link);
	volume->client->volume_count--;
	free(volume);
}

struct volume *volume_create(struct client *client, const uint8_t uuid[FARMEM_ID_LEN],
			     const char *name, struct volume_refusal *refusal)
{
	struct volume *volume = volume_new(client, uuid, name, refusal);

	if (!volume)
		return NULL;
	if (!super_add(&client->server->pool.super, client->name, uuid, volume->name,
		       &volume->record))
		return volume;
	refusal->reason = FARMEM_ERR_NO_SPACE;
	snprintf(refusal->detail, sizeof(refusal->detail), "there are as many volumes as slabs");
	volume_free(volume);
	return NULL;
}

struct volume *volume_restore(struct client *client, const uint8_t uuid[FARMEM_ID_LEN],
			      const char *name, uint32_t record, struct volume_refusal *refusal)
{
	struct volume *volume = volume_new(client, uuid, name, refusal);

	if (volume)
		volume->record = record;
	return volume;
}

static int volume_refuse_space(const struct server *server, uint64_t bytes,
			       struct volume_refusal *refusal)
{
	char asked[SIZE_TEXT], avail[SIZE_TEXT], later[SIZE_TEXT];
	uint64_t slab_size = server->pool.slab_size;
	uint64_t quarantined = server->slabs.in[SLAB_QUARANTINED] * slab_size;

	format_size(bytes, asked);
	format_size(slab_free_count(&server->slabs) * slab_size, avail);
	format_size(quarantined, later);
	refusal->reason = FARMEM_ERR_NO_SPACE;
	if (quarantined)
		snprintf(refusal->detail, sizeof(refusal->detail),
			 "asked %.9s, %.9s free, %.9s given back and not free yet (farmemctl server disconnect)",
			 asked, avail, later);
	else
		snprintf(refusal->detail, sizeof(refusal->detail), "asked %s, %s free",
			 asked, avail);
	return -1;
}

static int volume_refuse_quota(const struct client *client, uint64_t bytes, uint64_t quota,
			       struct volume_refusal *refusal)
{
	char asked[SIZE_TEXT], limit[SIZE_TEXT], has[SIZE_TEXT], later[SIZE_TEXT];
	uint64_t quarantined = client_quarantined(client);
	int len;

	refusal->reason = FARMEM_ERR_QUOTA;
	len = snprintf(refusal->detail, sizeof(refusal->detail),
		       "asked %s more, quota %s, %s in use",
		       format_size(bytes, asked), format_size(quota, limit),
		       format_size(volume_bytes(client) + quarantined, has));
	if (quarantined)
		snprintf(refusal->detail + len, sizeof(refusal->detail) - len,
			 ", %s of it given back and not free yet", format_size(quarantined, later));
	return -1;
}

/* All slabs from that place on are the volume's, from now on. */
static void volume_own_from(const struct volume *volume, uint32_t had)
{
	struct super *super = &volume->client->server->pool.super;
	const struct slab_run *run = volume->slabs.run;
	uint32_t place = 0, slab;
	size_t i;

	for (i = 0; i < volume->slabs.runs; i++)
		for (slab = run[i].first; slab < run[i].first + run[i].count; slab++, place++)
			if (place >= had)
				super_own(super, volume->record, place, slab);
	super_resize(super, volume->record, place);
}

int volume_grow(struct volume *volume, uint64_t capacity, struct volume_refusal *refusal)
{
	struct client *client = volume->client;
	struct server *server = client->server;
	uint64_t slab_size = server->pool.slab_size;
	uint64_t need = (capacity + slab_size - 1) / slab_size;
	uint64_t quota = options_quota(&server->opt, client->name);
	uint64_t has = volume_bytes(client) + client_quarantined(client);
	uint32_t had = volume->slabs.slabs;
	int ret;

	if (need <= had)
		return 0;
	need -= had;
	if (server->cordoned) {
		refusal->reason = FARMEM_ERR_NO_SPACE;
		snprintf(refusal->detail, sizeof(refusal->detail), "the server is cordoned: it lends nothing more");
		return -1;
	}
	if (need > server->slabs.count)
		return volume_refuse_space(server, need * slab_size, refusal);
	if (has > quota || need * slab_size > quota - has)
		return volume_refuse_quota(client, need * slab_size, quota, refusal);
	ret = slab_alloc(&server->slabs, need, &volume->slabs);
	if (ret == -ENOSPC)
		return volume_refuse_space(server, need * slab_size, refusal);
	if (ret) {
		refusal->reason = FARMEM_ERR_RESOURCES;
		snprintf(refusal->detail, sizeof(refusal->detail), "out of memory");
		return -1;
	}
	volume_own_from(volume, had);
	return 0;
}

void volume_opened(struct volume *volume, uint64_t incarnation)
{
	volume->incarnation = incarnation;
	super_opened(&volume->client->server->pool.super, volume->record, incarnation,
		     volume->client->keyed);
}

/* Where slabs go that the client could still write to; NULL: it has no queue pair. */
static struct slab_list *volume_quarantine(struct client *client)
{
	return client->session || client->unfenced ? &client->quarantine : NULL;
}

void volume_shrink(struct volume *volume, uint32_t slabs)
{
	struct client *client = volume->client;
	struct slab_list *quarantine = volume_quarantine(client);
	struct slab_list rest = {};

	/* Without memory it stays as large as it is. */
	if (slabs >= volume->slabs.slabs || slab_list_cut(&volume->slabs, slabs, &rest))
		return;
	super_resize(&client->server->pool.super, volume->record, volume->slabs.slabs);
	slab_release(&client->server->slabs, &rest, !quarantine, quarantine);
	clean_kick(client->server);
	status_report(client->server);
}

void volume_release(struct volume *volume)
{
	struct client *client = volume->client;
	struct server *server = client->server;
	struct slab_list *quarantine = volume_quarantine(client);

	super_begin_drop(&server->pool.super, volume->record);
	slab_release(&server->slabs, &volume->slabs, !quarantine, quarantine);
	super_drop(&server->pool.super, volume->record);
	volume_free(volume);
	clean_kick(server);
	status_report(server);
}

void volume_release_all(struct client *client)
{
	struct volume *volume;

	while ((volume = LIST_FIRST(&client->volumes)))
		volume_release(volume);
	client_drop_idle(client);
}

void volume_prove_all(struct client *client)
{
	const struct volume *volume;

	client->keyed = true;
	LIST_FOREACH(volume, &client->volumes, link)
		super_proved(&client->server->pool.super, volume->record);
}

void volume_forget_all(struct server *server)
{
	struct volume *volume;
	struct client *client;

	while ((client = LIST_FIRST(&server->clients))) {
		while ((volume = LIST_FIRST(&client->volumes))) {
			slab_list_free(&volume->slabs);
			volume_free(volume);
		}
		client_forget(client);
	}
}
