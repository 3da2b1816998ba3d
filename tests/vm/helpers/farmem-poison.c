// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-poison - the page of a file at an offset gets an uncorrectable memory error
 *
 * As the kernel sees it: the memory itself is well, and is used no more until the next boot.
 * Of a huge page all of it is.
 * usage: farmem-poison FILE OFFSET
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define PAGE 4096

/* Newer kernels tell the process that lost the page: here it does not need it. */
static void on_lost(int number)
{
	(void)number;
}

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[1], O_RDWR) : -1;
	volatile char *page;
	struct stat st;
	off_t offset;

	if (fd < 0 || fstat(fd, &st)) {
		fprintf(stderr, "usage: farmem-poison FILE OFFSET\n");
		return 2;
	}
	offset = strtoll(argv[2], NULL, 0);
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
