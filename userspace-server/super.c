// SPDX-License-Identifier: GPL-2.0
/*
 * super.c - the superblock: which volume has which slab, behind the slabs themselves.
 *
 * Owns the records.  Called by volume.c and standin.c for volumes, and by slab.c for states;
 * super-restore.c reads them when farmemd starts on a pool that is there.  farmemd may be
 * killed between any two stores.  No slab may be lent with an earlier owner's bytes, or
 * while it is another volume's.  So:
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
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "super.h"
#include "super-layout.h"

#define MAGIC	0x4c4f4f504d524146ull	/* "FARMPOOL" */
#define VERSION	3

static int super_checksum(const struct super_head *head, uint8_t *sum)
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
	if (head->magic != MAGIC || super_checksum(head, sum) ||
	    memcmp(sum, head->checksum, sizeof(sum)))
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

int super_format(struct super *super, const struct super_geometry *geometry, uint32_t held)
{
	struct super_head *head = super->head;
	int ret;

	head->version = VERSION;
	head->slabs = geometry->slabs;
	head->slab_size = geometry->slab_size;
	head->generation = geometry->generation;
	ret = super_checksum(head, head->checksum);
	if (ret)
		return ret;
	for (; held < geometry->slabs; held++)
		STORE(super->word[held], SLAB_ABSENT);
	super_map_publish(super, head, sizeof(*head));
	STORE(head->magic, MAGIC);
	return 0;
}

int super_find_hollow(int fd, uint64_t offset, uint32_t slabs, bool *hollow)
{
	size_t bytes = slabs * sizeof(uint64_t);
	uint64_t *word = calloc(slabs, sizeof(*word));
	enum slab_state state;
	uint32_t slab;

	if (!word)
		return -ENOMEM;
	/* Where it can't be read, all seem clean. */
	if (pread(fd, word, bytes, offset + (uint64_t)slabs * SUPER_VOLUME_BYTES) != (ssize_t)bytes)
		memset(word, 0, bytes);
	for (slab = 0; slab < slabs; slab++) {
		state = super_word_state(word[slab]);
		hollow[slab] = state != SLAB_CLEAN && state != SLAB_LENT;
	}
	free(word);
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
	case SLAB_ABSENT:
		STORE(super->word[slab], SLAB_ABSENT);
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

int super_add(struct super *super, const char client[FARMEM_NAME_LEN],
	      const uint8_t uuid[FARMEM_ID_LEN], const char name[FARMEM_VOLUME_NAME_LEN],
	      uint32_t *record)
{
	struct super_volume *free = super->volume;
	uint32_t i;

	for (i = 0; i < super->slabs; i++, free++)
		if (free->state == VOLUME_FREE)
			break;
	if (i == super->slabs)
		return -ENOSPC;
	*free = (struct super_volume){ .state = VOLUME_FREE };
	memcpy(free->client, client, sizeof(free->client));
	memcpy(free->uuid, uuid, sizeof(free->uuid));
	memcpy(free->name, name, sizeof(free->name));
	super_map_publish(super, free, sizeof(*free));
	STORE(free->state, VOLUME_HALF);
	*record = i;
	return 0;
}

void super_own(struct super *super, uint32_t record, uint32_t place, uint32_t slab)
{
	STORE(super->word[slab],
	      super_word_make(super_word_state(super->word[slab]), record, place));
}

void super_resize(struct super *super, uint32_t record, uint32_t slabs)
{
	STORE(super->volume[record].slabs, slabs);
}

void super_stand_in(struct super *super, uint32_t record, uint32_t place, uint32_t bad,
		    uint32_t slab)
{
	/* The bad slab may be a stand-in itself. */
	STORE(super->word[bad], super->word[bad] & ~(uint64_t)STANDIN);
	STORE(super->word[slab], super_word_make(SLAB_LENT, record, place) | STANDIN);
}

void super_opened(struct super *super, uint32_t record, uint64_t incarnation, bool keyed)
{
	STORE(super->volume[record].incarnation, incarnation);
	STORE(super->volume[record].state, keyed ? VOLUME_KEYED : VOLUME_USED);
}

void super_proved(struct super *super, uint32_t record)
{
	if (super_volume_is_used(&super->volume[record]))
		STORE(super->volume[record].state, VOLUME_KEYED);
}

void super_begin_drop(struct super *super, uint32_t record)
{
	STORE(super->volume[record].state, VOLUME_HALF);
}

void super_drop(struct super *super, uint32_t record)
{
	STORE(super->volume[record].state, VOLUME_FREE);
}
