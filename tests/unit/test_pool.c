// SPDX-License-Identifier: GPL-2.0
/*
 * test_pool.c - a pool file is used as what it was made, or not at all
 *
 * On tmpfs; that its pages are large is only said, which rounds its size alike.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "poison.h"
#include "pool.h"
#include "pool-size.h"
#include "prefault.h"
#include "premap.h"
#include "stubs.h"

#define SLAB	(64ull << 10)
#define SLABS	16
#define HUGE	(2ull << 20)

static char path[64], said[64];
static int machine_lacks;	/* an errno */

static int new_file(void **state)
{
	snprintf(path, sizeof(path), "/dev/shm/farmem-unit-%d", getpid());
	snprintf(said, sizeof(said), "/tmp/farmem-unit-%d", getpid());
	unlink(path);
	return 0;
}

static int no_file(void **state)
{
	unlink(path);
	unlink(said);
	return 0;
}

static struct options asked(uint32_t slabs, uint64_t slab_size)
{
	return (struct options) {
		.size = slabs * slab_size,
		.slab_size = slab_size,
		.hugepage_size = HUGE,
		.pool = path,
	};
}

static int create(struct pool *pool, uint32_t slabs, uint64_t slab_size)
{
	struct options opt = asked(slabs, slab_size);

	return pool_create(pool, &opt);
}

/* A pool that was used, and its generation. */
static uint64_t make_used(void)
{
	uint64_t generation;
	struct pool pool;

	assert_int_equal(create(&pool, SLABS, SLAB), 0);
	assert_false(pool.kept);
	memset(pool_data(&pool, 0), 0x5a, SLABS * SLAB);
	generation = pool.generation;
	pool_destroy(&pool);
	return generation;
}

static void expect_kept(uint64_t generation)
{
	struct pool pool;

	assert_int_equal(create(&pool, SLABS, SLAB), 0);
	assert_true(pool.kept);
	assert_true(pool.generation == generation);
	assert_int_equal(*pool_data(&pool, SLABS - 1), 0x5a);
	pool_destroy(&pool);
}

/* It is not taken, and the log says @text. */
static void expect_refused(uint32_t slabs, uint64_t slab_size, const char *text)
{
	int err = dup(STDERR_FILENO), log = open(said, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char line[512] = {};
	struct pool pool;
	int ret;

	assert_true(err >= 0 && log >= 0);
	dup2(log, STDERR_FILENO);
	ret = create(&pool, slabs, slab_size);
	dup2(err, STDERR_FILENO);
	assert_true(pread(log, line, sizeof(line) - 1, 0) > 0);
	close(log);
	close(err);
	assert_int_equal(ret, -EINVAL);
	if (!strstr(line, text))
		fail_msg("it says '%s', and not '%s'", line, text);
}

static void the_same_pool_is_taken_over(void **state)
{
	expect_kept(make_used());
}

/* KiB of the mapping that the kernel counts under @key. */
static unsigned long counted(const struct pool *pool, const char *key)
{
	FILE *smaps = fopen("/proc/self/smaps", "r");
	unsigned long start, kib = 0;
	bool here = false;
	char line[512];

	assert_non_null(smaps);
	while (fgets(line, sizeof(line), smaps)) {
		if (sscanf(line, "%lx-%*x %*s", &start) == 1 && strchr(line, '-'))
			here = start == (uintptr_t)pool->base;
		if (here && !strncmp(line, key, strlen(key)))
			kib = strtoul(line + strlen(key), NULL, 10);
	}
	fclose(smaps);
	return kib;
}

static void a_new_pool_is_taken_and_locked(void **state)
{
	struct pool pool;

	assert_int_equal(create(&pool, SLABS, SLAB), 0);
	assert_int_equal(counted(&pool, "Rss:"), pool.mapped >> 10);
	assert_int_equal(counted(&pool, "Locked:"), pool.mapped >> 10);
	pool_destroy(&pool);
}

/* Its clients wait: the walk comes when they are served. */
static void a_kept_pool_is_not_walked_at_once(void **state)
{
	struct premap *premap;
	unsigned int tries;
	struct pool pool;

	make_used();
	assert_int_equal(create(&pool, SLABS, SLAB), 0);
	assert_true(pool.kept);
	assert_true(counted(&pool, "Rss:") < pool.size >> 11);
	premap = premap_start(&pool);
	assert_non_null(premap);
	for (tries = 0; counted(&pool, "Rss:") < pool.size >> 10 && tries < 10000; tries++)
		usleep(1000);
	assert_true(counted(&pool, "Rss:") >= pool.size >> 10);
	assert_int_equal(counted(&pool, "Locked:"), counted(&pool, "Rss:"));
	premap_stop(premap);
	assert_int_equal(*pool_data(&pool, SLABS - 1), 0x5a);
	pool_destroy(&pool);
}

static void punch(off_t at, off_t bytes)
{
	int fd = open(path, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, bytes), 0);
	close(fd);
}

