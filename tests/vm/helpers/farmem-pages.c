// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-pages.c - writes pages that know their place, and finds them again.
 *
 *   farmem-pages DEVICE STEP...
 *
 * Pages are of 4096 bytes, O_DIRECT.  Every word of a page tells the page's
 * number, its own place in it and the generation GEN (1..65535) it was written
 * in, so that a byte of another page, time or volume cannot pass.
 *
 *   write=FIRST,COUNT,GEN    check=FIRST,COUNT,GEN
 *   zeros=FIRST,COUNT        they must read as zeros
 *   lost=FIRST,COUNT         each must read as EIO
 *   absent=GEN               no word of the device may bear that generation
 *   scatter=FIRST,COUNT,GEN[,OFFSET[,PIECE]]  as write, from up to 40
 *                            pieces of memory a call, OFFSET into a page each
 *   gather=...               as check, into such pieces
 *   nowait=FIRST,COUNT,GEN   as check, with RWF_NOWAIT: EAGAIN is fine too
 *   burst=FIRST,COUNT,GEN    as write, up to 128 pages by one io_submit(2); prints a
 *                            check= step for each that was acknowledged
 *   race=FIRST,COUNT,ROUNDS  writes, of zeros too, discards and zeroing at once
 *   churn=FIRST,COUNT,ROUNDS  writes and reads from a buffer that changes meanwhile, twice at
 *                            once: no I/O may fail, whatever is read
 *
 * Exit status: 0, or 1 and the reason.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/aio_abi.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE	4096ul
#define WORDS	(PAGE / sizeof(uint64_t))
#define BATCH	64ul	/* pages */
#define PIECES	40ul
#define BURST	128ul	/* pages */

static int fd;
static uint8_t *buffer;	/* BATCH pages */

static uint64_t word(uint64_t page, unsigned int gen, unsigned int i)
{
	uint64_t tag = 0x5a000000u | gen;

	return tag << 32 | (uint32_t)((page * WORDS + i) * 2654435761u);
}

static void fill(void *data, uint64_t page, unsigned int gen)
{
	uint64_t *words = data;
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		words[i] = word(page, gen, i);
}

static void compare(const void *data, uint64_t page, unsigned int gen)
{
	const uint64_t *words = data;
	unsigned int i;

	for (i = 0; i < WORDS; i++) {
		uint64_t want = gen ? word(page, gen, i) : 0;

		if (words[i] != want)
			errx(1, "page %" PRIu64 ", byte %zu: %016" PRIx64 " instead of %016" PRIx64,
			     page, i * sizeof(want), words[i], want);
	}
}

static void transferred(ssize_t done, size_t want, const char *what, uint64_t page)
{
	if (done < 0)
		err(1, "%s at page %" PRIu64, what, page);
	if ((size_t)done != want)
		errx(1, "%s at page %" PRIu64 ": %zd bytes instead of %zu", what, page, done, want);
}

static void write_pages(uint64_t first, uint64_t count, unsigned int gen)
{
	uint64_t i, n;

	for (; count; first += n, count -= n) {
		n = count < BATCH ? count : BATCH;
		for (i = 0; i < n; i++)
			fill(buffer + i * PAGE, first + i, gen);
		transferred(pwrite(fd, buffer, n * PAGE, first * PAGE), n * PAGE, "write", first);
	}
}

/* @gen: 0 means zeros. */
static void check_pages(uint64_t first, uint64_t count, unsigned int gen)
{
	uint64_t i, n;

	for (; count; first += n, count -= n) {
		n = count < BATCH ? count : BATCH;
		memset(buffer, 0xee, n * PAGE);
		transferred(pread(fd, buffer, n * PAGE, first * PAGE), n * PAGE, "read", first);
		for (i = 0; i < n; i++)
			compare(buffer + i * PAGE, first + i, gen);
	}
}

static void expect_lost(uint64_t first, uint64_t count)
{
	uint64_t page;
	ssize_t done;

	for (page = first; page < first + count; page++) {
		done = pread(fd, buffer, PAGE, page * PAGE);
		if (done >= 0)
			errx(1, "page %" PRIu64 " is lost, and was read", page);
		if (errno != EIO)
			err(1, "page %" PRIu64 " is lost, and not EIO", page);
	}
}

static void find_none(unsigned int gen)
{
	const uint64_t *words = (void *)buffer;
	uint64_t bytes, at, n, i;

	if (ioctl(fd, BLKGETSIZE64, &bytes))
		err(1, "BLKGETSIZE64");
	for (at = 0; at < bytes; at += n) {
		n = bytes - at < BATCH * PAGE ? bytes - at : BATCH * PAGE;
		transferred(pread(fd, buffer, n, at), n, "read", at / PAGE);
		for (i = 0; i < n / sizeof(*words); i++)
			if (words[i] >> 32 == word(0, gen, 0) >> 32)
				errx(1, "page %" PRIu64 " holds bytes of generation %u",
				     at / PAGE + i / WORDS, gen);
	}
}

