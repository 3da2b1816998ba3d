// SPDX-License-Identifier: GPL-2.0
/*
 * super.c - the superblock: who has which slab, behind the slabs themselves.
 *
 * Owns the records; called by client.c (volumes) and slab.c (states), read by
 * super_restore() when farmemd starts on a pool that is there.  farmemd may be
 * killed between any two stores.  So that no slab is ever lent with an earlier
 * owner's bytes, or while it is somebody's:
 *
 * - A slab's word is one store: state, volume, place in the volume.
 * - A volume has the first @slabs places; words come first, then that number.
 *   Only then is anything granted.  Words beyond it are nobody's.
 * - A slab that takes a bad one's place says so.  Both have that place for a moment: it is
 *   the stand-in's then.
 * - A volume that goes is marked first, then its slabs become dirty, then its
 *   record is free.  A marked one is gone when farmemd comes back.
 * - Clean is what has been zeroed, or was never lent.  When in doubt: dirty.
 *
 * Numbers are this machine's own: the pool never leaves it.
 */
#include <errno.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "message.h"
#include "parse.h"
#include "server.h"
#include "standin.h"
#include "super.h"

#define MAGIC	0x4c4f4f504d524146ull	/* "FARMPOOL" */
#define VERSION	3
#define PAGE	((uint64_t)SUPER_HEAD_BYTES)

enum volume_state {
	VOLUME_FREE,
	VOLUME_USED,
	VOLUME_HALF,	/* not opened yet, or on its way out */
	VOLUME_KEYED,	/* used, and its client has proved a key */
};

/**
 * struct super_head - a page
 * @magic: MAGIC, stored last
 * @version: of this layout
 * @slabs: of the pool
 * @slab_size: bytes
 * @generation: of the memory
 * @checksum: SHA-256 of all before it
 */
struct super_head {
	uint64_t magic;
	uint32_t version;
	uint32_t slabs;
	uint64_t slab_size;
	uint64_t generation;
	uint8_t checksum[32];
	uint8_t reserved[4032];
};
_Static_assert(sizeof(struct super_head) == PAGE, "super_head");

/**
 * struct super_volume - a volume
 * @state: enum volume_state
 * @slabs: places that are its own
 * @client: name of its client
 * @uuid: its identity
 * @name: for people
 * @incarnation: of who opened it last
 */
struct super_volume {
	uint32_t state;
	uint32_t slabs;
	char client[FARMEM_NAME_LEN];
	uint8_t uuid[FARMEM_ID_LEN];
	char name[FARMEM_VOLUME_NAME_LEN];
	uint64_t incarnation;
};
_Static_assert(sizeof(struct super_volume) == SUPER_VOLUME_BYTES, "super_volume");

/* A slab's word: state, 28 bits of place, 28 bits of volume + 1 (0: nobody's). */
#define STATE_BITS 8
#define STANDIN    0x80	/* of the state: in the place of a bad one */
#define FIELD_BITS 28
#define FIELD_MASK ((1ull << FIELD_BITS) - 1)

static uint64_t make_word(enum slab_state state, uint32_t record, uint32_t place)
{
	return state | (uint64_t)place << STATE_BITS |
	       (uint64_t)(record + 1) << (STATE_BITS + FIELD_BITS);
}

static enum slab_state state_of(uint64_t word)
{
	return word & (STANDIN - 1);
}

static uint32_t place_of(uint64_t word)
{
	return word >> STATE_BITS & FIELD_MASK;
}

static bool is_standin(uint64_t word)
{
	return word & STANDIN;
}

/* False: nobody's. */
static bool owner_of(uint64_t word, uint32_t *record)
{
	*record = (word >> (STATE_BITS + FIELD_BITS)) - 1;
	return word >> (STATE_BITS + FIELD_BITS);
}

static bool is_used(const struct super_volume *record)
{
	return record->state == VOLUME_USED || record->state == VOLUME_KEYED;
}

/* The compiler keeps the order of these, and each is one store to the pool. */
#define STORE(to, value) \
	do { \
		(to) = (value); \
		super_publish(super, &(to), sizeof(to)); \
	} while (0)

static int checksum(const struct super_head *head, uint8_t *sum)
{
	return EVP_Digest(&head->version, offsetof(struct super_head, checksum) -
			  offsetof(struct super_head, version), sum, NULL,
			  EVP_sha256(), NULL) ? 0 : -EIO;
}

int super_read(const void *from, struct super_geometry *geometry)
{
	const struct super_head *head = from;
	uint8_t sum[sizeof(head->checksum)];

	if (!head->magic)
		return -ENOENT;
	if (head->magic != MAGIC || checksum(head, sum) || memcmp(sum, head->checksum, sizeof(sum)))
		return -EINVAL;
	if (head->version != VERSION)
		return -EPROTONOSUPPORT;
	*geometry = (struct super_geometry) {
		.slab_size = head->slab_size,
		.generation = head->generation,
		.slabs = head->slabs,
	};
	return 0;
}