/* As of kernels that take a page with a memory error out of its file. */
static void a_page_that_went_makes_its_slab_bad(void **state)
{
	struct slab_run all = { 0, SLABS };
	unsigned int rounds;
	struct pool pool;
	uint32_t slab;

	make_used();
	punch(3 * SLAB + 8192, 4096);
	/* To look at it must not make it zeros, which the next farmemd would believe. */
	for (rounds = 0; rounds < 2; rounds++) {
		assert_int_equal(create(&pool, SLABS, SLAB), 0);
		assert_true(pool.kept);
		assert_int_equal(pool_probe(&pool, all), -EHWPOISON);
		for (slab = 0; slab < SLABS; slab++)
			assert_int_equal(slab_is_bad(pool.bad, slab), slab == 3);
		pool_destroy(&pool);
	}
}

/* Large slabs have several pages of them: the gap begins within one's and ends within the next's. */
static void state_bytes_that_went_make_their_slabs_bad(void **state)
{
	const uint64_t large = 32ull << 20;
	struct pool pool;

	assert_int_equal(create(&pool, 3, large), 0);
	pool_destroy(&pool);
	punch(3 * large + 4096, 8192);
	assert_int_equal(create(&pool, 3, large), 0);
	assert_true(pool.kept);
	assert_true(slab_is_bad(pool.bad, 0));
	assert_true(slab_is_bad(pool.bad, 1));
	assert_false(slab_is_bad(pool.bad, 2));
	pool_destroy(&pool);
}

/* For good: to start again is of no use, as check.c:check_exit_status() says of -EINVAL. */
static void a_file_that_others_can_open_is_refused(void **state)
{
	make_used();
	assert_int_equal(chmod(path, 0644), 0);
	expect_refused(SLABS, SLAB, "must be a file of farmemd's user");
}

static void a_superblock_that_went_is_refused(void **state)
{
	make_used();
	/* With the state bytes of all slabs, which are as small as that here. */
	punch(SLABS * SLAB, 4096);
	expect_refused(SLABS, SLAB, "is gone after an uncorrectable error");
}

/* To touch it is a SIGBUS, as of a page with a memory error. */
static void what_cannot_be_zeroed_is_bad(void **state)
{
	struct slab_run two = { 4, 2 }, rest = { 0, 4 };
	struct pool pool;

	assert_int_equal(poison_watch(), 0);
	assert_int_equal(create(&pool, SLABS, SLAB), 0);
	assert_int_equal(ftruncate(pool.fd, 5 * SLAB), 0);
	/* Their state bytes went, too. */
	assert_int_equal(pool_zero(&pool, two), -EHWPOISON);
	assert_true(slab_is_bad(pool.bad, 4));
	assert_true(slab_is_bad(pool.bad, 5));
	assert_int_equal(pool.bad->count, 2);
	assert_int_equal(ftruncate(pool.fd, pool.mapped), 0);
	assert_int_equal(pool_zero(&pool, rest), 0);
	assert_int_equal(pool.bad->count, 2);
	pool_destroy(&pool);
	signal(SIGBUS, SIG_DFL);
}

static void write_at(off_t at, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes, len, at), len);
	close(fd);
}

static void grow_to(off_t bytes)
{
	write_at(0, "", 1);
	assert_int_equal(truncate(path, bytes), 0);
}

/* KiB that the file has. */
static uint64_t taken(const struct pool *pool)
{
	struct stat st;

	assert_int_equal(fstat(pool->fd, &st), 0);
	return st.st_blocks / 2;
}

