// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-verify.c - knows of every sector of a disk what must be there.
 *
 *   farmem-verify [OPTION...] DISK STATE
 *
 * Sectors of 4096 bytes are read, written and discarded at random, O_DIRECT, by
 * LANES that own different ones; but a part of the reads goes to where any lane has just
 * written, and finds what was there before, what is being written, or bytes of both.
 * Each 512 bytes are stamped with the seed, the
 * sector, a sequence number and a checksum.  STATE, a file, has for each sector the
 * sequences that may be there: one that was acknowledged (0: zeros), and besides
 * those of writes and discards that failed or are under way.  An acknowledged one
 * forgets the others, and so does a read, which shows what it was: that must stay.
 * The file is brought up to date before a write is sent, so that a verifier that was
 * killed, or another one after a reload, goes on where the last one ended.
 *
 * Ends with a read of everything.  What should not be there is named: old, new (a
 * write that had failed and a read had not found, or one that nobody knows of),
 * zero, foreign (another sector's, another seed's or nobody's bytes) or torn.
 *
 * A read beside a write is judged byte by byte, for a word is no unit there.  Linux up to
 * 6.3 copies by "rep movsb" where the CPU says erms, as the CPU does that QEMU emulates:
 * that one goes byte by byte, so two copies of soft-RoCE's, one in and one out, tear words
 * at any byte.  Real CPUs move whole words; adapters promise neither.
 *
 *   -s SEED     what is done follows from it; a new STATE takes it for its stamps
 *   -t SECONDS  how long; 0 (the default) only reads everything
 *   -u FILE     until FILE is there
 *   -f          first write every sector, in order
 *   -m R,W,D    how many in a hundred read, write, discard; 45,45,10
 *   -n SECTORS  of the disk; all of them unless told, or those that STATE knows
 *   -S PERCENT  of the reads are of sectors that others may be writing; 33
 *   -r SECTORS  that one read may have; 16, as a write or a discard
 *   -l LANES    at the same time, every second one by io_submit(2); 8
 *   -e          errors are legal
 *   -p SECONDS  say every so often how far it is
 *
 * Exit status: 0, or 1 and the reason.  SIGTERM and SIGINT end it early, in order.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/aio_abi.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "verify-sectors.h"

#define CHUNK		64ul	/* sectors that lie together and have one owner */
#define BATCH		8u	/* operations under way in a lane */
#define LONGEST		16u	/* sectors of an operation */

enum kind { READ, WRITE, DISCARD };

struct operation {
	enum kind kind;
	bool shared;	/* a read beside the owner */
	uint64_t first, count;
	uint64_t sequence[LONGEST];
	struct sector_view view[LONGEST];
	uint8_t *data;
};

struct lane {
	pthread_t thread;
	unsigned int number;
	uint64_t random;
	aio_context_t aio;
	bool asynchronous;
	struct operation op[BATCH];
	unsigned int count;
	atomic_ulong latest;	/* where it has written last */
};

static struct lane *lane_list;
static const char *disk;
static int fd;
static uint64_t sectors, seed = 1;
static unsigned int lanes = 8, mix[3] = { 45, 45, 10 }, seconds, every, longest_read = LONGEST, shared_percent = 33;
static const char *until;
static bool fill_first, errors_legal, regular;
static atomic_bool stopping;
static atomic_ulong reads, writes, discards, errors, doubts, shared, raced;

static bool over(void)
{
	return atomic_load(&stopping) || atomic_load(&complaints);
}

static uint64_t chance(uint64_t *random, uint64_t below)
{
	return mixed(*random += 0x9e3779b97f4a7c15ull) % below;
}

/* Operations. */

static bool room_for_doubt(const struct operation *op)
{
	uint64_t i;

	for (i = 0; i < op->count; i++)
		if (!sector_takes_doubt(op->first + i))
			return false;
	return true;
}

static void prepare(struct operation *op)
{
	uint64_t i;

	if (op->kind == READ) {
		memset(op->data, 0xee, op->count * SECTOR);
		for (i = 0; op->shared && i < op->count; i++)
			sector_view(op->first + i, &op->view[i]);
		return;
	}
	for (i = 0; i < op->count; i++) {
		op->sequence[i] = sector_doubt(op->first + i, op->kind == DISCARD);
		if (op->kind == WRITE)
			sector_stamp(op->data + i * SECTOR, op->first + i, op->sequence[i]);
	}
}

static void failed(const struct operation *op, int error)
{
	static const char *const names[] = { "read", "write", "discard" };

	atomic_fetch_add(&errors, 1);
	if (op->kind != READ)
		atomic_fetch_add(&doubts, op->count);
	if (!errors_legal || (error != EIO && error != ENOLINK && error != ETIMEDOUT &&
			      error != EFBIG))
		complain(op->first, "%s of %" PRIu64 " failed: %s", names[op->kind], op->count,
			 strerror(error));
}

/* finish - @done: bytes, or minus an error. */
static void finish(struct operation *op, int64_t done)
{
	bool beside = false;
	uint64_t i;

	if (done != (int64_t)(op->count * SECTOR)) {
		failed(op, done < 0 ? -done : EIO);
		return;
	}
	for (i = 0; i < op->count; i++) {
		if (op->shared)
			beside |= sector_judge_shared(op->data + i * SECTOR, op->first + i,
						      &op->view[i]);
		else if (op->kind == READ)
			sector_judge(op->data + i * SECTOR, op->first + i);
		else
			sector_acknowledge(op->first + i, op->sequence[i],
					   op->kind == DISCARD);
	}
	if (op->shared)
		atomic_fetch_add(&shared, 1);
	if (beside)
		atomic_fetch_add(&raced, 1);
	atomic_fetch_add(op->kind == READ ? &reads : op->kind == WRITE ? &writes : &discards, 1);
}

static int64_t discard(const struct operation *op)
{
	uint64_t range[2] = { op->first * SECTOR, op->count * SECTOR };
	int ret = regular ? fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				      range[0], range[1]) : ioctl(fd, BLKDISCARD, range);

	return ret ? -errno : (int64_t)range[1];
}

