// SPDX-License-Identifier: GPL-2.0
/*
 * programs.c - what people run, in less memory than it has.
 *
 * bench-programs quicksort MIB LIMIT
 *     Sorts MIB MiB of numbers in place.
 * bench-programs graph SCALE LIMIT
 *     Breadth-first search on a Kronecker graph of 2^SCALE vertices and 16 times as many
 *     edges, as Graph500 makes it (initiator 0.57, 0.19, 0.19).
 * bench-programs kvcache MIB LIMIT
 *     The caches of an LLM's prompts, MIB MiB: reads of 64 KiB to 2 MiB, each in order,
 *     which begin at random, four times as much in all.
 *
 * What is worked on is made first. Then the program lowers its cgroup's memory.max to LIMIT
 * percent of that, works, and checks the result. Prints the nanoseconds of the work, and how
 * many of them all CPUs idled. The same numbers come on every machine.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"

#define EDGES 16	/* a vertex */

static uint64_t state = 88172645463325252ull;

static uint64_t chance(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void fail(const char *what)
{
	fprintf(stderr, "bench-programs: %s\n", what);
	exit(1);
}

static void *memory(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		fail("no memory");
	return at;
}

/* What does not fit goes out before this returns. */
static void squeeze(size_t bytes, const char *percent)
{
	char group[256], path[512];
	FILE *file = open_proc("/proc/self/cgroup");

	if (fscanf(file, "0::%255s", group) != 1)
		fail("no cgroup");
	fclose(file);
	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/memory.max", group);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%zu", bytes / 100 * strtoul(percent, NULL, 10)) < 0 ||
	    fclose(file))
		fail("memory.max cannot be set");
}

static uint64_t started, idled;

static void start(size_t bytes, const char *percent)
{
	squeeze(bytes, percent);
	idled = idle_time();
	started = now();
}

static void stop(void)
{
	uint64_t took = now() - started;

	printf("%ju %ju\n", (uintmax_t)took, (uintmax_t)(idle_time() - idled));
}

/* Hoare's partition; the smaller part first, so that the stack stays small. */
static void sort(uint64_t *first, uint64_t *last)
{
	while (first < last) {
		uint64_t pivot = first[(last - first) / 2], swap;
		uint64_t *a = first - 1, *b = last + 1;

		for (;;) {
			do
				a++;
			while (*a < pivot);
			do
				b--;
			while (*b > pivot);
			if (a >= b)
				break;
			swap = *a;
			*a = *b;
			*b = swap;
		}
		if (b - first < last - b) {
			sort(first, b);
			first = b + 1;
		} else {
			sort(b + 1, last);
			last = b;
		}
	}
}

static void quicksort(const char *mib, const char *percent)
{
	size_t bytes = strtoull(mib, NULL, 10) << 20, count = bytes / sizeof(uint64_t), n;
	uint64_t *numbers = memory(bytes), sum = 0;

	for (n = 0; n < count; n++)
		sum += numbers[n] = chance();
	start(bytes, percent);
	sort(numbers, numbers + count - 1);
	stop();
	for (n = 0; n < count; n++) {
		sum -= numbers[n];
		if (n && numbers[n - 1] > numbers[n])
			fail("not sorted");
	}
	if (sum)
		fail("other numbers than before");
}

struct graph {
	uint32_t vertices;
	uint32_t *first;	/* of each vertex's neighbours, and one more */
	uint32_t *neighbour;
	uint32_t *from;		/* of the search: where each vertex was reached from */
};

/* Of which two vertices is edge @n? */
static void edge(unsigned int scale, uint64_t n, uint32_t *a, uint32_t *b)
{
	uint64_t bits = n * 0x9e3779b97f4a7c15ull + 1, part;
	unsigned int level;

	*a = *b = 0;
	for (level = 0; level < scale; level++) {
		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		part = bits >> 32;
		*a = *a << 1 | (part >= 0xc28f5c28);			/* 0.57 + 0.19 */
		*b = *b << 1 | ((part >= 0x91eb851e && part < 0xc28f5c28) || part >= 0xf3333333);
	}
}

