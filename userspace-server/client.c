// SPDX-License-Identifier: GPL-2.0
/*
 * client.c - clients, their volumes, their quotas and their leases.
 *
 * Owns struct client and struct volume.  A client outlives its sessions: the
 * volumes are its own.  Called by admit.c and session.c (who is there), grant.c
 * (volumes) and report.c (the control socket).
 */
#include <errno.h>
#include <inttypes.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "client.h"
#include "clock.h"
#include "cm.h"
#include "log.h"
#include "parse.h"
#include "server.h"
#include "session.h"
#include "status.h"
#include "super.h"

#define IDENTITY_PREFIX "farmem-client:"

int client_identity(const char *name, uint8_t identity[FARMEM_ID_LEN])
{
	char text[sizeof(IDENTITY_PREFIX) + FARMEM_NAME_LEN];
	unsigned char hash[EVP_MAX_MD_SIZE];
	int len;

	len = snprintf(text, sizeof(text), IDENTITY_PREFIX "%.*s", FARMEM_NAME_LEN, name);
	if (!EVP_Digest(text, len, hash, NULL, EVP_sha256(), NULL))
		return -EIO;
	memcpy(identity, hash, FARMEM_ID_LEN);
	return 0;
}

struct client *client_find(struct server *server, const uint8_t identity[FARMEM_ID_LEN])
{
	struct client *client;

	LIST_FOREACH(client, &server->clients, link)
		if (!memcmp(client->identity, identity, FARMEM_ID_LEN))
			return client;
	return NULL;
}

struct client *client_find_name(struct server *server, const char *name)
{
	struct client *client;

	LIST_FOREACH(client, &server->clients, link)
		if (*client->name && !strcmp(client->name, name))
			return client;
	return NULL;
}

struct client *client_get(struct server *server, const uint8_t identity[FARMEM_ID_LEN])
{
	struct client *client = client_find(server, identity);

	if (client)
		return client;
	if (server->client_count >= server->opt.max_clients) {
		errno = EUSERS;
		return NULL;
	}
	client = calloc(1, sizeof(*client));
	if (!client)
		return NULL;
	client->server = server;
	memcpy(client->identity, identity, FARMEM_ID_LEN);
	LIST_INIT(&client->volumes);
	LIST_INSERT_HEAD(&server->clients, client, link);
	server->client_count++;
	return client;
}

static void client_free(struct client *client)
{
	sd_event_source_disable_unref(client->lease);
	slab_list_free(&client->stuck);
	LIST_REMOVE(client, link);
	client->server->client_count--;
	free(client);
}

void client_drop_idle(struct client *client)
{
	if (!client->session && LIST_EMPTY(&client->volumes))
		client_free(client);
}

bool client_is_connected(const struct client *client)
{
	return client->session && client->session->state == SESSION_LIVE;
}

void client_proved(struct client *client)
{
	const struct volume *volume;

	client->keyed = true;
	LIST_FOREACH(volume, &client->volumes, link)
		super_proved(&client->server->pool.super, volume);
}

bool client_is_open(struct server *server, const uint8_t identity[FARMEM_ID_LEN])
{
	const struct client *client = client_find(server, identity);

	return server->opt.insecure && !(client && client->keyed);
}

void client_heard(struct client *client, struct session *session)
{
	client->session = session;
	client->incarnation = session->incarnation;
	client->lease = sd_event_source_disable_unref(client->lease);
}

/* A client can't be heard before its HELLO is judged; nor is this one's name proved until then. */
static bool may_be_coming(const struct client *client)
{
	const struct session *session;

	LIST_FOREACH(session, &client->server->sessions, link)
		if (session->state == SESSION_NEW &&
		    !memcmp(session->identity, client->identity, FARMEM_ID_LEN))
			return true;
	return false;
}

static void start_lease(struct client *client, unsigned int seconds);

/*
 * A client that is just connecting gets the time of a HELLO on top of its lease, once:
 * whoever sends connection requests in its name can't keep its memory for longer.
 */