static int create_spare(struct pool *pool, uint32_t spare)
{
	struct options opt = asked(SLABS, SLAB);

	opt.spare = spare * SLAB;
	return pool_create(pool, &opt);
}

/* The rest of the file, behind the slabs, always has. */
static void only_the_floor_of_a_new_pool_is_taken(void **state)
{
	struct pool pool;

	assert_int_equal(create_spare(&pool, 12), 0);
	assert_int_equal(pool.floor, SLABS - 12);
	assert_int_equal(taken(&pool), (pool.mapped - 12 * SLAB) >> 10);
	pool_destroy(&pool);
}

static void memory_goes_back_and_comes_again(void **state)
{
	struct slab_run run = { 9, 3 };
	uint64_t all, mapped_kib;
	struct pool pool;

	assert_int_equal(create_spare(&pool, 12), 0);
	assert_int_equal(pool_zero(&pool, (struct slab_run){ 4, 12 }), 0);
	all = taken(&pool);
	assert_int_equal(all, pool.mapped >> 10);
	memset(pool_data(&pool, run.first), 0x5a, run.count * SLAB);
	memset(pool_meta(&pool, run.first), FARMEM_PAGE_LOST, run.count * pool_meta_per_slab(&pool));
	mapped_kib = counted(&pool, "Rss:");
	assert_int_equal(pool_give(&pool, run), 0);
	assert_int_equal(taken(&pool), all - 3 * (SLAB >> 10));
	assert_int_equal(counted(&pool, "Rss:"), mapped_kib - 3 * (SLAB >> 10));
	assert_int_equal(pool_zero(&pool, run), 0);
	assert_int_equal(taken(&pool), all);
	assert_int_equal(*pool_meta(&pool, run.first + 2), 0);
	assert_int_equal(pool_data(&pool, run.first)[SLAB - 1], 0);
	pool_destroy(&pool);
}

/* One that was to be taken over is, whenever the farmemd that made it ended. */
static void what_was_never_taken_is_absent_from_the_start(void **state)
{
	struct pool pool;

	assert_int_equal(create_spare(&pool, 12), 0);
	pool_destroy(&pool);
	assert_int_equal(create_spare(&pool, 12), 0);
	assert_true(pool.kept);
	assert_int_equal(pool.bad->count, 0);
	assert_int_equal(taken(&pool), (pool.mapped - 12 * SLAB) >> 10);
	pool_destroy(&pool);
}

/* What a farmemd that was killed left of a file that it filled: to look must not fill the rest. */
static void a_file_of_zeros_stays_as_empty(void **state)
{
	struct pool pool;

	grow_to(HUGE);
	assert_int_equal(create_spare(&pool, 12), 0);
	assert_false(pool.kept);
	assert_int_equal(taken(&pool), (pool.mapped - 12 * SLAB) >> 10);
	pool_destroy(&pool);
}

int __real_fallocate(int fd, int mode, off_t at, off_t bytes);

int __wrap_fallocate(int fd, int mode, off_t at, off_t bytes)
{
	if (!machine_lacks)
		return __real_fallocate(fd, mode, at, bytes);
	errno = machine_lacks;
	return -1;
}

/* A store would be a SIGBUS, and the slab would count as bad; or the kernel would end a program. */
static void zeroing_fails_where_there_is_no_memory(void **state)
{
	struct slab_run run = { 12, 1 };
	struct pool pool;

	assert_int_equal(create_spare(&pool, 12), 0);
	machine_lacks = ENOMEM;
	assert_int_equal(pool_zero(&pool, run), -ENOSPC);
	machine_lacks = ENOSPC;
	assert_int_equal(pool_zero(&pool, run), -ENOSPC);
	machine_lacks = 0;
	assert_int_equal(pool.bad->count, 0);
	assert_int_equal(pool_zero(&pool, run), 0);
	pool_destroy(&pool);
}

