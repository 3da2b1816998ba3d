// SPDX-License-Identifier: GPL-2.0
/*
 * standin.c - a slab in the place of one with a memory error.
 *
 * When a volume is opened, another slab takes the place of a bad one, with the pages that
 * can still be read.  Called by grant.c before it registers: no queue pair reaches either
 * slab then, so that this process may read them.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "farmem-proto.h"
#include "format.h"
#include "log.h"
#include "parse.h"
#include "poison.h"
#include "pool.h"
#include "prefault.h"
#include "server.h"
#include "standin.h"
#include "super.h"
#include "volume.h"

int standin_begin(struct server *server, const struct volume *volume, uint32_t had,
		  struct standin *standin)
{
	struct slab_list one = {};
	int ret;

	if (!slab_find_bad(&server->slabs, &volume->slabs, &standin->place, &standin->bad))
		return 0;
	ret = slab_alloc(&server->slabs, 1, &one);
	if (ret)
		return ret;
	standin->slab = one.run[0].first;
	slab_list_free(&one);
	/* A slab that is still to be zeroed may hold another client's bytes. */
	standin->blank = standin->place >= had ||
			 server->slabs.state[standin->bad] == SLAB_RESERVED;
	standin->lost = 0;
	return 1;
}

/* A page that the kernel has taken out of the file would come back as zeros when it is read. */
static bool standin_is_there(const struct pool *pool, uint8_t *at)
{
	off_t offset = at - pool->base;

	return lseek(pool->fd, offset, SEEK_DATA) == offset && !prefault_range(at, 1);
}

struct saving {
	const uint8_t *from;
	uint8_t *to;
	size_t bytes;
};

static void standin_copy(void *data)
{
	const struct saving *saving = data;

	memcpy(saving->to, saving->from, saving->bytes);
}

static bool standin_save(const struct pool *pool, uint8_t *from, uint8_t *to, size_t bytes)
{
	struct saving saving = { from, to, bytes };

	return standin_is_there(pool, from) && poison_try(standin_copy, &saving);
}

/* Return: false: it is lost. */
static bool standin_save_page(const struct pool *pool, const struct standin *standin, uint64_t page)
{
	uint64_t at = page << FARMEM_PAGE_SHIFT;
	uint8_t state;

	if (!standin_save(pool, pool_meta(pool, standin->bad) + page, &state, 1))
		return false;
	/* Only data is worth saving. */
	if (state == FARMEM_PAGE_DATA &&
	    !standin_save(pool, pool_data(pool, standin->bad) + at,
			  pool_data(pool, standin->slab) + at, FARMEM_PAGE_SIZE))
		return false;
	pool_meta(pool, standin->slab)[page] = state;
	return true;
}

int standin_fill(const struct pool *pool, struct standin *standin)
{
	uint64_t page;
	int ret = pool_zero(pool, (struct slab_run){ standin->slab, 1 });

	if (ret || standin->blank)
		return ret;
	for (page = 0; page < pool_meta_per_slab(pool); page++) {
		if (standin_save_page(pool, standin, page))
			continue;
		pool_meta(pool, standin->slab)[page] = FARMEM_PAGE_LOST;
		standin->lost++;
	}
	return 0;
}

int standin_end(struct server *server, struct volume *volume, const struct standin *standin)
{
	char uuid[UUID_TEXT], name[NAME_TEXT];
	int ret = slab_list_put(&volume->slabs, standin->place, standin->slab);

	if (ret)
		return ret;
	slab_zeroed(&server->slabs, (struct slab_run){ standin->slab, 1 });
	super_stand_in(&server->pool.super, volume->record, standin->place, standin->bad,
		       standin->slab);
	slab_set(&server->slabs, standin->bad, SLAB_DIRTY);
	volume->mended = true;
	log_err("(%s): volume %s '%s': %u pages are lost after an uncorrectable memory error in slab %u; the volume goes on in slab %u",
		volume->client->name, format_uuid(volume->uuid, uuid),
		format_name(volume->name, name), standin->lost, standin->bad, standin->slab);
	return 0;
}

void standin_drop(struct server *server, const struct standin *standin)
{
	slab_set(&server->slabs, standin->slab, SLAB_DIRTY);
}