static void run_waiting(struct operation *op)
{
	uint64_t bytes = op->count * SECTOR, at = op->first * SECTOR;
	int64_t done;

	if (op->kind == DISCARD)
		done = discard(op);
	else if (op->kind == READ)
		done = pread(fd, op->data, bytes, at);
	else
		done = pwrite(fd, op->data, bytes, at);
	finish(op, done < 0 && op->kind != DISCARD ? -errno : done);
}

static void run_queued(struct lane *lane)
{
	struct iocb iocb[BATCH], *list[BATCH];
	struct io_event event[BATCH];
	long i, count = 0;

	for (i = 0; i < lane->count; i++) {
		struct operation *op = &lane->op[i];

		if (op->kind == DISCARD)
			continue;
		iocb[count] = (struct iocb){
			.aio_lio_opcode = op->kind == READ ? IOCB_CMD_PREAD : IOCB_CMD_PWRITE,
			.aio_fildes = fd,
			.aio_buf = (uintptr_t)op->data,
			.aio_nbytes = op->count * SECTOR,
			.aio_offset = op->first * SECTOR,
			.aio_data = (uintptr_t)op,
		};
		list[count] = &iocb[count];
		count++;
	}
	if (count && syscall(SYS_io_submit, lane->aio, count, list) != count)
		err(1, "io_submit");
	for (i = 0; i < lane->count; i++)
		if (lane->op[i].kind == DISCARD)
			run_waiting(&lane->op[i]);
	while (count) {
		long done = syscall(SYS_io_getevents, lane->aio, 1, count, event, NULL);

		if (done < 0 && errno != EINTR)
			err(1, "io_getevents");
		for (i = 0; i < done; i++, count--)
			finish((struct operation *)(uintptr_t)event[i].data, event[i].res);
	}
}

/* Lanes. */