static void lease_ends(struct client *client)
{
	unsigned int lease = client->server->opt.lease;

	if (!client->waited && may_be_coming(client)) {
		client->waited = true;
		log_info("(%s): its lease of %u s ends %u s later: a connection says that it is this client",
			 client->name, lease, SESSION_HELLO_SECONDS);
		start_lease(client, SESSION_HELLO_SECONDS);
		return;
	}
	log_warn("(%s): not heard for %u s, the lease: its volumes are released", client->name,
		 lease);
	client_release(client);
}

static int on_lease(sd_event_source *source, uint64_t usec, void *data)
{
	struct client *client = data;
	unsigned int lease = client->server->opt.lease;

	(void)source;
	(void)usec;
	if (cm_is_listening(client->server)) {
		lease_ends(client);
		return 0;
	}
	log_info("(%s): its lease of %u s begins again: an RDMA device of this server is away",
		 client->name, lease);
	start_lease(client, lease);
	return 0;
}

static void start_lease(struct client *client, unsigned int seconds)
{
	struct server *server = client->server;

	client->lease = sd_event_source_disable_unref(client->lease);
	if (sd_event_add_time_relative(server->event, &client->lease, CLOCK_MONOTONIC,
				       seconds * 1000000ull, 0, on_lease, client) < 0)
		log_err("(%s): cannot start its lease; release its volumes by hand", client->name);
}

void client_silent(struct client *client)
{
	client->session = NULL;
	client->silent_since = clock_seconds();
	client->waited = false;
	if (client->server->opt.lease && !LIST_EMPTY(&client->volumes))
		start_lease(client, client->server->opt.lease);
	client_drop_idle(client);
}

uint64_t client_bytes(const struct client *client)
{
	const struct volume *volume;
	uint64_t slabs = 0;

	LIST_FOREACH(volume, &client->volumes, link)
		slabs += volume->slabs.slabs;
	return slabs * client->server->pool.slab_size;
}

uint64_t client_quarantined(const struct client *client)
{
	uint64_t slabs = client->stuck.slabs;

	if (client->session)
		slabs += client->session->quarantine.slabs;
	return slabs * client->server->pool.slab_size;
}

void client_unfenced(struct client *client, struct slab_list *quarantine)
{
	char size[SIZE_TEXT];
	size_t i;

	/* Without memory the slabs are forgotten: they stay quarantined anyway. */
	for (i = 0; i < quarantine->runs; i++)
		slab_list_append(&client->stuck, quarantine->run[i]);
	client->unfenced = true;
	format_size(quarantine->slabs * client->server->pool.slab_size, size);
	slab_list_free(quarantine);
	log_err("(%s): a queue pair of its session cannot be destroyed: %s that it gave up, and what it gives up later, stays unused until farmemd restarts",
		client->name, size);
}

struct volume *volume_find(struct client *client, const uint8_t uuid[FARMEM_ID_LEN])
{
	struct volume *volume;

	LIST_FOREACH(volume, &client->volumes, link)
		if (!memcmp(volume->uuid, uuid, FARMEM_ID_LEN))
			return volume;
	return NULL;
}

static struct volume *new_volume(struct client *client, const uint8_t uuid[FARMEM_ID_LEN],
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

static void free_volume(struct volume *volume)
{
	LIST_REMOVE(volume, link);
	volume->client->volume_count--;
	free(volume);
}

struct volume *volume_create(struct client *client, const uint8_t uuid[FARMEM_ID_LEN],
			     const char *name, struct volume_refusal *refusal)
{
	struct volume *volume = new_volume(client, uuid, name, refusal);

	if (!volume)
		return NULL;
	if (!super_add(&client->server->pool.super, volume))
		return volume;
	refusal->reason = FARMEM_ERR_NO_SPACE;
	snprintf(refusal->detail, sizeof(refusal->detail), "there are as many volumes as slabs");
	free_volume(volume);
	return NULL;
}

struct volume *volume_restore(struct client *client, const uint8_t uuid[FARMEM_ID_LEN],
			      const char *name, uint32_t record, struct volume_refusal *refusal)
{
	struct volume *volume = new_volume(client, uuid, name, refusal);

	if (volume)
		volume->record = record;
	return volume;
}

static int refuse_space(const struct server *server, uint64_t bytes, struct volume_refusal *refusal)
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
			 "asked %.9s, %.9s free, %.9s given back, held until sessions end (farmemctl server disconnect)",
			 asked, avail, later);
	else
		snprintf(refusal->detail, sizeof(refusal->detail), "asked %s, %s free",
			 asked, avail);
	return -1;
}

