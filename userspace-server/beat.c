// SPDX-License-Identifier: GPL-2.0
/*
 * beat.c - heartbeats, from the side that does nothing for them.
 *
 * Owns each session's status page, which its client READs, and its counter, which its client
 * WRITEs: farmemd runs no instruction for either.  probe.c looks at the counters on a slow
 * timer, and probes only the clients whose counters stand still.
 */
#include <endian.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beat.h"
#include "message.h"
#include "server.h"
#include "slab.h"

#define PAGE 4096

/* "some avg10=1.23 avg60=..." as 123; 0 where the kernel does not tell. */
static uint32_t beat_pressure(void)
{
	FILE *file = fopen("/proc/pressure/memory", "re");
	unsigned int whole = 0, hundredths = 0;

	if (!file)
		return 0;
	if (fscanf(file, "some avg10=%3u.%2u", &whole, &hundredths) != 2)
		whole = hundredths = 0;
	fclose(file);
	return whole * 100 + hundredths;
}

/* Clients read it at any time: each field in one piece. */
static void beat_show_to(const struct beat *beat)
{
	const struct server *server = beat->server;
	struct farmem_status *status = beat->status;
	uint16_t flags = FARMEM_STATUS_PAGES | (server->stopping ? FARMEM_STATUS_SHUTTING_DOWN : 0);

	__atomic_store_n(&status->free, htole64(server_free(server)), __ATOMIC_RELAXED);
	__atomic_store_n(&status->pressure, htole32(server->pressure), __ATOMIC_RELAXED);
	__atomic_store_n(&status->flags, htole16(flags), __ATOMIC_RELAXED);
}

void beat_show(const struct server *server)
{
	const struct beat *beat;

	LIST_FOREACH(beat, &server->beats, link)
		beat_show_to(beat);
}

void beat_look(struct server *server)
{
	server->pressure = beat_pressure();
	beat_show(server);
}

int beat_alloc(struct beat *beat, struct server *server)
{
	/* Pages of their own: what a device pins is whole pages. */
	uint8_t *pages = aligned_alloc(PAGE, 2 * PAGE);

	if (!pages)
		return -ENOMEM;
	memset(pages, 0, 2 * PAGE);
	beat->server = server;
	beat->status = (struct farmem_status *)pages;
	beat->count = (uint64_t *)(pages + PAGE);
	*beat->status = (struct farmem_status) {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.generation = htole64(server->pool.generation),
		.capacity = htole64(server->pool.size),
	};
	beat_show_to(beat);
	LIST_INSERT_HEAD(&server->beats, beat, link);
	return 0;
}

void beat_free(struct beat *beat)
{
	if (!beat->status)
		return;
	LIST_REMOVE(beat, link);
	free(beat->status);
}

void beat_ask(struct beat *beat, uint32_t token)
{
	__atomic_store_n(&beat->status->barrier, htole32(token), __ATOMIC_RELAXED);
}

void beat_want(struct beat *beat, uint64_t bytes, uint32_t within)
{
	/* A client that reads while this writes takes nothing for urgent that is not. */
	if (bytes)
		__atomic_store_n(&beat->status->within, htole32(within), __ATOMIC_RELAXED);
	__atomic_store_n(&beat->status->wanted, htole64(bytes), __ATOMIC_RELEASE);
}

int beat_register(struct beat *beat, struct ibv_pd *pd, struct message_welcome *welcome)
{
	/* Whole pages, with nothing else in them: a visitor READs one to test large packets. */
	beat->status_mr = ibv_reg_mr(pd, beat->status, PAGE, IBV_ACCESS_REMOTE_READ);
	if (!beat->status_mr)
		return -errno;
	beat->mr = ibv_reg_mr(pd, beat->count, PAGE,
			      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	if (!beat->mr)
		return -errno;
	welcome->status_addr = (uintptr_t)beat->status;
	welcome->status_rkey = beat->status_mr->rkey;
	welcome->beat_addr = (uintptr_t)beat->count;
	welcome->beat_rkey = beat->mr->rkey;
	return 0;
}

void beat_deregister(struct beat *beat)
{
	if (beat->status_mr)
		ibv_dereg_mr(beat->status_mr);
	if (beat->mr)
		ibv_dereg_mr(beat->mr);
	beat->status_mr = NULL;
	beat->mr = NULL;
}

bool beat_heard(struct beat *beat)
{
	uint64_t now = __atomic_load_n(beat->count, __ATOMIC_RELAXED);
	bool moved = now != beat->seen;

	beat->seen = now;
	return moved;
}