int super_format(struct super *super, const struct super_geometry *geometry)
{
	struct super_head *head = super->head;
	int ret;

	head->version = VERSION;
	head->slabs = geometry->slabs;
	head->slab_size = geometry->slab_size;
	head->generation = geometry->generation;
	ret = checksum(head, head->checksum);
	if (ret)
		return ret;
	super_publish(super, head, sizeof(*head));
	STORE(head->magic, MAGIC);
	return 0;
}

void super_slab(struct super *super, uint32_t slab, enum slab_state state)
{
	/* And whether it is a stand-in. */
	uint64_t owner = super->word[slab] & ~(uint64_t)(STANDIN - 1);

	switch (state) {
	case SLAB_CLEAN:
		STORE(super->word[slab], SLAB_CLEAN);
		break;
	case SLAB_RESERVED:
	case SLAB_LENT:
		STORE(super->word[slab], owner | state);
		break;
	default:
		/* A queue pair that could still write to it dies with farmemd. */
		STORE(super->word[slab], SLAB_DIRTY);
	}
}

int super_add(struct super *super, struct volume *volume)
{
	struct super_volume *record = super->volume;
	uint32_t i;

	for (i = 0; i < super->slabs; i++, record++)
		if (record->state == VOLUME_FREE)
			break;
	if (i == super->slabs)
		return -ENOSPC;
	record->slabs = 0;
	record->incarnation = volume->incarnation;
	memcpy(record->client, volume->client->name, sizeof(record->client));
	memcpy(record->uuid, volume->uuid, sizeof(record->uuid));
	memcpy(record->name, volume->name, sizeof(record->name));
	super_publish(super, record, sizeof(*record));
	STORE(record->state, VOLUME_HALF);
	volume->record = i;
	return 0;
}

void super_own(struct super *super, const struct volume *volume)
{
	struct super_volume *record = &super->volume[volume->record];
	const struct slab_run *run = volume->slabs.run;
	uint32_t place = 0, slab;
	size_t i;

	for (i = 0; i < volume->slabs.runs; i++) {
		for (slab = run[i].first; slab < run[i].first + run[i].count; slab++, place++)
			if (place >= record->slabs)
				STORE(super->word[slab], make_word(state_of(super->word[slab]),
								   volume->record, place));
	}
	STORE(record->slabs, place);
}

void super_stand_in(struct super *super, const struct volume *volume,
		    const struct standin *standin)
{
	uint64_t *bad = &super->word[standin->bad];

	/* It may be one itself. */
	STORE(*bad, *bad & ~(uint64_t)STANDIN);
	STORE(super->word[standin->slab],
	      make_word(SLAB_LENT, volume->record, standin->place) | STANDIN);
}

void super_cut(struct super *super, const struct volume *volume)
{
	STORE(super->volume[volume->record].slabs, volume->slabs.slabs);
}

void super_opened(struct super *super, const struct volume *volume)
{
	STORE(super->volume[volume->record].incarnation, volume->incarnation);
	STORE(super->volume[volume->record].state,
	      volume->client->keyed ? VOLUME_KEYED : VOLUME_USED);
}

void super_proved(struct super *super, const struct volume *volume)
{
	if (is_used(&super->volume[volume->record]))
		STORE(super->volume[volume->record].state, VOLUME_KEYED);
}

void super_begin_drop(struct super *super, const struct volume *volume)
{
	STORE(super->volume[volume->record].state, VOLUME_HALF);
}

void super_drop(struct super *super, const struct volume *volume)
{
	STORE(super->volume[volume->record].state, VOLUME_FREE);
}

/* Is this slab a volume's for certain?  Otherwise nobody has it. */
static bool owned(const struct super *super, uint64_t word, uint32_t *record)
{
	enum slab_state state = state_of(word);

	return (state == SLAB_LENT || state == SLAB_RESERVED) && owner_of(word, record) &&
	       *record < super->slabs && is_used(&super->volume[*record]) &&
	       place_of(word) < super->volume[*record].slabs;
}

/* A bad slab whose place another one has taken already. */
static void drop_replaced(struct super *super)
{
	uint64_t *word = super->word;
	uint32_t slab, bad;

	for (slab = 0; slab < super->slabs; slab++)
		for (bad = 0; is_standin(word[slab]) && bad < super->slabs; bad++)
			if (!is_standin(word[bad]) && word[bad] >> STATE_BITS &&
			    word[bad] >> STATE_BITS == word[slab] >> STATE_BITS)
				STORE(word[bad], SLAB_DIRTY);
}

/* The first pass: what is nobody's is clean or dirty, and half a volume nothing. */
static void settle(struct super *super, struct slab_table *table)
{
	uint32_t slab, record;

	drop_replaced(super);
	for (slab = 0; slab < super->slabs; slab++) {
		uint64_t word = super->word[slab];
		bool mine = owned(super, word, &record);

		slab_set(table, slab, mine ? state_of(word) :
			     word == SLAB_CLEAN ? SLAB_CLEAN : SLAB_DIRTY);
	}
	for (record = 0; record < super->slabs; record++)
		if (!is_used(&super->volume[record]) || !super->volume[record].slabs)
			STORE(super->volume[record].state, VOLUME_FREE);
}

