// SPDX-License-Identifier: GPL-2.0
/*
 * kv.c - a client of memcached, whose memory is less than its data.
 *
 * bench-kv SOCKET GROUP KEYS COUNT LIMIT
 *     Stores KEYS values of 1 KiB, lowers memory.max of memcached's cgroup, GROUP, to LIMIT
 *     percent of what it has then, and does COUNT operations, one after the other: 19 of 20
 *     read, the others write. Keys come by Zipf's law, exponent 0.99, as in YCSB (B. Cooper
 *     et al., SoCC 2010). Prints p50 and p99 of the operations in nanoseconds, the
 *     nanoseconds of all, and how many of them all CPUs idled.
 *
 * Every value is checked. The same operations come on every machine.
 */
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "clock.h"

#define VALUE 1024u
#define EXPONENT 0.99

static uint32_t *generation;	/* of each key's value */
static uint64_t state = 88172645463325252ull;
static int server;

static void fail(const char *what)
{
	fprintf(stderr, "bench-kv: %s\n", what);
	exit(1);
}

/* At least 0, less than 1. */
static double chance(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) * 0x1p-53;
}

/* Of the keys' ranks: the head's two by their shares, the others by the curve (J. Gray et al., SIGMOD 1994). */
static uint32_t zipf(uint32_t keys)
{
	static double zeta, eta, alpha;
	double u = chance(), share;
	uint32_t n;

	if (!zeta) {
		for (n = 1; n <= keys; n++)
			zeta += pow(n, -EXPONENT);
		alpha = 1 / (1 - EXPONENT);
		eta = (1 - pow(2.0 / keys, 1 - EXPONENT)) / (1 - (1 + pow(2, -EXPONENT)) / zeta);
	}
	share = u * zeta;
	if (share < 1)
		return 0;
	if (share < 1 + pow(2, -EXPONENT))
		return 1;
	n = keys * pow(eta * u - eta + 1, alpha);
	return n < keys ? n : keys - 1;
}

static void fill(char *value, uint32_t key)
{
	uint64_t word = ((uint64_t)generation[key] << 32 | key) * 0x9e3779b97f4a7c15ull + 1;
	unsigned int n;

	for (n = 0; n < VALUE; n += sizeof(word)) {
		word ^= word << 13;
		word ^= word >> 7;
		word ^= word << 17;
		memcpy(value + n, &word, sizeof(word));
	}
}

static void say(const char *data, size_t bytes)
{
	if (write(server, data, bytes) != (ssize_t)bytes)
		fail("memcached does not listen");
}

static void hear(char *data, size_t bytes)
{
	ssize_t n;

	for (; bytes; data += n, bytes -= n) {
		n = read(server, data, bytes);
		if (n <= 0)
			fail("memcached has gone");
	}
}

static void set(uint32_t key)
{
	char request[VALUE + 64], answer[8];
	int head = sprintf(request, "set %08x 0 0 %u\r\n", key, VALUE);

	generation[key]++;
	fill(request + head, key);
	memcpy(request + head + VALUE, "\r\n", 2);
	say(request, head + VALUE + 2);
	hear(answer, 8);
	if (memcmp(answer, "STORED\r\n", 8))
		fail("memcached did not store a value");
}

static void get(uint32_t key)
{
	char request[32], want[VALUE + 64], answer[VALUE + 64];
	int bytes = sprintf(request, "get %08x\r\n", key);
	int head = sprintf(want, "VALUE %08x 0 %u\r\n", key, VALUE);

	fill(want + head, key);
	memcpy(want + head + VALUE, "\r\nEND\r\n", 7);
	say(request, bytes);
	/* What it does not know it says in five bytes. */
	hear(answer, 5);
	if (memcmp(answer, "VALUE", 5))
		fail("memcached has lost a value");
	hear(answer + 5, head + VALUE + 7 - 5);
	if (memcmp(answer, want, head + VALUE + 7))
		fail("memcached has another value");
}

static void squeeze(const char *group, unsigned long percent)
{
	unsigned long long bytes;
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/memory.current", group);
	file = open_proc(path);
	if (fscanf(file, "%llu", &bytes) != 1)
		fail("the cgroup does not tell its memory");
	fclose(file);
	snprintf(path, sizeof(path), "%s/memory.max", group);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%llu", bytes / 100 * percent) < 0 || fclose(file))
		fail("memory.max cannot be set");
}

static void connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	server = socket(AF_UNIX, SOCK_STREAM, 0);
	if (server < 0 || connect(server, (void *)&address, sizeof(address)))
		fail("memcached cannot be reached");
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void operate(uint32_t keys, uint32_t count)
{
	uint64_t *took = calloc(count, sizeof(*took)), start, idle, all;
	uint32_t n, key;

	if (!took)
		fail("no memory");
	idle = idle_time();
	all = now();
	for (n = 0; n < count; n++) {
		/* Neighbours in rank are none in memory. */
		key = (zipf(keys) * 2654435761u) % keys;
		start = now();
		if (n % 20)
			get(key);
		else
			set(key);
		took[n] = now() - start;
	}
	all = now() - all;
	idle = idle_time() - idle;
	qsort(took, count, sizeof(*took), compare);
	printf("%ju %ju %ju %ju\n", (uintmax_t)took[count / 2], (uintmax_t)took[count * 99ull / 100],
	       (uintmax_t)all, (uintmax_t)idle);
}

int main(int argc, char **argv)
{
	uint32_t keys, n;

	if (argc != 6)
		fail("what to do? See its source.");
	keys = strtoul(argv[3], NULL, 10);
	generation = calloc(keys, sizeof(*generation));
	if (!generation)
		fail("no memory");
	connect_to(argv[1]);
	for (n = 0; n < keys; n++)
		set(n);
	squeeze(argv[2], strtoul(argv[5], NULL, 10));
	operate(keys, strtoul(argv[4], NULL, 10));
	return 0;
}
