// SPDX-License-Identifier: GPL-2.0
/*
 * super.c - the superblock: who has which slab, behind the slabs themselves.
 *
 * Owns the records; called by client.c (volumes) and slab.c (states), read by
 * super-restore.c when farmemd starts on a pool that is there.  farmemd may be
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
#include <stddef.h>
#include <string.h>

#include "client.h"
#include "standin.h"
#include "super.h"
#include "super-layout.h"
#include "volume.h"

#define MAGIC	0x4c4f4f504d524146ull	/* "FARMPOOL" */
#define VERSION	3

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