/* Could super_add() have written this?  Its strings are used as such from here on. */
static bool is_sound(const struct super_volume *from)
{
	static const uint8_t none[FARMEM_ID_LEN];

	return *from->client && message_is_name(from->client, sizeof(from->client)) &&
	       memchr(from->name, '\0', sizeof(from->name)) &&
	       memcmp(from->uuid, none, sizeof(none));
}

static struct client *restore_client(struct server *server, const char *name)
{
	uint8_t identity[FARMEM_ID_LEN];
	struct client *client;

	if (client_identity(name, identity))
		return NULL;
	client = client_get(server, identity);
	if (client)
		strcpy(client->name, name);
	return client;
}

static struct volume *restore_volume(struct client *client, uint32_t record)
{
	const struct super_volume *from = &client->server->pool.super.volume[record];
	struct volume_refusal refusal;
	struct volume *volume;

	volume = volume_restore(client, from->uuid, from->name, record, &refusal);
	if (volume)
		volume->incarnation = from->incarnation;
	if (volume && from->state == VOLUME_KEYED)
		client->keyed = true;
	return volume;
}

/* All of a volume but its slabs. */
static int restore_record(struct server *server, uint32_t record, struct volume **volume,
			  char *error, size_t size)
{
	const struct super_volume *from = &server->pool.super.volume[record];
	struct client *client;
	char name[NAME_TEXT];

	if (!is_sound(from)) {
		snprintf(error, size, "its record %u is no volume's", record);
		return -EINVAL;
	}
	client = restore_client(server, from->client);
	if (client && volume_find(client, from->uuid)) {
		snprintf(error, size, "volume '%s' of '%s' is there twice",
			 format_name(from->name, name), from->client);
		return -EINVAL;
	}
	*volume = client ? restore_volume(client, record) : NULL;
	if (!*volume) {
		snprintf(error, size, "no room for a volume of '%s'; raise --max-clients",
			 from->client);
		return -ENOMEM;
	}
	return 0;
}

/* Whose slab is at a place, for all volumes one after the other. */
struct places {
	uint32_t *slab;		/* + 1; 0: none */
	uint32_t *first;	/* of each volume */
};

static int find_places(const struct super *super, struct places *places, char *error, size_t size)
{
	uint64_t total = 0;
	uint32_t slab, record, at;

	for (record = 0; record < super->slabs; record++) {
		places->first[record] = total;
		if (is_used(&super->volume[record]))
			total += super->volume[record].slabs;
		if (total > super->slabs) {
			snprintf(error, size, "its volumes have more slabs than it has");
			return -EINVAL;
		}
	}
	for (slab = 0; slab < super->slabs; slab++) {
		if (!owned(super, super->word[slab], &record))
			continue;
		at = places->first[record] + place_of(super->word[slab]);
		if (places->slab[at]) {
			snprintf(error, size, "slabs %u and %u have the same place in a volume",
				 places->slab[at] - 1, slab);
			return -EINVAL;
		}
		places->slab[at] = slab + 1;
	}
	return 0;
}

static int restore_slabs(const struct super *super, const struct places *places,
			 struct volume *volume, char *error, size_t size)
{
	uint32_t place, slab;
	char name[NAME_TEXT];

	for (place = 0; place < super->volume[volume->record].slabs; place++) {
		slab = places->slab[places->first[volume->record] + place];
		if (!slab) {
			snprintf(error, size, "volume '%s' of '%s' lacks slab %u",
				 format_name(volume->name, name), volume->client->name, place);
			return -EINVAL;
		}
		volume->mended |= is_standin(super->word[slab - 1]);
		if (slab_list_append(&volume->slabs, (struct slab_run){ slab - 1, 1 }))
			return -ENOMEM;
	}
	return 0;
}

static int restore_volumes(struct server *server, const struct places *places,
			   char *error, size_t size)
{
	const struct super *super = &server->pool.super;
	struct volume *volume;
	uint32_t record;
	int ret = 0;

	for (record = 0; record < super->slabs && !ret; record++) {
		if (!is_used(&super->volume[record]))
			continue;
		ret = restore_record(server, record, &volume, error, size);
		if (!ret)
			ret = restore_slabs(super, places, volume, error, size);
	}
	return ret;
}

/* Of a farmemd that was killed within client_proved(): some records say it, others do not. */
static void prove_all(struct server *server)
{
	struct client *client;

	LIST_FOREACH(client, &server->clients, link)
		if (client->keyed)
			client_proved(client);
}

int super_restore(struct server *server, char *error, size_t size)
{
	struct super *super = &server->pool.super;
	struct places places = {
		.slab = calloc(super->slabs, sizeof(*places.slab)),
		.first = calloc(super->slabs, sizeof(*places.first)),
	};
	int ret = -ENOMEM;

	snprintf(error, size, "out of memory");
	if (places.slab && places.first) {
		settle(super, &server->slabs);
		ret = find_places(super, &places, error, size);
	}
	if (!ret)
		ret = restore_volumes(server, &places, error, size);
	if (!ret)
		prove_all(server);
	free(places.slab);
	free(places.first);
	return ret;
}
