// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-poison - memory gets an uncorrectable error: a file's page, or a process's heap
 *
 * As the kernel sees it: the memory itself is well, and is used no more until the next boot.
 * Of a huge page all of it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define PRESENT (1ull << 63)	/* of an entry of pagemap, with the frame's number below */
#define FRAME ((1ull << 55) - 1)
#define HEAP_MOST (1 << 20)	/* of each mapping; a sanitizer's are of terabytes */
#define SANITIZER_HEAP 0x18	/* AddressSanitizer's allocator: 0x600000000000 and up */

/* Newer kernels tell the process that lost the page: here it does not need it. */
static void on_lost(int number)
{
	(void)number;
}

static int poison_file(const char *path, const char *at)
{
	volatile char *page;
	struct stat st;
	off_t offset;
	int fd = open(path, O_RDWR);

	if (fd < 0 || fstat(fd, &st)) {
		perror(path);
		return 1;
	}
	offset = strtoll(at, NULL, 0);
	offset -= offset % st.st_blksize;
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
	if (page == MAP_FAILED) {
		perror("farmem-poison: mmap");
		return 1;
	}
	(void)*page;
	signal(SIGBUS, on_lost);
	/* EBUSY: an adapter has it too; all others lose it. */
	if (madvise((void *)page, PAGE, MADV_HWPOISON) && errno != EBUSY) {
		perror("farmem-poison: madvise");
		return 1;
	}
	return 0;
}

/* The machine's own addresses are what the kernel's file takes. */
static int poison_frame(uint64_t frame)
{
	FILE *offline = fopen("/sys/devices/system/memory/hard_offline_page", "w");

	if (!offline)
		return -1;
	fprintf(offline, "%#" PRIx64 "\n", frame * PAGE);
	/* EBUSY as above. */
	return fclose(offline) && errno != EBUSY ? -1 : 0;
}

static unsigned int poison_range(int pagemap, uint64_t start, uint64_t end)
{
	unsigned int pages = 0;
	uint64_t entry;

	if (end - start > HEAP_MOST)
		end = start + HEAP_MOST;
	for (; start < end; start += PAGE)
		if (pread(pagemap, &entry, sizeof(entry), start / PAGE * sizeof(entry)) ==
		    sizeof(entry) && entry & PRESENT && !poison_frame(entry & FRAME))
			pages++;
	return pages;
}

static int poison_heap(const char *pid)
{
	char path[64], line[512];
	unsigned int pages = 0;
	uint64_t start, end;
	FILE *maps;
	int pagemap;

	snprintf(path, sizeof(path), "/proc/%s/pagemap", pid);
	pagemap = open(path, O_RDONLY);
	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "r");
	while (pagemap >= 0 && maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " rw", &start, &end) == 2 &&
		    (strstr(line, "[heap]") || start >> 42 == SANITIZER_HEAP))
			pages += poison_range(pagemap, start, end);
	printf("%u pages\n", pages);
	return !pages;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: farmem-poison FILE OFFSET | heap PID\n");
		return 2;
	}
	return !strcmp(argv[1], "heap") ? poison_heap(argv[2]) : poison_file(argv[1], argv[2]);
}
