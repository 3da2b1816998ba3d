// SPDX-License-Identifier: GPL-2.0
/*
 * touch.c - uses more memory than it may keep, and checks every byte of it.
 *
 * farmem-touch MIB [TOUCHES] fills MIB MiB, reads all of it back in order, then
 * visits TOUCHES pages in an order that no readahead guesses: checks the page
 * and writes it anew. At last it reads everything once more. Meant to run in a
 * cgroup with less memory than that. Exits with 1 at the first wrong byte.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define PAGE 4096
#define WORDS (PAGE / sizeof(uint64_t))

static uint64_t pages;
static uint64_t (*memory)[WORDS];
static uint32_t *written;	/* how often each page was */

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

/* visit() - each page in order.  Return: seconds. */
static double visit(void (*what)(uint64_t page))
{
	double start = now();
	uint64_t page;

	for (page = 0; page < pages; page++)
		what(page);
	return now() - start;
}

/* An odd multiplier, an odd increment and a power of two: every page comes. */
static double jump(uint64_t touches)
{
	uint64_t at = 1, size = 1, n;
	double start = now();

	while (size < pages)
		size <<= 1;
	for (n = 0; n < touches; n++) {
		do
			at = (at * 1664525 + 1013904223) & (size - 1);
		while (at >= pages);
		check_page(at);
		write_page(at);
	}
	return now() - start;
}

int main(int argc, char **argv)
{
	uint64_t mib = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t touches = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	double seconds;

	if (!mib || argc > 3) {
		fprintf(stderr, "usage: farmem-touch MIB [TOUCHES]\n");
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
	printf("filled %ju pages in %.1f s\n", (uintmax_t)pages, visit(write_page));
	printf("verified %ju pages, in order, in %.1f s\n", (uintmax_t)pages, visit(check_page));
	if (touches) {
		seconds = jump(touches);
		printf("verified and rewrote %ju pages, at random, in %.1f s\n",
		       (uintmax_t)touches, seconds);
		printf("verified %ju pages, in order, in %.1f s\n", (uintmax_t)pages,
		       visit(check_page));
	}
	return 0;
}
