/* SPDX-License-Identifier: GPL-2.0 */
/* client.h - identities that have a session or volumes */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <systemd/sd-event.h>

#include "farmem-proto.h"
#include "slab.h"

struct server;
struct session;
struct volume;

#define CLIENT_VOLUMES_MAX 1024

/**
 * struct client - an identity that has a session or volumes
 * @link: the server's list
 * @server: back pointer
 * @identity: the hash of @name
 * @name: what the client calls itself
 * @session: its live session, or its last one until that is fenced, or NULL
 * @incarnation: of the last session
 * @silent_since: when it was last heard, CLOCK_MONOTONIC seconds
 * @lease: releases the volumes of a silent client
 * @waited: the lease is over, and ends a little later, for a connection of its name
 * @volumes: what it has
 * @volume_count: how many
 * @keyed: it has proved a key since it has volumes: no session without a key is its own
 * @unfenced: earlier sessions, all of one incarnation, of which a queue pair may still exist
 * @quarantine: slabs that it gave up and could still write to: until its session is fenced,
 *	and for as long as it is @unfenced
 * @yielded: likewise, and free once the barrier of its session is through (barrier.c)
 * @wanted: bytes that it is asked to give back (evict.c)
 * @wanted_of: slabs that it had when it was asked, or gave some back last
 * @heeded: when that was, CLOCK_MONOTONIC seconds
 */
struct client {
	LIST_ENTRY(client) link;
	struct server *server;
	uint8_t identity[FARMEM_ID_LEN];
	char name[FARMEM_NAME_LEN];
	struct session *session;
	uint64_t incarnation;
	uint64_t silent_since;
	sd_event_source *lease;
	bool waited;
	LIST_HEAD(, volume) volumes;
	unsigned int volume_count;
	bool keyed;
	unsigned int unfenced;
	struct slab_list quarantine;
	struct slab_list yielded;
	uint64_t wanted;
	uint32_t wanted_of;
	uint64_t heeded;
};

/* client_identity() - what a name hashes to.  Return: 0 or -EIO. */
int client_identity(const char *name, uint8_t identity[FARMEM_ID_LEN]);

struct client *client_find(struct server *server, const uint8_t identity[FARMEM_ID_LEN]);
struct client *client_find_name(struct server *server, const char *name);

/**
 * client_get() - the client of this identity, made if need be
 * @server: has max_clients at most
 * @identity: FARMEM_ID_LEN bytes, copied
 *
 * Return: the client; NULL with errno set, EUSERS at the limit of clients.
 */
struct client *client_get(struct server *server, const uint8_t identity[FARMEM_ID_LEN]);

/* client_forget() - free the record, whatever it holds */
void client_forget(struct client *client);

/* client_drop_idle() - forget a client that has neither volumes nor a session, nor is unfenced */
void client_drop_idle(struct client *client);

/* client_is_open() - may a session without a key be of this identity? */
bool client_is_open(struct server *server, const uint8_t identity[FARMEM_ID_LEN]);

/* client_heard() - a session of this incarnation began: the lease is over */
void client_heard(struct client *client, struct session *session, uint64_t incarnation);

/* client_fenced() - its session is over, and no queue pair of it is left */
void client_fenced(struct client *client);

/*
 * client_unfenced() - its session is over, and a queue pair of it may be left.  Nothing
 * that the client has or had is lent to another one, until client_fenced_late().
 */
void client_unfenced(struct client *client);

/* client_fenced_late() - no queue pair of one such session is left; may forget the client */
void client_fenced_late(struct client *client);

/* client_quarantined() - bytes that it gave up and could still write to */
uint64_t client_quarantined(const struct client *client);

#endif /* CLIENT_H */
