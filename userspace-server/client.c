// SPDX-License-Identifier: GPL-2.0
/*
 * client.c - clients.
 *
 * Owns struct client.  A client outlives its sessions: the volumes are its own (volume.c),
 * for as long as its lease (lease.c).  Called by admit.c and session.c, which know whether
 * it is connected, by volume.c and by report.c.
 */
#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "log.h"
#include "parse.h"
#include "server.h"
#include "session.h"
#include "super.h"
#include "volume.h"

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
		super_proved(&client->server->pool.super, volume->record);
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
