// SPDX-License-Identifier: GPL-2.0
/*
 * test_clean.c - free slabs in the background: what is zeroed, what goes back to the machine
 *
 * With a pool on tmpfs and a worker that works at once.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clean.h"
#include "headroom.h"
#include "stubs.h"
#include "super-restore.h"
#include "worker.h"

#define SLAB	(1ull << 20)
#define SLABS	16
#define FLOOR	4

static char path[64];
static int machine_lacks;	/* an errno */
static unsigned int steps;

int __real_fallocate(int fd, int mode, off_t at, off_t bytes);
int __wrap_fallocate(int fd, int mode, off_t at, off_t bytes);
void __wrap_worker_submit(struct worker *worker, struct job *job);

int __wrap_fallocate(int fd, int mode, off_t at, off_t bytes)
{
	if (!machine_lacks || mode & FALLOC_FL_PUNCH_HOLE)
		return __real_fallocate(fd, mode, at, bytes);
	errno = machine_lacks;
	return -1;
}

void __wrap_worker_submit(struct worker *worker, struct job *job)
{
	assert_true(++steps < 1000);
	job->run(job);
	job->done(job);
}

static void open_pool(struct server *server, uint32_t floor)
{
	struct options opt = { .size = SLABS * SLAB, .slab_size = SLAB, .pool = path,
			       .spare = (SLABS - floor) * SLAB };
	char error[160];

	stub_server(server, SLABS, SLAB);
	free(server->pool.super.area);
	super_map_free(&server->pool.super);
	assert_int_equal(pool_create(&server->pool, &opt), 0);
	server->slabs.bad = server->pool.bad;
	server->opt.spare = opt.spare;
	server->clean.active = false;
	if (server->pool.kept)
		assert_int_equal(super_restore(server, error, sizeof(error)), 0);
	headroom_settle(server);
	steps = 0;
}

static void close_pool(struct server *server)
{
	pool_destroy(&server->pool);
	server->pool.super.area = NULL;
	stub_server_free(server);
}

static int set_up(void **state)
{
	static struct server server;

	snprintf(path, sizeof(path), "/dev/shm/farmem-unit-%d", getpid());
	unlink(path);
	machine_lacks = 0;
	open_pool(&server, FLOOR);
	*state = &server;
	return 0;
}

static int tear_down(void **state)
{
	close_pool(*state);
	unlink(path);
	return 0;
}

/* Slabs that have memory. */
static uint32_t taken(const struct server *server)
{
	struct stat st;

	assert_int_equal(fstat(server->pool.fd, &st), 0);
	return st.st_blocks * 512 / SLAB;
}

static struct slab_list lent(struct server *server, uint32_t count)
{
	struct slab_list list = {};
	struct slab_run run;

	server->slabs.room = SLABS;
	assert_int_equal(slab_alloc(&server->slabs, count, &list), 0);
	while ((run = slab_find_reserved(&server->slabs, &list, SLABS)).count) {
		assert_int_equal(pool_zero(&server->pool, run), 0);
		slab_zeroed(&server->slabs, run);
	}
	return list;
}

static void what_a_client_gave_up_is_zeroed_and_kept(void **state)
{
	struct server *server = *state;
	struct slab_list list = lent(server, 10);

	assert_int_equal(taken(server), 10);
	slab_release(&server->slabs, &list, 1, NULL);
	clean_kick(server);
	assert_int_equal(server->slabs.in[SLAB_CLEAN], 10);
	assert_int_equal(taken(server), 10);
}

static void what_the_machine_wants_goes_back_down_to_the_floor(void **state)
{
	struct server *server = *state;
	struct slab_list list = lent(server, 10), more = lent(server, 2);

	slab_release(&server->slabs, &list, 1, NULL);
	server->headroom.give = 3;
	clean_kick(server);
	assert_int_equal(taken(server), 9);
	assert_int_equal(server->headroom.given, 3);
	/* More than there is above the floor: what is lent stays, too. */
	server->headroom.give = 100;
	clean_kick(server);
	assert_int_equal(taken(server), FLOOR);
	assert_int_equal(server->headroom.given, 12 - FLOOR);
	assert_int_equal(server->slabs.in[SLAB_LENT], 2);
	slab_list_free(&more);
}

/* The slabs of an OPEN that failed get no memory for nobody. */
static void what_was_never_filled_stays_empty(void **state)
{
	struct server *server = *state;
	struct slab_list list = {};

	server->slabs.room = SLABS;
	assert_int_equal(slab_alloc(&server->slabs, 14, &list), 0);
	assert_int_equal(taken(server), FLOOR);
	slab_release(&server->slabs, &list, 1, NULL);
	clean_kick(server);
	assert_int_equal(taken(server), FLOOR);
	assert_int_equal(server->slabs.in[SLAB_ABSENT], SLABS - FLOOR);
}

/* It neither spins nor loses what has memory, and goes on when there is some. */
static void a_machine_without_memory_is_asked_again_later(void **state)
{
	struct server *server = *state;

	close_pool(server);
	open_pool(server, 8);
	assert_true(server->pool.kept);
	machine_lacks = ENOSPC;
	clean_kick(server);
	assert_true(server->clean.refused);
	assert_int_equal(steps, 1);
	assert_int_equal(server->slabs.in[SLAB_CLEAN], FLOOR);
	assert_int_equal(server->slabs.in[SLAB_ABSENT], SLABS - FLOOR);
	machine_lacks = 0;
	server->clean.refused = false;
	clean_kick(server);
	assert_int_equal(server->slabs.in[SLAB_CLEAN], 8);
	assert_int_equal(taken(server), 8);
	/* And the next farmemd finds them, and no memory error. */
	close_pool(server);
	open_pool(server, 8);
	assert_int_equal(server->pool.bad->count, 0);
}

/* A farmemd that was killed before the memory went. */
static void what_is_said_to_be_absent_is(void **state)
{
	struct server *server = *state;
	struct slab_list list = lent(server, 10);

	slab_release(&server->slabs, &list, 1, NULL);
	assert_int_equal(slab_give_begin(&server->slabs, 6).count, 6);
	assert_int_equal(taken(server), 10);
	close_pool(server);
	open_pool(server, FLOOR);
	assert_int_equal(taken(server), 4);
	assert_int_equal(server->pool.bad->count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_a_client_gave_up_is_zeroed_and_kept, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_the_machine_wants_goes_back_down_to_the_floor,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_was_never_filled_stays_empty, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_machine_without_memory_is_asked_again_later, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_is_said_to_be_absent_is, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("clean", tests, NULL, NULL);
}