/* A kept pool: what lacks memory, or may, is no memory error; what counts is. */
static void slabs_without_memory_are_no_bad_ones(void **state)
{
	struct pool pool;
	uint32_t slab;

	assert_int_equal(create_spare(&pool, 12), 0);
	super_slab(&pool.super, 6, SLAB_DIRTY);
	super_slab(&pool.super, 7, SLAB_RESERVED);
	super_slab(&pool.super, 8, SLAB_LENT);
	super_slab(&pool.super, 9, SLAB_CLEAN);
	pool_destroy(&pool);
	assert_int_equal(create_spare(&pool, 12), 0);
	assert_true(pool.kept);
	for (slab = 0; slab < SLABS; slab++)
		assert_int_equal(slab_is_bad(pool.bad, slab), slab == 8 || slab == 9);
	/* And nothing has given them any. */
	assert_int_equal(taken(&pool), (pool.mapped - 12 * SLAB) >> 10);
	pool_destroy(&pool);
}

static bool is_huge;

int __wrap_fstatfs(int fd, struct statfs *fs)
{
	*fs = (struct statfs){ .f_type = is_huge ? HUGETLBFS_MAGIC : TMPFS_MAGIC };
	return 0;
}

off_t __real_lseek(int fd, off_t at, int whence);

/* hugetlbfs has no gaps, whatever it lacks. */
off_t __wrap_lseek(int fd, off_t at, int whence)
{
	if (is_huge && whence == SEEK_HOLE)
		return __real_lseek(fd, 0, SEEK_END);
	return is_huge && whence == SEEK_DATA ? at : __real_lseek(fd, at, whence);
}

static int huge_file(void **state)
{
	is_huge = true;
	return new_file(state);
}

static int no_huge_file(void **state)
{
	is_huge = false;
	return no_file(state);
}

/* What does not count is emptied, so that how much there is tells whether some of the rest is gone. */
static void huge_pages_that_went_are_missed(void **state)
{
	struct pool pool;

	assert_int_equal(create_spare(&pool, 12), 0);
	assert_int_equal(pool_zero(&pool, (struct slab_run){ 6, 3 }), 0);
	super_slab(&pool.super, 6, SLAB_DIRTY);
	super_slab(&pool.super, 8, SLAB_LENT);
	memset(pool_data(&pool, 8), 0x5a, SLAB);
	pool_destroy(&pool);
	assert_int_equal(create_spare(&pool, 12), 0);
	assert_true(pool.kept);
	assert_int_equal(pool.bad->count, 0);
	assert_int_equal(taken(&pool), (pool.mapped - 11 * SLAB) >> 10);
	assert_int_equal(pool_data(&pool, 8)[SLAB - 1], 0x5a);
	pool_destroy(&pool);
	punch(8 * SLAB, 4096);
	assert_int_equal(create_spare(&pool, 12), -EINVAL);
}

static void an_unfinished_pool_of_huge_pages_stays_as_empty(void **state)
{
	struct pool pool;

	grow_to(HUGE);
	write_at(0, "\0", 1);
	assert_int_equal(create_spare(&pool, 12), 0);
	assert_false(pool.kept);
	assert_int_equal(taken(&pool), (pool.mapped - 12 * SLAB) >> 10);
	pool_destroy(&pool);
}

static void huge_pages_of_no_pool_are_left_alone(void **state)
{
	struct pool pool;

	grow_to(HUGE);
	write_at(9 * SLAB, "x", 1);
	assert_int_equal(create_spare(&pool, 12), -EINVAL);
}

static uint64_t mapped(const struct options *opt)
{
	return pool_size_mapped(opt->size, opt->slab_size, opt->hugepage_size);
}

static void another_size_is_named_and_changes_nothing(void **state)
{
	struct options small = asked(SLABS, SLAB), large = asked(SLABS + 1, SLAB);
	uint64_t generation = make_used();

	/* Or else the size of the file would tell. */
	assert_true(mapped(&small) == mapped(&large));
	expect_refused(SLABS + 1, SLAB, "was made with --size 1M and --slab-size 64K");
	expect_refused(SLABS - 1, SLAB, "was made with --size 1M and --slab-size 64K");
	expect_refused(4 * SLABS, SLAB, "was made with --size 1M and --slab-size 64K");
	expect_kept(generation);
}

static void another_slab_size_is_named_and_changes_nothing(void **state)
{
	uint64_t generation = make_used();

	expect_refused(SLABS / 2, 2 * SLAB, "was made with --size 1M and --slab-size 64K");
	expect_kept(generation);
}

