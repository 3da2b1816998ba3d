// SPDX-License-Identifier: GPL-2.0
/*
 * many.c - what etcd does for many agents: leases that are renewed, loads that are written.
 *
 * many ENDPOINT PID CLIENTS WRITES SECONDS: each client has a lease and a connection of its
 * own, as an agent has; together they write WRITES loads a second.  Waits until all have their
 * lease, then counts for SECONDS.  PID is etcd's, for its CPU time.
 * Prints "CLIENTS RENEWALS PUTS P50 P99 MAX CPU MEMORY FAILED": calls a second, milliseconds,
 * percent of a CPU, MiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/directory.h"
#include "agent/etcd.h"
#include "agent/lease.h"
#include "attr.h"

#define USEC	1000000ull
/* As agents without a ttl = in their file. */
#define TTL_MIN	30
#define TTL_SPAN 16

struct client {
	struct etcd *etcd;
	struct lease lease;
	char *key;
	uint64_t asked;	/* when its put began; 0: none is under way */
};

static struct {
	sd_event *event;
	struct client *clients;
	unsigned int count, leases, next, put, skipped, failed;
	double every;	/* microseconds between two puts */
	double renewals;	/* a second */
	uint64_t began, due;	/* 0: not yet */
	uint64_t seconds;
	double *took;	/* milliseconds of each put */
	size_t room;
} many;

static uint64_t now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * USEC + at.tv_nsec / 1000;
}

static void changed(void *data, const char *error)
{
	struct client *client = data;

	if (client->lease.id)
		many.leases++;
	else if (many.began)
		many.failed++;
}

static void put(void *data, const json_t *answer, const char *error)
{
	struct client *client = data;

	if (!answer)
		many.failed++;
	else if (many.put < many.room)
		many.took[many.put++] = (now() - client->asked) / 1000.0;
	client->asked = 0;
}

/* A client whose last put is not over is left out: that would be the next one's load too. */
static void write_one(void)
{
	struct client *client = &many.clients[many.next++ % many.count];
	struct directory_load load = { .size = 1ull << 40, .free = (uint64_t)many.next << 20 };
	CLEANUP_FREE char *text = directory_load_text(&load);

	if (client->asked || !client->lease.id) {
		many.skipped++;
		return;
	}
	client->asked = now();
	checked(etcd_call(client->etcd, "kv/put", etcd_put(client->key, text, client->lease.id), put, client));
}

static int tick(sd_event_source *source, uint64_t usec, void *data)
{
	uint64_t at = now();

	if (!many.began && many.leases == many.count)
		many.began = many.due = at;
	if (many.began && at >= many.began + many.seconds * USEC)
		return sd_event_exit(many.event, 0);
	for (; many.began && at >= many.due; many.due = many.began + (uint64_t)(many.next * many.every))
		write_one();
	sd_event_source_set_time_relative(source, 1000);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

/* Ticks of the process, and its resident pages. */
static unsigned long spent(const char *pid, unsigned long *pages)
{
	unsigned long user = 0, kernel = 0;
	CLEANUP_FREE char *path = text_format("/proc/%s/stat", pid);
	FILE *file = fopen(path, "re");

	if (file && fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %*u %*u %lu",
			   &user, &kernel, pages) != 3)
		fprintf(stderr, "many: %s cannot be read\n", path);
	if (file)
		fclose(file);
	return user + kernel;
}

static int less(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return one < other ? -1 : one > other;
}

static void add(struct client *client, unsigned int index, const char *endpoint)
{
	struct etcd_options options = { .endpoints = endpoint, .seconds = 10 };

	client->etcd = checked(etcd_open(many.event, &options));
	client->key = text_format("%snode%u", DIRECTORY_LOAD, index);
	client->lease = (struct lease){
		.etcd = client->etcd, .ttl = TTL_MIN + index % TTL_SPAN, .changed = changed, .data = client,
	};
	many.renewals += 3.0 / client->lease.ttl;
	if (lease_open(&client->lease, many.event) < 0)
		checked(NULL);
	lease_want(&client->lease, true);
}

int main(int argc, char **argv)
{
	unsigned long before = 0, after, pages = 0;
	sd_event_source *timer;
	double seconds;
	unsigned int i;

	if (argc != 6)
		return fprintf(stderr, "usage: many ENDPOINT PID CLIENTS WRITES SECONDS\n"), 2;
	many.count = atoi(argv[3]);
	many.every = USEC / atof(argv[4]);
	many.seconds = atoi(argv[5]);
	many.room = atof(argv[4]) * (many.seconds + 1);
	many.took = checked(calloc(many.room, sizeof(*many.took)));
	many.clients = checked(calloc(many.count, sizeof(*many.clients)));
	if (sd_event_new(&many.event) < 0 ||
	    sd_event_add_time_relative(many.event, &timer, CLOCK_MONOTONIC, 1000, 1, tick, NULL) < 0)
		return 1;
	for (i = 0; i < many.count; i++)
		add(&many.clients[i], i, argv[1]);
	while (!many.began && sd_event_run(many.event, UINT64_MAX) >= 0)
		;
	before = spent(argv[2], &pages);
	sd_event_loop(many.event);
	after = spent(argv[2], &pages);
	seconds = (now() - many.began) / (double)USEC;
	qsort(many.took, many.put, sizeof(*many.took), less);
	printf("%u %.1f %.1f %.1f %.1f %.1f %.0f %lu %u\n", many.count, many.renewals, many.put / seconds,
	       many.put ? many.took[many.put / 2] : 0, many.put ? many.took[many.put * 99 / 100] : 0,
	       many.put ? many.took[many.put - 1] : 0,
	       (after - before) * 100.0 / sysconf(_SC_CLK_TCK) / seconds, pages * sysconf(_SC_PAGESIZE) >> 20,
	       many.failed + many.skipped);
	return 0;
}
