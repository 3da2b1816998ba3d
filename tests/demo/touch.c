// SPDX-License-Identifier: GPL-2.0
/*
 * touch.c - uses more memory than it may keep, and checks every byte of it.
 *
 * farmem-touch MIB [TOUCHES [FILE]] fills MIB MiB, reads all of it back in order,
 * then visits TOUCHES pages in an order that no readahead guesses: checks the page
 * and writes it anew; again and again until FILE is there. At last it reads
 * everything once more. Meant to run in a cgroup with less memory than that. Says
 * how long the slowest page took. Exits with 1 at the first wrong byte.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define WORDS (PAGE / sizeof(uint64_t))

static uint64_t pages;
static uint64_t (*memory)[WORDS];
static uint32_t *written;	/* how often each page was */
static double slowest;		/* page, in seconds, since it was told last */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Different for every word, page and time of writing. */
static uint64_t first_word(uint64_t page)
{
	return (page << 32 | written[page]) * 0x9e3779b97f4a7c15u + 1;
}

static void write_page(uint64_t page)
{
	uint64_t word, value;

	written[page]++;
	value = first_word(page);
	for (word = 0; word < WORDS; word++)
		memory[page][word] = value + word;
}

static void check_page(uint64_t page)
{
	uint64_t value = first_word(page), word;

	for (word = 0; word < WORDS; word++) {
		if (memory[page][word] == value + word)
			continue;
		fprintf(stderr, "page %ju, byte %zu: %016jx instead of %016jx\n",
			(uintmax_t)page, (size_t)(word * sizeof(word)),
			(uintmax_t)memory[page][word], (uintmax_t)(value + word));
		exit(1);
	}
}

static void touch(uint64_t page, void (*what)(uint64_t page))
{
	double start = now(), seconds;

	what(page);
	seconds = now() - start;
	slowest = seconds > slowest ? seconds : slowest;
}

static void tell(const char *what, uint64_t count, const char *order, double seconds)
{
	printf("%s %ju pages%s in %.1f s, the slowest in %.3f s\n", what, (uintmax_t)count, order,
	       seconds, slowest);
	slowest = 0;
}

/* visit() - each page in order. */
static void visit(const char *name, const char *order, void (*what)(uint64_t page))
{
	double start = now();
	uint64_t page;

	for (page = 0; page < pages; page++)
		touch(page, what);
	tell(name, pages, order, now() - start);
}

static void renew_page(uint64_t page)
{
	check_page(page);
	write_page(page);
}

/* An odd multiplier, an odd increment and a power of two: every page comes. */
static void jump(uint64_t touches)
{
	static uint64_t at = 1;
	uint64_t size = 1, n;
	double start = now();

	while (size < pages)
		size <<= 1;
	for (n = 0; n < touches; n++) {
		do
			at = (at * 1664525 + 1013904223) & (size - 1);
		while (at >= pages);
		touch(at, renew_page);
	}
	tell("verified and rewrote", touches, ", at random,", now() - start);
}

int main(int argc, char **argv)
{
	uint64_t mib = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t touches = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;

	if (!mib || argc > 4) {
		fprintf(stderr, "usage: farmem-touch MIB [TOUCHES [FILE]]\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	pages = (mib << 20) / PAGE;
	memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	written = calloc(pages, sizeof(*written));
	if (memory == MAP_FAILED || !written) {
		perror("farmem-touch");
		return 1;
	}
	visit("filled", "", write_page);
	visit("verified", ", in order,", check_page);
	if (!touches)
		return 0;
	do
		jump(touches);
	while (argc > 3 && access(argv[3], F_OK));
	visit("verified", ", in order,", check_page);
	return 0;
}
