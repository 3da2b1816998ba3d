// SPDX-License-Identifier: GPL-2.0
/*
 * test_standin.c - a volume goes on in another slab, without what cannot be read
 *
 * What a kernel takes out of a file is taken out by a hole here; to touch what is beyond
 * the end of a file is a SIGBUS, as of a page with a memory error.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"
#include "poison.h"
#include "pool.h"
#include "standin.h"
#include "stubs.h"
#include "super-restore.h"
#include "volume.h"

#define SLAB	(16ull << 20)
#define SLABS	4
#define PAGES	(SLAB / FARMEM_PAGE_SIZE)

static char path[64];
static const uint8_t uuid[FARMEM_ID_LEN] = { 1 };

struct bed {
	struct server server;
	struct volume *volume;
};

static void open_pool(struct server *server)
{
	struct options opt = { .size = SLABS * SLAB, .slab_size = SLAB, .pool = path };

	stub_server(server, SLABS, SLAB);
	free(server->pool.super.area);
	super_map_free(&server->pool.super);
	assert_int_equal(pool_create(&server->pool, &opt), 0);
	server->slabs.bad = server->pool.bad;
}

static void close_pool(struct server *server)
{
	pool_destroy(&server->pool);
	server->pool.super.area = NULL;
	stub_server_free(server);
}

static void open_again(struct bed *bed)
{
	char error[160];

	close_pool(&bed->server);
	open_pool(&bed->server);
	assert_true(bed->server.pool.kept);
	assert_int_equal(super_restore(&bed->server, error, sizeof(error)), 0);
	bed->volume = volume_find(client_find_name(&bed->server, "c"), uuid);
	assert_non_null(bed->volume);
}

/* A volume of two slabs, each page full of its number, but for a zero page and a lost one. */
static int set_up(void **state)
{
	struct bed *bed = calloc(1, sizeof(*bed));
	struct volume_refusal refusal;
	struct server *server = &bed->server;
	uint64_t page;

	snprintf(path, sizeof(path), "/dev/shm/farmem-unit-%d", getpid());
	unlink(path);
	open_pool(server);
	bed->volume = volume_create(stub_client(server, "c"), uuid, "v", &refusal);
	assert_int_equal(volume_grow(bed->volume, 2 * SLAB, &refusal), 0);
	volume_opened(bed->volume, 1);
	for (page = 0; page < 2 * PAGES; page++)
		memset(pool_data(&server->pool, 0) + page * FARMEM_PAGE_SIZE, page % 251 + 1,
		       FARMEM_PAGE_SIZE);
	pool_meta(&server->pool, 1)[3] = FARMEM_PAGE_ZERO;
	pool_meta(&server->pool, 1)[5] = FARMEM_PAGE_LOST;
	*state = bed;
	return 0;
}

static int tear_down(void **state)
{
	struct bed *bed = *state;

	close_pool(&bed->server);
	free(bed);
	unlink(path);
	return 0;
}

static void punch(uint64_t at, uint64_t bytes)
{
	int fd = open(path, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, bytes), 0);
	close(fd);
}

static uint64_t blocks(void)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_blocks;
}

/* As an OPEN does it. */
static struct standin stand_in(struct bed *bed, uint32_t had)
{
	struct standin standin;

	assert_int_equal(standin_begin(&bed->server, bed->volume, had, &standin), 1);
	assert_int_equal(standin_fill(&bed->server.pool, &standin), 0);
	assert_int_equal(standin_end(&bed->server, bed->volume, &standin), 0);
	return standin;
}

static uint32_t slab_at(const struct bed *bed, uint32_t place)
{
	const struct slab_list *list = &bed->volume->slabs;
	size_t i;

	for (i = 0; place >= list->run[i].count; i++)
		place -= list->run[i].count;
	return list->run[i].first + place;
}

/* Of the second slab all is there, whatever slab that is, but the pages @from to @to. */
static void expect_saved(const struct bed *bed, uint64_t from, uint64_t to)
{
	const struct pool *pool = &bed->server.pool;
	const uint8_t *data = pool_data(pool, slab_at(bed, 1));
	const uint8_t *states = pool_meta(pool, slab_at(bed, 1));
	uint64_t page;

	for (page = 0; page < PAGES; page++) {
		if (page == 5 || (page >= from && page < to)) {
			assert_int_equal(states[page], FARMEM_PAGE_LOST);
			continue;
		}
		assert_int_equal(states[page], page == 3 ? FARMEM_PAGE_ZERO : FARMEM_PAGE_DATA);
		if (page != 3)
			assert_int_equal(data[page * FARMEM_PAGE_SIZE + 77], (PAGES + page) % 251 + 1);
	}
}