static void a_file_of_zeros_is_a_new_pool(void **state)
{
	struct pool pool;

	grow_to(HUGE);
	assert_int_equal(create(&pool, SLABS, SLAB), 0);
	assert_false(pool.kept);
	pool_destroy(&pool);
}

/* Killed between the first store of its superblock and the last, its magic. */
static void an_unfinished_superblock_is_a_new_pool(void **state)
{
	struct pool pool;

	grow_to(HUGE);
	write_at(HUGE - SUPER_HEAD_BYTES + 8, "\1\2\3\4", 4);
	assert_int_equal(create(&pool, SLABS, SLAB), 0);
	assert_false(pool.kept);
	pool_destroy(&pool);
	assert_int_equal(create(&pool, SLABS, SLAB), 0);
	assert_true(pool.kept);
	pool_destroy(&pool);
}

static void what_is_no_pool_is_left_alone(void **state)
{
	struct stat st;

	grow_to(HUGE);
	write_at(HUGE / 2, "x", 1);
	expect_refused(SLABS, SLAB, "has contents, but no superblock of farmemd");
	grow_to(100);
	expect_refused(SLABS, SLAB, "is no pool of farmemd");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 100);
}

static void a_damaged_superblock_is_refused(void **state)
{
	make_used();

	write_at(HUGE - SUPER_HEAD_BYTES + 20, "x", 1);
	expect_refused(SLABS, SLAB, "is damaged");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_same_pool_is_taken_over, new_file, no_file),
		cmocka_unit_test_setup_teardown(a_new_pool_is_taken_and_locked, new_file, no_file),
		cmocka_unit_test_setup_teardown(a_kept_pool_is_not_walked_at_once,
						new_file, no_file),
		cmocka_unit_test_setup_teardown(a_page_that_went_makes_its_slab_bad,
						new_file, no_file),
		cmocka_unit_test_setup_teardown(a_file_that_others_can_open_is_refused,
						new_file, no_file),
		cmocka_unit_test_setup_teardown(state_bytes_that_went_make_their_slabs_bad,
						new_file, no_file),
		cmocka_unit_test_setup_teardown(a_superblock_that_went_is_refused,
						new_file, no_file),
		cmocka_unit_test_setup_teardown(what_cannot_be_zeroed_is_bad, new_file, no_file),
		cmocka_unit_test_setup_teardown(only_the_floor_of_a_new_pool_is_taken, new_file, no_file),
		cmocka_unit_test_setup_teardown(memory_goes_back_and_comes_again, new_file, no_file),
		cmocka_unit_test_setup_teardown(what_was_never_taken_is_absent_from_the_start,
						new_file, no_file),
		cmocka_unit_test_setup_teardown(a_file_of_zeros_stays_as_empty, new_file, no_file),
		cmocka_unit_test_setup_teardown(zeroing_fails_where_there_is_no_memory,
						new_file, no_file),
		cmocka_unit_test_setup_teardown(slabs_without_memory_are_no_bad_ones, new_file, no_file),
		cmocka_unit_test_setup_teardown(huge_pages_that_went_are_missed, huge_file, no_huge_file),
		cmocka_unit_test_setup_teardown(an_unfinished_pool_of_huge_pages_stays_as_empty, huge_file,
						no_huge_file),
		cmocka_unit_test_setup_teardown(huge_pages_of_no_pool_are_left_alone, huge_file, no_huge_file),
		cmocka_unit_test_setup_teardown(another_size_is_named_and_changes_nothing,
						new_file, no_file),
		cmocka_unit_test_setup_teardown(another_slab_size_is_named_and_changes_nothing,
						new_file, no_file),
		cmocka_unit_test_setup_teardown(a_file_of_zeros_is_a_new_pool, new_file, no_file),
		cmocka_unit_test_setup_teardown(an_unfinished_superblock_is_a_new_pool,
						new_file, no_file),
		cmocka_unit_test_setup_teardown(what_is_no_pool_is_left_alone, new_file, no_file),
		cmocka_unit_test_setup_teardown(a_damaged_superblock_is_refused, new_file, no_file),
	};

	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