static int refuse_quota(const struct client *client, uint64_t bytes, uint64_t quota,
			struct volume_refusal *refusal)
{
	char asked[SIZE_TEXT], limit[SIZE_TEXT], has[SIZE_TEXT], later[SIZE_TEXT];
	uint64_t quarantined = client_quarantined(client);
	int len;

	refusal->reason = FARMEM_ERR_QUOTA;
	len = snprintf(refusal->detail, sizeof(refusal->detail),
		       "asked %s more, quota %s, %s in use",
		       format_size(bytes, asked), format_size(quota, limit),
		       format_size(client_bytes(client) + quarantined, has));
	if (quarantined)
		snprintf(refusal->detail + len, sizeof(refusal->detail) - len,
			 ", %s of it until its session ends", format_size(quarantined, later));
	return -1;
}

int volume_grow(struct volume *volume, uint64_t capacity, struct volume_refusal *refusal)
{
	struct client *client = volume->client;
	struct server *server = client->server;
	uint64_t slab_size = server->pool.slab_size;
	uint64_t need = (capacity + slab_size - 1) / slab_size;
	uint64_t quota = options_quota(&server->opt, client->name);
	uint64_t has = client_bytes(client) + client_quarantined(client);
	int ret;

	if (need <= volume->slabs.slabs)
		return 0;
	need -= volume->slabs.slabs;
	if (need > server->slabs.count)
		return refuse_space(server, need * slab_size, refusal);
	if (has > quota || need * slab_size > quota - has)
		return refuse_quota(client, need * slab_size, quota, refusal);
	ret = slab_alloc(&server->slabs, need, &volume->slabs);
	if (ret == -ENOSPC)
		return refuse_space(server, need * slab_size, refusal);
	if (ret) {
		refusal->reason = FARMEM_ERR_RESOURCES;
		snprintf(refusal->detail, sizeof(refusal->detail), "out of memory");
		return -1;
	}
	super_own(&server->pool.super, volume);
	return 0;
}

void volume_opened(struct volume *volume, uint64_t incarnation)
{
	volume->incarnation = incarnation;
	super_opened(&volume->client->server->pool.super, volume);
}

/* What a volume gives up, as far as its client could still write to it. */
static struct slab_list *quarantine_of(struct client *client)
{
	if (client->unfenced)
		return &client->stuck;
	return client->session ? &client->session->quarantine : NULL;
}

void volume_shrink(struct volume *volume, uint32_t slabs)
{
	struct client *client = volume->client;
	struct slab_list *quarantine = quarantine_of(client);
	struct slab_list rest = {};

	/* Without memory it stays as large as it is. */
	if (slabs >= volume->slabs.slabs || slab_list_cut(&volume->slabs, slabs, &rest))
		return;
	super_cut(&client->server->pool.super, volume);
	slab_release(&client->server->slabs, &rest, !quarantine, quarantine);
	clean_kick(client->server);
	status_report(client->server);
}

void volume_release(struct volume *volume)
{
	struct client *client = volume->client;
	struct server *server = client->server;
	struct slab_list *quarantine = quarantine_of(client);

	super_begin_drop(&server->pool.super, volume);
	slab_release(&server->slabs, &volume->slabs, !quarantine, quarantine);
	super_drop(&server->pool.super, volume);
	free_volume(volume);
	clean_kick(server);
	status_report(server);
}

void client_release(struct client *client)
{
	struct volume *volume;

	while ((volume = LIST_FIRST(&client->volumes)))
		volume_release(volume);
	client_drop_idle(client);
}

void client_silent_all(struct server *server)
{
	struct client *client;

	LIST_FOREACH(client, &server->clients, link)
		client_silent(client);
}

void client_forget_all(struct server *server)
{
	struct volume *volume;
	struct client *client;

	while ((client = LIST_FIRST(&server->clients))) {
		while ((volume = LIST_FIRST(&client->volumes))) {
			LIST_REMOVE(volume, link);
			slab_list_free(&volume->slabs);
			free(volume);
		}
		client_free(client);
	}
}