static void only_the_page_is_lost(void **state)
{
	struct bed *bed = *state;
	struct standin standin;
	uint64_t has;

	punch(SLAB + 7 * FARMEM_PAGE_SIZE, 2 * FARMEM_PAGE_SIZE);
	open_again(bed);
	assert_false(bed->volume->mended);
	has = blocks();
	standin = stand_in(bed, 2);
	assert_int_equal(standin.lost, 2);
	assert_int_equal(standin.place, 1);
	assert_int_equal(slab_at(bed, 0), 0);
	assert_int_not_equal(slab_at(bed, 1), 1);
	expect_saved(bed, 7, 9);
	assert_int_equal(blocks(), has);
	assert_int_equal(standin_begin(&bed->server, bed->volume, 2, &standin), 0);

	open_again(bed);
	assert_true(bed->volume->mended);
	expect_saved(bed, 7, 9);
	/* The kernel has put the page away: to zero the slab fills its gap with another one. */
	assert_false(slab_is_bad(bed->server.pool.bad, 1));
	assert_int_equal(bed->server.slabs.state[1], SLAB_DIRTY);
	assert_int_equal(pool_zero(&bed->server.pool, (struct slab_run){ 1, 1 }), 0);
	assert_int_equal(standin_begin(&bed->server, bed->volume, 2, &standin), 0);
}

/* It reads as zeros whatever its slab holds. */
static void a_zero_page_cannot_be_lost(void **state)
{
	struct bed *bed = *state;

	punch(SLAB + 3 * FARMEM_PAGE_SIZE, FARMEM_PAGE_SIZE);
	open_again(bed);
	assert_int_equal(stand_in(bed, 2).lost, 0);
	expect_saved(bed, 0, 0);
}

static void without_its_state_bytes_a_slab_is_lost(void **state)
{
	struct bed *bed = *state;

	punch(SLABS * SLAB + PAGES, PAGES);
	open_again(bed);
	assert_int_equal(stand_in(bed, 2).lost, PAGES);
	expect_saved(bed, 0, PAGES);
}

static void a_stand_in_may_go_bad(void **state)
{
	struct bed *bed = *state;
	uint32_t first;

	punch(SLAB + 7 * FARMEM_PAGE_SIZE, FARMEM_PAGE_SIZE);
	open_again(bed);
	first = stand_in(bed, 2).slab;
	punch(first * SLAB + 8 * FARMEM_PAGE_SIZE, FARMEM_PAGE_SIZE);
	open_again(bed);
	assert_int_equal(stand_in(bed, 2).lost, 1);
	expect_saved(bed, 7, 9);
	open_again(bed);
	expect_saved(bed, 7, 9);
}

/* Nobody was told of its pages: they are zeros, and what lies there is another's. */
static void a_slab_that_was_not_granted_is_zeros(void **state)
{
	struct bed *bed = *state;
	struct standin standin;
	static const uint8_t none[SLAB];

	punch(SLAB, FARMEM_PAGE_SIZE);
	open_again(bed);
	standin = stand_in(bed, 1);
	assert_int_equal(standin.lost, 0);
	assert_memory_equal(pool_data(&bed->server.pool, standin.slab), none, SLAB);
	assert_memory_equal(pool_meta(&bed->server.pool, standin.slab), none, PAGES);
}

static void nor_is_one_that_is_yet_to_be_zeroed(void **state)
{
	struct bed *bed = *state;
	struct standin standin;

	punch(SLAB, FARMEM_PAGE_SIZE);
	open_again(bed);
	slab_set(&bed->server.slabs, 1, SLAB_RESERVED);
	standin = stand_in(bed, 2);
	assert_int_equal(standin.lost, 0);
	assert_int_equal(*pool_data(&bed->server.pool, standin.slab), 0);
}

static void without_a_free_slab_there_is_none(void **state)
{
	struct bed *bed = *state;
	struct volume_refusal refusal;
	struct standin standin;

	assert_int_equal(volume_grow(bed->volume, SLABS * SLAB, &refusal), 0);
	punch(SLAB, FARMEM_PAGE_SIZE);
	open_again(bed);
	assert_int_equal(standin_begin(&bed->server, bed->volume, 4, &standin), -ENOSPC);
}

static void one_that_is_bad_itself_is_not_taken(void **state)
{
	struct bed *bed = *state;
	struct pool *pool = &bed->server.pool;
	struct standin standin;

	assert_int_equal(poison_watch(), 0);
	punch(SLAB + 7 * FARMEM_PAGE_SIZE, FARMEM_PAGE_SIZE);
	open_again(bed);
	assert_int_equal(standin_begin(&bed->server, bed->volume, 2, &standin), 1);
	/* With the state bytes of all. */
	assert_int_equal(ftruncate(pool->fd, standin.slab * SLAB), 0);
	assert_int_equal(standin_fill(pool, &standin), -EHWPOISON);
	assert_true(slab_is_bad(pool->bad, standin.slab));
	assert_int_equal(ftruncate(pool->fd, pool->mapped), 0);
	standin_drop(&bed->server, &standin);
	assert_int_equal(standin_begin(&bed->server, bed->volume, 2, &standin), 1);
	signal(SIGBUS, SIG_DFL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(only_the_page_is_lost, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_zero_page_cannot_be_lost, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_its_state_bytes_a_slab_is_lost, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_stand_in_may_go_bad, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_slab_that_was_not_granted_is_zeros, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(nor_is_one_that_is_yet_to_be_zeroed, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(without_a_free_slab_there_is_none, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(one_that_is_bad_itself_is_not_taken, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
