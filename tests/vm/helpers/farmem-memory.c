// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-memory.c - a program with much memory, which knows what is in it.
 *
 *   farmem-memory [-p PROCESSES] [-H] MIB STEP...
 *
 * Every process has MIB of anonymous memory, every word of it derived from its
 * page's number, its process and the page's generation, which counts how often
 * the page was written.  -H asks for huge pages (MADV_HUGEPAGE).
 *
 *   fill          write all pages in order
 *   sequential    verify all in order, write every fourth anew
 *   random        as many verified at random, every second written anew
 *   meet          wait until every process has got here; once
 *   until=FILE    random until FILE is there
 *   touch=FILE    make FILE; with several processes the first does
 *
 * Ends with a verification of all pages.  Exit status: 0, or 1 and the reason.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE	4096ul
#define WORDS	(PAGE / sizeof(uint64_t))
#define HUGE	(2ul << 20)

static uint64_t *memory;
static uint32_t *generation;	/* of every page; locked, so beyond doubt */
static size_t pages;
static unsigned int process;
static uint64_t random_state;
static unsigned int *arrived;	/* shared; counts down to 0 */

static uint64_t start_word(size_t page)
{
	return ((uint64_t)process << 56 | (uint64_t)generation[page] << 32 | page) *
	       0x9e3779b97f4a7c15ull;
}

static void write_page(size_t page)
{
	uint64_t *words = memory + page * WORDS, w;
	size_t i;

	generation[page]++;
	w = start_word(page);
	for (i = 0; i < WORDS; i++)
		words[i] = w + i;
}

static void verify_page(size_t page)
{
	const uint64_t *words = memory + page * WORDS;
	uint64_t w = start_word(page);
	size_t i;

	for (i = 0; i < WORDS; i++)
		if (words[i] != w + i)
			errx(1, "process %u, page %zu, generation %u, byte %zu: %016" PRIx64
			     " instead of %016" PRIx64, process, page, generation[page],
			     i * sizeof(w), words[i], w + i);
}

static size_t random_page(void)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (random_state >> 33) % pages;
}

static void fill_all(void)
{
	size_t page;

	for (page = 0; page < pages; page++)
		write_page(page);
}

static void sequential(void)
{
	size_t page;

	for (page = 0; page < pages; page++) {
		verify_page(page);
		if (page % 4 == 0)
			write_page(page);
	}
}

static void at_random(size_t count)
{
	size_t page;

	while (count--) {
		page = random_page();
		verify_page(page);
		if (count % 2)
			write_page(page);
	}
}

static void touch(const char *path)
{
	int fd;

	if (process)
		return;
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	if (fd < 0)
		err(1, "%s", path);
	close(fd);
}

static void step(const char *text)
{
	if (!strcmp(text, "fill")) {
		fill_all();
	} else if (!strcmp(text, "sequential")) {
		sequential();
	} else if (!strcmp(text, "random")) {
		at_random(pages);
	} else if (!strcmp(text, "meet")) {
		__atomic_sub_fetch(arrived, 1, __ATOMIC_SEQ_CST);
		while (__atomic_load_n(arrived, __ATOMIC_SEQ_CST))
			usleep(1000);
	} else if (!strncmp(text, "until=", 6)) {
		do
			at_random(256);
		while (access(text + 6, F_OK));
	} else if (!strncmp(text, "touch=", 6)) {
		touch(text + 6);
	} else {
		errx(1, "%s: no such step", text);
	}
}

static void allocate(size_t bytes, int huge)
{
	char *start;

	pages = bytes / PAGE;
	start = mmap(NULL, bytes + HUGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	generation = mmap(NULL, pages * sizeof(*generation), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (start == MAP_FAILED || generation == MAP_FAILED)
		err(1, "mmap");
	if (mlock(generation, pages * sizeof(*generation)))
		err(1, "mlock");
	start += -(uintptr_t)start & (HUGE - 1);
	memory = (void *)start;
	if (huge && madvise(memory, bytes, MADV_HUGEPAGE))
		err(1, "MADV_HUGEPAGE");
}

static void run(size_t bytes, int huge, char **steps)
{
	size_t page;

	random_state = process;
	allocate(bytes, huge);
	for (; *steps; steps++)
		step(*steps);
	for (page = 0; page < pages; page++)
		if (generation[page])
			verify_page(page);
}

int main(int argc, char **argv)
{
	unsigned int processes = 1;
	int huge = 0, option, status, failed = 0;
	size_t mib;

	while ((option = getopt(argc, argv, "p:H")) != -1) {
		if (option == 'p')
			processes = atoi(optarg);
		else if (option == 'H')
			huge = 1;
		else
			return 1;
	}
	if (argc - optind < 2)
		errx(1, "usage: farmem-memory [-p PROCESSES] [-H] MIB STEP...");
	mib = strtoul(argv[optind], NULL, 10);
	arrived = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (arrived == MAP_FAILED)
		err(1, "mmap");
	*arrived = processes;

	for (process = 1; process < processes; process++) {
		pid_t child = fork();

		if (child < 0)
			err(1, "fork");
		if (!child) {
			run(mib << 20, huge, argv + optind + 1);
			return 0;
		}
	}
	process = 0;
	run(mib << 20, huge, argv + optind + 1);
	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}