/* What is read beside an owner may be so beside this one. */
static bool overlaps(const struct lane *lane, const struct operation *new)
{
	const struct operation *op;

	for (op = lane->op; op < lane->op + lane->count; op++)
		if (!op->shared && !new->shared && op->first < new->first + new->count && new->first < op->first + op->count)
			return true;
	return false;
}

/* Mostly where somebody has just written, or is about to. */
static void go_beside(struct lane *lane, struct operation *op)
{
	op->first = chance(&lane->random, 4) ?
		atomic_load(&lane_list[chance(&lane->random, lanes)].latest) :
		chance(&lane->random, sectors);
	if (op->count > sectors - op->first)
		op->count = sectors - op->first;
}

static void choose(struct lane *lane)
{
	uint64_t chunks = (sectors + CHUNK - 1) / CHUNK, chunk, end, dice;
	struct operation *op = &lane->op[lane->count];

	chunk = chance(&lane->random, (chunks - lane->number + lanes - 1) / lanes) * lanes +
		lane->number;
	end = (chunk + 1) * CHUNK < sectors ? (chunk + 1) * CHUNK : sectors;
	op->first = chunk * CHUNK + chance(&lane->random, end - chunk * CHUNK);
	/* Mostly single pages, as swap has them. */
	op->count = chance(&lane->random, 3) ? 1 : 1 + chance(&lane->random, LONGEST);
	if (op->count > end - op->first)
		op->count = end - op->first;
	dice = chance(&lane->random, mix[0] + mix[1] + mix[2]);
	op->kind = dice < mix[0] ? READ : dice < mix[0] + mix[1] ? WRITE : DISCARD;
	if (op->kind != READ && !room_for_doubt(op))
		op->kind = READ;
	op->shared = op->kind == READ && chance(&lane->random, 100) < shared_percent;
	if (op->shared)
		go_beside(lane, op);
	if (op->kind == READ && op->count > longest_read)
		op->count = longest_read;
	if (op->kind != READ)
		atomic_store(&lane->latest, op->first);
	if (overlaps(lane, op))
		return;
	prepare(op);
	lane->count++;
}

static void pause_briefly(void)
{
	nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
}

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void *run_lane(void *argument)
{
	struct lane *lane = argument;
	unsigned long before;
	unsigned int n, i;

	while (!over()) {
		before = atomic_load(&errors);
		lane->count = 0;
		for (n = 1 + chance(&lane->random, BATCH); n; n--)
			choose(lane);
		if (lane->asynchronous)
			run_queued(lane);
		else
			for (i = 0; i < lane->count; i++)
				run_waiting(&lane->op[i]);
		/* Errors that come at once would keep a CPU busy. */
		if (atomic_load(&errors) != before)
			pause_briefly();
	}
	return NULL;
}

static void *buffer(void)
{
	void *data = aligned_alloc(SECTOR, LONGEST * SECTOR);

	if (!data)
		err(1, NULL);
	return data;
}

static void start_lane(struct lane *lane, unsigned int number)
{
	unsigned int i;

	lane->number = number;
	lane->random = mixed(seed ^ mixed(number + 1));
	lane->asynchronous = number % 2 == 0;
	for (i = 0; i < BATCH; i++)
		lane->op[i].data = buffer();
	if (syscall(SYS_io_setup, BATCH, &lane->aio))
		err(1, "io_setup");
	if (pthread_create(&lane->thread, NULL, run_lane, lane))
		errx(1, "pthread_create");
}

static void say(void)
{
	printf("reads=%lu writes=%lu discards=%lu errors=%lu doubts=%lu kept=%lu landed=%lu mismatches=%u shared=%lu raced=%lu\n",
	       atomic_load(&reads), atomic_load(&writes), atomic_load(&discards),
	       atomic_load(&errors), atomic_load(&doubts), atomic_load(&kept),
	       atomic_load(&landed), atomic_load(&complaints), atomic_load(&shared),
	       atomic_load(&raced));
	fflush(stdout);
}

