// SPDX-License-Identifier: GPL-2.0
/*
 * beat.c - heartbeats, from the side that does nothing for them.
 *
 * Owns the status page, which clients READ, and each session's counter, which its client
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

int beat_open(struct server *server)
{
	/* A page of its own: what a device pins is whole pages. */
	server->status = aligned_alloc(PAGE, PAGE);
	if (!server->status)
		return -ENOMEM;
	memset(server->status, 0, PAGE);
	server->status->magic = htole32(FARMEM_MAGIC);
	server->status->version = htole16(FARMEM_VERSION);
	server->status->flags = htole16(FARMEM_STATUS_PAGES);
	server->status->generation = htole64(server->pool.generation);
	server->status->capacity = htole64(server->pool.size);
	beat_look(server);
	return 0;
}

void beat_close(struct server *server)
{
	free(server->status);
	server->status = NULL;
}

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
void beat_show(const struct server *server)
{
	struct farmem_status *status = server->status;
	uint64_t left = server_free(server);

	if (!status)
		return;
	__atomic_store_n(&status->free, htole64(left), __ATOMIC_RELAXED);
	if (server->stopping)
		__atomic_store_n(&status->flags,
				 htole16(FARMEM_STATUS_PAGES | FARMEM_STATUS_SHUTTING_DOWN),
				 __ATOMIC_RELAXED);
}

void beat_look(struct server *server)
{
	__atomic_store_n(&server->status->pressure, htole32(beat_pressure()), __ATOMIC_RELAXED);
	beat_show(server);
}

int beat_alloc(struct beat *beat)
{
	beat->count = aligned_alloc(PAGE, PAGE);
	if (!beat->count)
		return -ENOMEM;
	memset(beat->count, 0, PAGE);
	return 0;
}

int beat_register(struct beat *beat, struct farmem_status *status, struct ibv_pd *pd,
		  struct message_welcome *welcome)
{
	/* Whole pages, with nothing else in them: a visitor READs one to test large packets. */
	beat->status_mr = ibv_reg_mr(pd, status, PAGE, IBV_ACCESS_REMOTE_READ);
	if (!beat->status_mr)
		return -errno;
	beat->mr = ibv_reg_mr(pd, beat->count, PAGE,
			      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	if (!beat->mr)
		return -errno;
	welcome->status_addr = (uintptr_t)status;
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
