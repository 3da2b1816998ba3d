// SPDX-License-Identifier: GPL-2.0
/*
 * memory.c - uses more memory than its cgroup allows, and times that.
 *
 * bench-memory dirty MIB
 *     Dirties fresh pages, MIB MiB of them. Of the second half, by when a page goes
 *     out for each that is dirtied, prints the nanoseconds, the pages, the pages
 *     that went out, and how many of the nanoseconds all CPUs idled.
 * bench-memory faults random|sequential MIB COUNT
 *     Fills MIB MiB, then touches pages until COUNT touches were major faults.
 *     Prints p50, p99 and mean of those faults in nanoseconds, the mean of all
 *     touches, the nanoseconds that all CPUs idled for each of the faults, and
 *     their p99.9.
 * bench-memory onset MIB COUNT
 *     Fills MIB MiB, then touches COUNT pages in random order. Prints the nanoseconds
 *     of the first and of the second, the pages filled, the touches, the pages that
 *     went out over both, and how many of the nanoseconds all CPUs idled.
 * bench-memory evict MIB
 *     Dirties MIB MiB of fresh pages over and over until it is ended.
 *
 * Every page is checked as it is touched. Exits with 1 at a wrong one.
 *
 * Environment: BENCH_GATE, a file. "faults" appends a byte to it when its memory is
 * filled and then waits until nothing has it locked: several begin together so.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"

#define PAGE	4096
#define NOISE	2048	/* per page: what compresses is half of it, as with real data */

static char noise[NOISE];
static char *memory;
static size_t pages;

static void make_noise(void)
{
	uint64_t word = 88172645463325252ull;
	size_t n;

	for (n = 0; n < NOISE; n += sizeof(word)) {
		word ^= word << 13;
		word ^= word >> 7;
		word ^= word << 17;
		memcpy(noise + n, &word, sizeof(word));
	}
}

/* How large its pages are is for the settings under /sys to say. */
static void get_memory(const char *mib)
{
	pages = strtoull(mib, NULL, 10) * ((1 << 20) / PAGE);
	memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!pages || memory == MAP_FAILED) {
		perror("bench-memory");
		exit(1);
	}
}

static void dirty_page(size_t page)
{
	uint64_t *first = (uint64_t *)(memory + page * PAGE);

	memcpy(first, noise, NOISE);
	*first = page + 1;
}

static void dirty_pages(size_t from, size_t to)
{
	size_t page;

	for (page = from; page < to; page++)
		dirty_page(page);
}

static void check_page(size_t page)
{
	uint64_t found = *(volatile uint64_t *)(memory + page * PAGE);

	if (found == page + 1)
		return;
	fprintf(stderr, "bench-memory: page %zu holds %ju\n", page, (uintmax_t)found);
	exit(1);
}

/* Pages that never come to the swap device, of which /proc/vmstat does not know. */
static unsigned long frontswap_stores(void)
{
	FILE *file = fopen("/sys/kernel/debug/frontswap/succ_stores", "r");
	unsigned long stores = 0;

	if (file && fscanf(file, "%lu", &stores) != 1)
		stores = 0;
	if (file)
		fclose(file);
	return stores;
}

static unsigned long pages_out(void)
{
	FILE *file = open_proc("/proc/vmstat");
	unsigned long value, out = frontswap_stores();
	char name[64];

	while (fscanf(file, "%63s %lu", name, &value) == 2)
		if (!strcmp(name, "pswpout"))
			out += value;
	fclose(file);
	return out;
}

static int dirty(void)
{
	uint64_t start, took, idle;
	unsigned long out;

	dirty_pages(0, pages / 2);
	idle = idle_time();
	out = pages_out();
	start = now();
	dirty_pages(pages / 2, pages);
	took = now() - start;
	out = pages_out() - out;
	idle = idle_time() - idle;
	printf("%ju %zu %lu %ju\n", (uintmax_t)took, pages - pages / 2, out, (uintmax_t)idle);
	return 0;
}