static void run_lanes(void)
{
	struct lane *lane = calloc(lanes, sizeof(*lane));
	double start = now_seconds(), now, said = 0;
	unsigned int i;

	if (!lane)
		err(1, NULL);
	lane_list = lane;
	for (i = 0; i < lanes; i++)
		start_lane(&lane[i], i);
	while (!over()) {
		pause_briefly();
		now = now_seconds() - start;
		if ((seconds && now >= seconds) || (until && !access(until, F_OK)))
			break;
		if (every && now - said >= every) {
			said = now;
			say();
		}
	}
	atomic_store(&stopping, true);
	for (i = 0; i < lanes; i++)
		pthread_join(lane[i].thread, NULL);
}

/* all - reads or writes everything, in order. */
static void all(enum kind kind)
{
	struct operation op = { .kind = kind, .data = buffer() };
	uint64_t at;

	for (at = 0; at < sectors; at += op.count) {
		op.kind = kind;
		op.first = at;
		op.count = sectors - at < LONGEST ? sectors - at : LONGEST;
		if (!room_for_doubt(&op))
			op.kind = READ;
		prepare(&op);
		run_waiting(&op);
	}
	free(op.data);
}

/* Start. */

static uint64_t open_disk(const char *path)
{
	struct stat st;
	uint64_t bytes;

	disk = path;
	fd = open(path, O_RDWR | O_DIRECT);
	if (fd < 0 && errno == EINVAL)
		fd = open(path, O_RDWR);	/* a file, of the selftest */
	if (fd < 0 || fstat(fd, &st))
		err(1, "%s", path);
	regular = S_ISREG(st.st_mode);
	bytes = st.st_size;
	if (!regular && ioctl(fd, BLKGETSIZE64, &bytes))
		err(1, "%s", path);
	return bytes / SECTOR;
}

static void on_signal(int number)
{
	(void)number;
	atomic_store(&stopping, true);
}

static void usage(void)
{
	errx(1, "usage: farmem-verify [-ef] [-s SEED] [-t SECONDS] [-u FILE] [-m R,W,D] [-n SECTORS] [-S PERCENT] [-r SECTORS] [-l LANES] [-p SECONDS] DISK STATE");
}

static void parse(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "s:t:u:fm:n:S:r:l:ep:")) != -1) {
		switch (option) {
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 't': seconds = strtoul(optarg, NULL, 0); break;
		case 'u': until = optarg; break;
		case 'f': fill_first = true; break;
		case 'n': sectors = strtoull(optarg, NULL, 0); break;
		case 'S': shared_percent = strtoul(optarg, NULL, 0); break;
		case 'r': longest_read = strtoul(optarg, NULL, 0); break;
		case 'l': lanes = strtoul(optarg, NULL, 0); break;
		case 'e': errors_legal = true; break;
		case 'p': every = strtoul(optarg, NULL, 0); break;
		case 'm':
			if (sscanf(optarg, "%u,%u,%u", &mix[0], &mix[1], &mix[2]) != 3 ||
			    !(mix[0] + mix[1] + mix[2]))
				usage();
			break;
		default: usage();
		}
	}
	if (argc - optind != 2 || !lanes || !longest_read)
		usage();
}

int main(int argc, char **argv)
{
	uint64_t all_of_it;

	parse(argc, argv);
	all_of_it = open_disk(argv[optind]);
	if (!sectors || sectors > all_of_it)
		sectors = all_of_it;
	if (!sectors)
		errx(1, "%s: no sectors", disk);
	sectors = sectors_open(disk, argv[optind + 1], sectors, seed);
	if (lanes > (sectors + CHUNK - 1) / CHUNK)
		lanes = (sectors + CHUNK - 1) / CHUNK;
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	signal(SIGXFSZ, SIG_IGN);
	if (fill_first)
		all(WRITE);
	if (seconds || until)
		run_lanes();
	all(READ);
	say();
	/* Not left to exit: the next program may want the disk to itself. */
	return close(fd) || atomic_load(&complaints);
}
