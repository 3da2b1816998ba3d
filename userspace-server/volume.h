/* SPDX-License-Identifier: GPL-2.0 */
/* volume.h - the memory that a client has reserved */
#ifndef VOLUME_H
#define VOLUME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "farmem-proto.h"
#include "slab.h"

struct client;
struct grant;
struct server;

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

/* volume_bytes() - bytes of all volumes of a client */
uint64_t volume_bytes(const struct client *client);

struct volume *volume_find(struct client *client, const uint8_t uuid[FARMEM_ID_LEN]);

/* Why a volume was not made or did not grow: the reason, and a sentence for people. */
struct volume_refusal {
	enum farmem_reason reason;
	char detail[120];
};

/**
 * volume_create() - a new volume without memory
 * @client: whose; has no volume of this UUID
 * @uuid: copied
 * @name: for people, any bytes up to a NUL; copied
 * @refusal: filled if there is no volume
 *
 * Return: the volume, or NULL with @refusal filled.
 */
struct volume *volume_create(struct client *client, const uint8_t uuid[FARMEM_ID_LEN],
			     const char *name, struct volume_refusal *refusal);

/**
 * volume_restore() - a volume that the superblock has in @record, without memory yet
 * @client: of the name that the record has
 * @uuid: copied
 * @name: for people, any bytes up to a NUL; copied
 * @record: number of its record in the superblock
 * @refusal: filled if there is no volume
 *
 * Return: the volume, or NULL with @refusal filled.
 */
struct volume *volume_restore(struct client *client, const uint8_t uuid[FARMEM_ID_LEN],
			      const char *name, uint32_t record, struct volume_refusal *refusal);

/**
 * volume_grow() - make a volume at least as large as @capacity bytes
 * @volume: not open
 * @capacity: bytes, rounded up to whole slabs
 * @refusal: filled if it does not grow
 *
 * Never shrinks.  New slabs may have to be zeroed first, slab_find_reserved()
 * tells.
 *
 * Return: 0, or -1 with @refusal filled and nothing changed.
 */
int volume_grow(struct volume *volume, uint64_t capacity, struct volume_refusal *refusal);

/**
 * volume_shrink() - take back what volume_grow() gave, and no client was told of
 * @volume: no registration of it exists
 * @slabs: that it had before
 */
void volume_shrink(struct volume *volume, uint32_t slabs);

/* volume_opened() - by a client of this incarnation; before it is granted */
void volume_opened(struct volume *volume, uint64_t incarnation);

/**
 * volume_release() - give a volume's memory back and forget it
 * @volume: no live session has registrations of it; freed
 *
 * The slabs are quarantined if the client has a session or was not fenced, else
 * cleaned.
 */
void volume_release(struct volume *volume);

/* volume_release_all() - volume_release() all volumes of a client; the client may go with them */
void volume_release_all(struct client *client);

/**
 * volume_prove_all() - a client has proved a key, and all its volumes say so
 * @client: whether it has volumes or none: those that it gets later say so too
 *
 * As long as the client has volumes, no session without a key is of its name, also when
 * the key's line is gone from the file.  Its name and its volumes are no secret.
 */
void volume_prove_all(struct client *client);

/* volume_forget_all() - at exit: free the records of volumes and clients */
void volume_forget_all(struct server *server);

#endif /* VOLUME_H */