static void make_graph(struct graph *g, unsigned int scale)
{
	uint64_t edges = (uint64_t)EDGES << scale, n;
	uint32_t a, b, *at;

	g->vertices = 1u << scale;
	g->first = memory((g->vertices + 1ul) * sizeof(*g->first));
	g->neighbour = memory(2 * edges * sizeof(*g->neighbour));
	g->from = memory(g->vertices * sizeof(*g->from));
	at = memory(g->vertices * sizeof(*at));
	for (n = 0; n < edges; n++) {
		edge(scale, n, &a, &b);
		g->first[a + 1]++;
		g->first[b + 1]++;
	}
	for (n = 0; n < g->vertices; n++) {
		at[n] = g->first[n];
		g->first[n + 1] += g->first[n];
	}
	for (n = 0; n < edges; n++) {
		edge(scale, n, &a, &b);
		g->neighbour[at[a]++] = b;
		g->neighbour[at[b]++] = a;
	}
	munmap(at, g->vertices * sizeof(*at));
}

/* Return: the vertices that it reaches. */
static uint32_t search(struct graph *g, uint32_t *queue, uint32_t root)
{
	uint32_t head = 0, tail = 0, vertex, next, n;

	g->from[root] = root + 1;
	queue[tail++] = root;
	while (head < tail) {
		vertex = queue[head++];
		for (n = g->first[vertex]; n < g->first[vertex + 1]; n++) {
			next = g->neighbour[n];
			if (g->from[next])
				continue;
			g->from[next] = vertex + 1;
			queue[tail++] = next;
		}
	}
	return tail;
}

/* All that it reached was counted, and all that an edge leads to from there is among it. */
static void check_search(const struct graph *g, uint32_t reached)
{
	uint32_t vertex, n;

	for (vertex = 0; vertex < g->vertices; vertex++) {
		if (!g->from[vertex])
			continue;
		reached--;
		for (n = g->first[vertex]; n < g->first[vertex + 1]; n++)
			if (!g->from[g->neighbour[n]])
				fail("the search left out a vertex");
	}
	if (reached)
		fail("the search lost count");
}

static void graph(const char *scale, const char *percent)
{
	struct graph g;
	uint32_t *queue, reached, root = 0;

	make_graph(&g, strtoul(scale, NULL, 10));
	queue = memory(g.vertices * sizeof(*queue));
	while (g.first[root] == g.first[root + 1])
		root++;
	start((3ul * g.vertices + g.first[g.vertices]) * sizeof(uint32_t), percent);
	reached = search(&g, queue, root);
	stop();
	check_search(&g, reached);
}

static void kvcache(const char *mib, const char *percent)
{
	size_t bytes = strtoull(mib, NULL, 10) << 20, words = bytes / sizeof(uint64_t), n;
	uint64_t *cache = memory(bytes), left = 4 * bytes, sum, length, at;

	for (n = 0; n < words; n++)
		cache[n] = n * 0x9e3779b97f4a7c15ull;
	start(bytes, percent);
	while (left) {
		length = (64ul << 10) << chance() % 6;
		at = chance() % (bytes / length) * length;
		length = length < left ? length : left;
		for (sum = 0, n = at / sizeof(uint64_t); n < (at + length) / sizeof(uint64_t); n++)
			sum += cache[n] - n * 0x9e3779b97f4a7c15ull;
		if (sum)
			fail("a wrong byte in the cache");
		left -= length;
	}
	stop();
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "quicksort"))
		quicksort(argv[2], argv[3]);
	else if (argc == 4 && !strcmp(argv[1], "graph"))
		graph(argv[2], argv[3]);
	else if (argc == 4 && !strcmp(argv[1], "kvcache"))
		kvcache(argv[2], argv[3]);
	else
		fail("which program? See its source.");
	return 0;
}