/* Fresh pages each time: what was swapped out would have to be read first. */
static void evict(void)
{
	for (;;) {
		if (madvise(memory, pages * PAGE, MADV_DONTNEED)) {
			perror("bench-memory");
			exit(1);
		}
		dirty_pages(0, pages);
	}
}

static long major_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_majflt;
}

/* An odd factor, an odd increment and a power of two: every page comes, in no order. */
static size_t next_page(size_t page, int random)
{
	size_t size = 1;

	if (!random)
		return (page + 1) % pages;
	while (size < pages)
		size <<= 1;
	do
		page = (page * 1664525 + 1013904223) & (size - 1);
	while (page >= pages);
	return page;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void report(uint64_t *took, size_t count, uint64_t all, size_t touches, uint64_t idle)
{
	uint64_t sum = 0;
	size_t n;

	qsort(took, count, sizeof(*took), compare);
	for (n = 0; n < count; n++)
		sum += took[n];
	printf("%ju %ju %ju %ju %ju %ju\n", (uintmax_t)took[count / 2],
	       (uintmax_t)took[count * 99 / 100], (uintmax_t)(sum / count),
	       (uintmax_t)(all / touches), (uintmax_t)(idle / count),
	       (uintmax_t)took[count * 999 / 1000]);
}

static void wait_at_gate(void)
{
	const char *path = getenv("BENCH_GATE");
	int gate;

	if (!path)
		return;
	gate = open(path, O_WRONLY | O_APPEND);
	if (gate < 0 || write(gate, "+", 1) != 1 || flock(gate, LOCK_SH)) {
		perror(path);
		exit(1);
	}
	close(gate);
}

/* Touches that found their page in memory are counted apart from major faults. */
static int faults(int random, size_t count)
{
	size_t found = 0, touches = 0, page = 0;
	uint64_t *took = calloc(count, sizeof(*took)), start, all = 0, time, idle;
	long before, after;

	if (!count || !took)
		return 1;
	memset(took, 1, count * sizeof(*took));
	dirty_pages(0, pages);
	wait_at_gate();
	idle = idle_time();
	after = major_faults();
	while (found < count && touches < 64 * count) {
		before = after;
		start = now();
		check_page(page);
		time = now() - start;
		after = major_faults();
		touches++;
		all += time;
		if (after != before)
			took[found++] = time;
		page = next_page(page, random);
	}
	if (found < count) {
		fprintf(stderr, "bench-memory: of %zu touches %zu were major faults, %zu wanted\n",
			touches, found, count);
		return 1;
	}
	report(took, count, all, touches, idle_time() - idle);
	return 0;
}

/* What reclaim does when memory gets short for the first time, and what that costs later. */
static int onset(size_t count)
{
	uint64_t start, idle, fill, touch;
	size_t n, page = 0;
	unsigned long out;

	if (!count)
		return 1;
	/* What is read from the host for the first time is read before the clock runs. */
	dirty_page(0);
	check_page(0);
	out = pages_out();
	idle = idle_time();
	start = now();
	dirty_pages(0, pages);
	fill = now() - start;
	start = now();
	for (n = 0; n < count; n++) {
		check_page(page);
		page = next_page(page, 1);
	}
	touch = now() - start;
	idle = idle_time() - idle;
	out = pages_out() - out;
	printf("%ju %ju %zu %zu %lu %ju\n", (uintmax_t)fill, (uintmax_t)touch, pages, count,
	       out, (uintmax_t)idle);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		goto usage;
	make_noise();
	if (!strcmp(argv[1], "faults") && argc >= 5) {
		get_memory(argv[3]);
		return faults(!strcmp(argv[2], "random"), strtoull(argv[4], NULL, 10));
	}
	get_memory(argv[2]);
	if (!strcmp(argv[1], "onset") && argc >= 4)
		return onset(strtoull(argv[3], NULL, 10));
	if (!strcmp(argv[1], "dirty"))
		return dirty();
	if (!strcmp(argv[1], "evict"))
		evict();
usage:
	fprintf(stderr, "usage: bench-memory dirty MIB | evict MIB | onset MIB COUNT |\n"
			"       bench-memory faults random|sequential MIB COUNT\n");
	return 2;
}
