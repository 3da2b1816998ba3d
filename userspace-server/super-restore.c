// SPDX-License-Identifier: GPL-2.0
/*
 * super-restore.c - clients, volumes and slabs as a superblock has them.
 *
 * Owns nothing.  Called by main() once, when farmemd starts on a pool that is there.
 * super.c says in which order all was stored, and so what can be half done.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "format.h"
#include "message.h"
#include "server.h"
#include "super-layout.h"
#include "super-restore.h"
#include "volume.h"

/* Is this slab a volume's for certain?  Otherwise it is free. */
static bool super_restore_is_owned(const struct super *super, uint64_t word, uint32_t *record)
{
	enum slab_state state = super_word_state(word);

	return (state == SLAB_LENT || state == SLAB_RESERVED) && super_word_owner(word, record) &&
	       *record < super->slabs && super_volume_is_used(&super->volume[*record]) &&
	       super_word_place(word) < super->volume[*record].slabs;
}

/* A bad slab whose place another one has taken already. */
static void super_restore_drop_replaced(struct super *super)
{
	uint64_t *word = super->word;
	uint32_t slab, bad;

	for (slab = 0; slab < super->slabs; slab++)
		for (bad = 0; super_word_is_standin(word[slab]) && bad < super->slabs; bad++)
			if (!super_word_is_standin(word[bad]) && word[bad] >> STATE_BITS &&
			    word[bad] >> STATE_BITS == word[slab] >> STATE_BITS)
				STORE(word[bad], SLAB_DIRTY);
}

/* The first pass: slabs of no volume are clean or dirty, and a half-made volume goes. */
static void super_restore_settle(struct super *super, struct slab_table *table)
{
	uint32_t slab, record;

	super_restore_drop_replaced(super);
	for (slab = 0; slab < super->slabs; slab++) {
		uint64_t word = super->word[slab];
		enum slab_state state = super_word_state(word);

		if (!super_restore_is_owned(super, word, &record) &&
		    word != SLAB_CLEAN && word != SLAB_ABSENT)
			state = SLAB_DIRTY;
		slab_set(table, slab, state);
	}
	for (record = 0; record < super->slabs; record++)
		if (!super_volume_is_used(&super->volume[record]) || !super->volume[record].slabs)
			STORE(super->volume[record].state, VOLUME_FREE);
}

/* Could super_add() have written this?  Its strings are used as such from here on. */
static bool super_restore_is_sound(const struct super_volume *from)
{
	static const uint8_t none[FARMEM_ID_LEN];

	return *from->client && message_is_name(from->client, sizeof(from->client)) &&
	       memchr(from->name, '\0', sizeof(from->name)) &&
	       memcmp(from->uuid, none, sizeof(none));
}

static struct client *super_restore_client(struct server *server, const char *name)
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

static struct volume *super_restore_volume(struct client *client, uint32_t record)
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
static int super_restore_record(struct server *server, uint32_t record, struct volume **volume,
				char *error, size_t size)
{
	const struct super_volume *from = &server->pool.super.volume[record];
	struct client *client;
	char name[NAME_TEXT];

	if (!super_restore_is_sound(from)) {
		snprintf(error, size, "its record %u describes no volume", record);
		return -EINVAL;
	}
	client = super_restore_client(server, from->client);
	if (client && volume_find(client, from->uuid)) {
		snprintf(error, size, "volume '%s' of '%s' is there twice",
			 format_name(from->name, name), from->client);
		return -EINVAL;
	}
	*volume = client ? super_restore_volume(client, record) : NULL;
	if (!*volume) {
		snprintf(error, size, "no room for a volume of '%s'; raise --max-clients",
			 from->client);
		return -ENOMEM;
	}
	return 0;
}

/* The slab at each place, for all volumes one after the other. */
struct places {
	uint32_t *slab;		/* + 1; 0: none */
	uint32_t *first;	/* of each volume */
};

static int super_restore_find_places(const struct super *super, struct places *places, char *error,
				     size_t size)
{
	uint64_t total = 0;
	uint32_t slab, record, at;

	for (record = 0; record < super->slabs; record++) {
		places->first[record] = total;
		if (super_volume_is_used(&super->volume[record]))
			total += super->volume[record].slabs;
		if (total > super->slabs) {
			snprintf(error, size, "its volumes have more slabs than the pool");
			return -EINVAL;
		}
	}
	for (slab = 0; slab < super->slabs; slab++) {
		if (!super_restore_is_owned(super, super->word[slab], &record))
			continue;
		at = places->first[record] + super_word_place(super->word[slab]);
		if (places->slab[at]) {
			snprintf(error, size, "slabs %u and %u have the same place in a volume",
				 places->slab[at] - 1, slab);
			return -EINVAL;
		}
		places->slab[at] = slab + 1;
	}
	return 0;
}

static int super_restore_slabs(const struct super *super, const struct places *places,
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
		volume->mended |= super_word_is_standin(super->word[slab - 1]);
		if (slab_list_append(&volume->slabs, (struct slab_run){ slab - 1, 1 }))
			return -ENOMEM;
	}
	return 0;
}

static int super_restore_volumes(struct server *server, const struct places *places,
				 char *error, size_t size)
{
	const struct super *super = &server->pool.super;
	struct volume *volume;
	uint32_t record;
	int ret = 0;

	for (record = 0; record < super->slabs && !ret; record++) {
		if (!super_volume_is_used(&super->volume[record]))
			continue;
		ret = super_restore_record(server, record, &volume, error, size);
		if (!ret)
			ret = super_restore_slabs(super, places, volume, error, size);
	}
	return ret;
}

/* A farmemd that was killed within volume_prove_all() has marked only some of the records. */
static void super_restore_proofs(struct server *server)
{
	struct client *client;

	LIST_FOREACH(client, &server->clients, link)
		if (client->keyed)
			volume_prove_all(client);
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
		super_restore_settle(super, &server->slabs);
		ret = super_restore_find_places(super, &places, error, size);
	}
	if (!ret)
		ret = super_restore_volumes(server, &places, error, size);
	if (!ret)
		super_restore_proofs(server);
	free(places.slab);
	free(places.first);
	return ret;
}
