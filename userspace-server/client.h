/* SPDX-License-Identifier: GPL-2.0 */
/* client.h - who has memory, and which */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <systemd/sd-event.h>

#include "farmem-proto.h"
#include "slab.h"

struct grant;
struct server;
struct session;

#define CLIENT_VOLUMES_MAX 1024

/**
 * struct volume - memory that a client has reserved
 * @link: the client's list
 * @client: whose
 * @uuid: the client's name for it
 * @name: for people
 * @slabs: in the volume's order
 * @grant: its registrations while it is open
 * @record: index of its record in the superblock
 * @incarnation: of the client that opened it last
 * @mended: a slab of it is a stand-in, whose pages may be lost
 */
struct volume {
	LIST_ENTRY(volume) link;
	struct client *client;
	uint8_t uuid[FARMEM_ID_LEN];
	char name[FARMEM_VOLUME_NAME_LEN];
	struct slab_list slabs;
	struct grant *grant;
	uint32_t record;
	uint64_t incarnation;
	bool mended;
};

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
 * @keyed: it has proved a key since it has volumes: without one nobody is this client
 * @unfenced: a queue pair of an earlier session may still exist
 * @stuck: slabs that it could write to; quarantined for ever
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
	bool unfenced;
	struct slab_list stuck;
};

/* client_identity() - what a name hashes to.  Return: 0 or -EIO. */
int client_identity(const char *name, uint8_t identity[FARMEM_ID_LEN]);

struct client *client_find(struct server *server, const uint8_t identity[FARMEM_ID_LEN]);
struct client *client_find_name(struct server *server, const char *name);

/**
 * client_get() - the client of this identity, made if need be
 *
 * Return: the client; NULL with errno set, EUSERS at the limit of clients.
 */
struct client *client_get(struct server *server, const uint8_t identity[FARMEM_ID_LEN]);

/* client_drop_idle() - forget a client that has neither session nor volumes */
void client_drop_idle(struct client *client);

/* client_is_connected() - it has a session that is not over */
bool client_is_connected(const struct client *client);


/**
 * client_proved() - its session has proved a key
 *
 * As long as it has volumes, its name is open to nobody without a key, whatever becomes
 * of the key's line: those who may know the name and the volumes are many.
 */
void client_proved(struct client *client);

/* client_is_open() - may whoever says this name be this client, and prove nothing? */
bool client_is_open(struct server *server, const uint8_t identity[FARMEM_ID_LEN]);

/* client_heard(), client_silent() - a session began; the session is over, and fenced */
void client_heard(struct client *client, struct session *session);
void client_silent(struct client *client);

/**
 * client_unfenced() - the client's session ended without a fence
 * @client: whose
 * @quarantine: what it gave up in that session; emptied
 *
 * Nothing that it has or had is lent to anybody else again.
 */
void client_unfenced(struct client *client, struct slab_list *quarantine);

/* client_bytes() - bytes of all its volumes */
uint64_t client_bytes(const struct client *client);

/*
 * client_quarantined() - bytes that it gave up, and that it could still write to: held
 * until its session ends, or farmemd if there was no fence
 */
uint64_t client_quarantined(const struct client *client);

struct volume *volume_find(struct client *client, const uint8_t uuid[FARMEM_ID_LEN]);

/* What volume_grow() was refused for, and the sentence that says so. */
struct volume_refusal {
	enum farmem_reason reason;
	char detail[120];
};

/**
 * volume_create() - a new volume without memory
 *
 * Return: the volume, or NULL with @refusal filled.
 */
struct volume *volume_create(struct client *client, const uint8_t uuid[FARMEM_ID_LEN],
			     const char *name, struct volume_refusal *refusal);

/**
 * volume_restore() - a volume that the superblock has in @record, without memory yet
 *
 * Return: the volume, or NULL with @refusal filled.
 */
struct volume *volume_restore(struct client *client, const uint8_t uuid[FARMEM_ID_LEN],
			      const char *name, uint32_t record, struct volume_refusal *refusal);

/**
 * volume_grow() - make a volume at least as large as @capacity bytes
 *
 * Never shrinks.  New slabs may have to be zeroed first, slab_find_reserved()
 * tells.
 *
 * Return: 0, or -1 with @refusal filled and nothing changed.
 */
int volume_grow(struct volume *volume, uint64_t capacity, struct volume_refusal *refusal);

/**
 * volume_shrink() - take back what volume_grow() gave, and nobody was told of
 * @volume: no registration of it exists
 * @slabs: that it had before
 */
void volume_shrink(struct volume *volume, uint32_t slabs);

/* volume_opened() - by a client of this incarnation; before it is granted */
void volume_opened(struct volume *volume, uint64_t incarnation);

/**
 * volume_release() - give a volume's memory back and forget it
 *
 * The slabs are quarantined if the client has a session or was not fenced, else
 * cleaned.
 */
void volume_release(struct volume *volume);

/* client_release() - volume_release() all volumes; the client may go with them */
void client_release(struct client *client);

/* client_silent_all() - none is connected yet: leases begin */
void client_silent_all(struct server *server);

/* client_forget_all() - at exit: free the records, whatever they hold */
void client_forget_all(struct server *server);

#endif /* CLIENT_H */
