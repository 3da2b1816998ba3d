// SPDX-License-Identifier: GPL-2.0
/*
 * test_super_map.c - a memory error in the superblock itself
 *
 * To touch what is beyond the end of a file is a SIGBUS, as of a page with such an error.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "poison.h"
#include "pool.h"
#include "stubs.h"
#include "super.h"

#define SLABS	3

static char path[64];

static int set_up(void **state)
{
	snprintf(path, sizeof(path), "/dev/shm/farmem-unit-%d", getpid());
	unlink(path);
	return 0;
}

static int tear_down(void **state)
{
	signal(SIGBUS, SIG_DFL);
	unlink(path);
	return 0;
}

static struct options asked(uint64_t slab_size)
{
	return (struct options){ .size = SLABS * slab_size, .slab_size = slab_size, .pool = path };
}

static uint64_t stored_word(const struct pool *pool, uint32_t slab)
{
	uint64_t word, at = pool->super.offset + SLABS * SUPER_VOLUME_BYTES + slab * sizeof(word);

	assert_int_equal(pread(pool->fd, &word, sizeof(word), at), sizeof(word));
	return word;
}

static void a_page_of_it_is_written_anew(void **state)
{
	struct options opt = asked(16 << 20);
	struct stat st;
	struct pool pool;

	/* In the place of cmocka's. */
	assert_int_equal(poison_watch(), 0);
	assert_int_equal(pool_create(&pool, &opt), 0);
	super_slab(&pool.super, 1, SLAB_DIRTY);
	assert_int_equal(ftruncate(pool.fd, pool.super.offset), 0);
	super_slab(&pool.super, 2, SLAB_DIRTY);
	assert_non_null(pool.super.area);
	assert_int_equal(fstat(pool.fd, &st), 0);
	assert_int_equal(st.st_size, pool.super.offset + SUPER_HEAD_BYTES);
	assert_int_equal(stored_word(&pool, 0), SLAB_CLEAN);
	assert_int_equal(stored_word(&pool, 1), SLAB_DIRTY);
	assert_int_equal(stored_word(&pool, 2), SLAB_DIRTY);
	/* There it is mapped again. */
	super_slab(&pool.super, 1, SLAB_CLEAN);
	assert_int_equal(stored_word(&pool, 1), SLAB_CLEAN);
	assert_true(pool_is_kept(&pool, &opt));
	pool_destroy(&pool);
}

static void so_is_its_head(void **state)
{
	struct super_geometry geometry = { .slab_size = 16 << 20, .slabs = SLABS, .generation = 9 };
	struct options opt = asked(16 << 20);
	struct pool pool;

	assert_int_equal(poison_watch(), 0);
	assert_int_equal(pool_create(&pool, &opt), 0);
	assert_int_equal(ftruncate(pool.fd, pool.mapped - SUPER_HEAD_BYTES), 0);
	assert_int_equal(super_format(&pool.super, &geometry, geometry.slabs), 0);
	pool_destroy(&pool);
	assert_int_equal(pool_create(&pool, &opt), 0);
	assert_true(pool.kept);
	assert_int_equal(pool.generation, 9);
	pool_destroy(&pool);
}

/* With small slabs its first page has state bytes as well, which nothing else knows. */
static void farmemd_goes_on_without_it(void **state)
{
	struct options opt = asked(1 << 20);
	struct pool pool;

	assert_int_equal(poison_watch(), 0);
	assert_int_equal(pool_create(&pool, &opt), 0);
	assert_true(pool_is_kept(&pool, &opt));
	assert_int_equal(ftruncate(pool.fd, pool.size), 0);
	super_slab(&pool.super, 2, SLAB_DIRTY);
	assert_null(pool.super.area);
	assert_false(pool_is_kept(&pool, &opt));
	super_slab(&pool.super, 1, SLAB_DIRTY);
	pool_destroy(&pool);
}

static void one_that_cannot_be_read_is_no_end(void **state)
{
	struct options opt = asked(16 << 20);
	struct pool pool;

	assert_int_equal(poison_watch(), 0);
	assert_int_equal(pool_create(&pool, &opt), 0);
	assert_int_equal(super_map_load(&pool.super), 0);
	assert_int_equal(ftruncate(pool.fd, pool.mapped - SUPER_HEAD_BYTES), 0);
	assert_int_equal(super_map_load(&pool.super), -EHWPOISON);
	pool_destroy(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_page_of_it_is_written_anew, set_up, tear_down),
		cmocka_unit_test_setup_teardown(so_is_its_head, set_up, tear_down),
		cmocka_unit_test_setup_teardown(farmemd_goes_on_without_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_that_cannot_be_read_is_no_end, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