static void copy_pieces(struct iovec *iov, unsigned int count, uint8_t *flat, int out)
{
	unsigned int i;

	for (i = 0; i < count; flat += iov[i++].iov_len) {
		if (out)
			memcpy(iov[i].iov_base, flat, iov[i].iov_len);
		else
			memcpy(flat, iov[i].iov_base, iov[i].iov_len);
	}
}

static void pieces(uint64_t first, uint64_t count, unsigned int gen, size_t offset,
		   size_t piece, int out)
{
	size_t stride = (piece + offset + 3 * PAGE) & ~(PAGE - 1), bytes;
	struct iovec iov[PIECES];
	unsigned int n = PIECES, i;
	uint8_t *memory;
	uint64_t page;

	while (n && (n * piece % PAGE || n * piece > BATCH * PAGE))
		n--;
	bytes = n * piece;
	if (!n)
		errx(1, "pieces of %zu bytes make no whole pages", piece);
	memory = mmap(NULL, stride * PIECES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		err(1, "mmap");
	for (i = 0; i < n; i++)
		iov[i] = (struct iovec){ memory + i * stride + offset, piece };
	/* Not in order, or the kernel hands out neighbours. */
	for (i = 0; i < n; i++)
		memset(iov[i * 17 % n].iov_base, 0, piece);
	if (count % (bytes / PAGE))
		errx(1, "give a multiple of %zu pages", bytes / PAGE);

	for (page = first; page < first + count; page += bytes / PAGE) {
		if (out) {
			for (i = 0; i < bytes / PAGE; i++)
				fill(buffer + i * PAGE, page + i, gen);
			copy_pieces(iov, n, buffer, 1);
			transferred(pwritev(fd, iov, n, page * PAGE), bytes, "pwritev", page);
			continue;
		}
		memset(memory, 0xee, stride * PIECES);
		transferred(preadv(fd, iov, n, page * PAGE), bytes, "preadv", page);
		copy_pieces(iov, n, buffer, 0);
		for (i = 0; i < bytes / PAGE; i++)
			compare(buffer + i * PAGE, page + i, gen);
	}
	munmap(memory, stride * PIECES);
}

static void read_nowait(uint64_t first, uint64_t count, unsigned int gen)
{
	struct iovec iov = { buffer, PAGE };
	unsigned int data = 0, again = 0;
	uint64_t page;
	ssize_t done;

	for (page = first; page < first + count; page++) {
		memset(buffer, 0xee, PAGE);
		done = preadv2(fd, &iov, 1, page * PAGE, RWF_NOWAIT);
		if (done < 0 && errno == EAGAIN) {
			again++;
			continue;
		}
		transferred(done, PAGE, "preadv2", page);
		compare(buffer, page, gen);
		data++;
	}
	printf("nowait: %u data, %u again\n", data, again);
}

static void burst(uint64_t first, uint64_t count, unsigned int gen)
{
	static struct iocb iocb[BURST], *iocbs[BURST];
	static struct io_event event[BURST];
	aio_context_t context = 0;
	uint8_t *data = aligned_alloc(PAGE, BURST * PAGE);
	uint64_t i;

	if (!data || count > BURST || syscall(SYS_io_setup, BURST, &context))
		err(1, "burst");
	for (i = 0; i < count; i++) {
		fill(data + i * PAGE, first + i, gen);
		iocb[i] = (struct iocb){
			.aio_lio_opcode = IOCB_CMD_PWRITE,
			.aio_fildes = fd,
			.aio_buf = (uintptr_t)(data + i * PAGE),
			.aio_nbytes = PAGE,
			.aio_offset = (first + i) * PAGE,
			.aio_data = first + i,
		};
		iocbs[i] = &iocb[i];
	}
	if (syscall(SYS_io_submit, context, count, iocbs) != (long)count ||
	    syscall(SYS_io_getevents, context, count, count, event, NULL) != (long)count)
		err(1, "burst");
	for (i = 0; i < count; i++)
		if (event[i].res == (long)PAGE)
			printf("check=%ju,1,%u\n", (uintmax_t)event[i].data, gen);
	syscall(SYS_io_destroy, context);
	free(data);
}

struct racer {
	pthread_t thread;
	unsigned int number;
	uint64_t first, count, rounds;
};

static void discard(unsigned long request, uint64_t first, uint64_t count)
{
	uint64_t range[2] = { first * PAGE, count * PAGE };

	if (ioctl(fd, request, range))
		err(1, "discarding %" PRIu64 " pages at %" PRIu64, count, first);
}

static void *race(void *argument)
{
	const struct racer *me = argument;
	unsigned int seed = me->number;
	uint64_t page, n, i;
	uint8_t *data;

	data = aligned_alloc(PAGE, 4 * PAGE);
	if (!data)
		err(1, NULL);
	for (i = 0; i < me->rounds; i++) {
		n = 1 + rand_r(&seed) % 4;
		page = me->first + rand_r(&seed) % (me->count - n + 1);
		if (me->number >= 2) {
			discard(me->number == 2 ? BLKDISCARD : BLKZEROOUT, page, n);
			continue;
		}
		for (uint64_t k = 0; k < n; k++)
			fill(data + k * PAGE, page + k, 1 + rand_r(&seed) % 60000);
		/* A page of zeros is a discard that the kernel does not serialize. */
		if (rand_r(&seed) % 2)
			memset(data, 0, PAGE);
		transferred(pwrite(fd, data, n * PAGE, page * PAGE), n * PAGE, "write", page);
	}
	free(data);
	return NULL;
}

static void run_race(uint64_t first, uint64_t count, uint64_t rounds)
{
	struct racer racer[4];
	unsigned int i;

	for (i = 0; i < 4; i++) {
		racer[i] = (struct racer){ .number = i, .first = first, .count = count,
					   .rounds = rounds };
		if (pthread_create(&racer[i].thread, NULL, race, &racer[i]))
			errx(1, "pthread_create");
	}
	for (i = 0; i < 4; i++)
		pthread_join(racer[i].thread, NULL);
}

/* What the two writers of churn= share with what changes it. */
static uint8_t *churned;
static atomic_bool churn_over;

static void *change(void *argument)
{
	const struct racer *me = argument;
	uint64_t i;

	for (i = 0; !churn_over; i++)
		memcpy(churned + i % me->count * PAGE, &i, sizeof(i));
	return NULL;
}

static void *churn(void *argument)
{
	const struct racer *me = argument;
	size_t bytes = me->count * PAGE;
	uint8_t *read = aligned_alloc(PAGE, bytes);
	uint64_t i;

	if (!read)
		err(1, NULL);
	for (i = 0; i < me->rounds; i++) {
		transferred(pwrite(fd, churned, bytes, me->first * PAGE), bytes, "write", me->first);
		transferred(pread(fd, read, bytes, me->first * PAGE), bytes, "read", me->first);
	}
	free(read);
	return NULL;
}

static void run_churn(uint64_t first, uint64_t count, uint64_t rounds)
{
	struct racer racer = { .first = first, .count = count, .rounds = rounds };
	void *(*const run[])(void *) = { churn, churn, change };
	pthread_t thread[3];
	unsigned int i;

	churned = aligned_alloc(PAGE, count * PAGE);
	if (!churned)
		err(1, NULL);
	for (i = 0; i < count; i++)
		fill(churned + i * PAGE, first + i, 1);
	churn_over = false;
	for (i = 0; i < 3; i++)
		if (pthread_create(&thread[i], NULL, run[i], &racer))
			errx(1, "pthread_create");
	for (i = 0; i < 3; i++) {
		churn_over = i == 2;
		pthread_join(thread[i], NULL);
	}
	free(churned);
}

static void step(const char *text)
{
	uint64_t n[5] = { 0, 0, 0, 0, PAGE };
	char verb[16];

	if (sscanf(text, "%15[a-z]=%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64,
		   verb, &n[0], &n[1], &n[2], &n[3], &n[4]) < 2)
		errx(1, "%s: no such step", text);
	if (!strcmp(verb, "write"))
		write_pages(n[0], n[1], n[2]);
	else if (!strcmp(verb, "check"))
		check_pages(n[0], n[1], n[2]);
	else if (!strcmp(verb, "zeros"))
		check_pages(n[0], n[1], 0);
	else if (!strcmp(verb, "lost"))
		expect_lost(n[0], n[1]);
	else if (!strcmp(verb, "absent"))
		find_none(n[0]);
	else if (!strcmp(verb, "scatter"))
		pieces(n[0], n[1], n[2], n[3], n[4], 1);
	else if (!strcmp(verb, "gather"))
		pieces(n[0], n[1], n[2], n[3], n[4], 0);
	else if (!strcmp(verb, "nowait"))
		read_nowait(n[0], n[1], n[2]);
	else if (!strcmp(verb, "burst"))
		burst(n[0], n[1], n[2]);
	else if (!strcmp(verb, "race"))
		run_race(n[0], n[1], n[2]);
	else if (!strcmp(verb, "churn"))
		run_churn(n[0], n[1], n[2]);
	else
		errx(1, "%s: no such step", text);
}

int main(int argc, char **argv)
{
	int i;

	if (argc < 3)
		errx(1, "usage: farmem-pages DEVICE STEP...");
	fd = open(argv[1], O_RDWR | O_DIRECT);
	if (fd < 0)
		err(1, "%s", argv[1]);
	buffer = aligned_alloc(PAGE, BATCH * PAGE);
	if (!buffer)
		err(1, NULL);
	for (i = 2; i < argc; i++)
		step(argv[i]);
	/* Not left to exit: the next program may want the device to itself. */
	return close(fd) ? 1 : 0;
}
