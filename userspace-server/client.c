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
#include "format.h"
#include "log.h"
#include "server.h"

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

void client_forget(struct client *client)
{
	sd_event_source_disable_unref(client->lease);
	slab_list_free(&client->quarantine);
	slab_list_free(&client->yielded);
	LIST_REMOVE(client, link);
	client->server->client_count--;
	free(client);
}

void client_drop_idle(struct client *client)
{
	if (!client->session && !client->unfenced && LIST_EMPTY(&client->volumes))
		client_forget(client);
}

bool client_is_open(struct server *server, const uint8_t identity[FARMEM_ID_LEN])
{
	const struct client *client = client_find(server, identity);

	return server->opt.insecure && !(client && client->keyed);
}

void client_heard(struct client *client, struct session *session, uint64_t incarnation)
{
	client->session = session;
	client->incarnation = incarnation;
	client->lease = sd_event_source_disable_unref(client->lease);
}

uint64_t client_quarantined(const struct client *client)
{
	return (client->quarantine.slabs + client->yielded.slabs) * client->server->pool.slab_size;
}

void client_fenced(struct client *client)
{
	/* A queue pair of an earlier session may be left. */
	if (client->unfenced)
		return;
	slab_fence(&client->server->slabs, &client->quarantine);
	slab_fence(&client->server->slabs, &client->yielded);
}

void client_unfenced(struct client *client)
{
	char size[SIZE_TEXT];

	client->unfenced++;
	format_size(client_quarantined(client), size);
	log_err("(%s): farmemd cannot destroy a queue pair of this client's session: %s that the client gave up, and all that it gives up later, stays unused until the RDMA device is removed, or farmemd restarts",
		client->name, size);
}

void client_fenced_late(struct client *client)
{
	if (--client->unfenced)
		return;
	log_info("(%s): the RDMA device is removed, and every queue pair of this client's earlier sessions with it",
		 client->name);
	/* What it gives up in a session waits for that one's end. */
	if (client->session)
		return;
	client_fenced(client);
	client_drop_idle(client);
}
