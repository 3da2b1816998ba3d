// SPDX-License-Identifier: GPL-2.0
/* test_beat.c - what clients read of the server, and what it hears of them */
#include <endian.h>

#include "beat.h"
#include "server.h"
#include "stubs.h"

#define SLAB (1ull << 20)

static void status_says_what_is_free(void **state)
{
	struct slab_list list = {};
	struct beat beat = {}, other = {};
	struct server server;

	stub_server(&server, 8, SLAB);
	server.pressure = 123;
	assert_int_equal(beat_alloc(&beat, &server), 0);
	assert_int_equal(beat_alloc(&other, &server), 0);
	assert_int_equal(le32toh(beat.status->magic), FARMEM_MAGIC);
	assert_int_equal(le64toh(beat.status->generation), server.pool.generation);
	assert_int_equal(le64toh(beat.status->capacity), 8 * SLAB);
	assert_int_equal(le64toh(beat.status->free), 8 * SLAB);
	assert_int_equal(le32toh(beat.status->pressure), 123);

	assert_int_equal(slab_alloc(&server.slabs, 3, &list), 0);
	beat_show(&server);
	assert_int_equal(le64toh(beat.status->free), 5 * SLAB);
	assert_int_equal(le64toh(other.status->free), 5 * SLAB);
	slab_list_free(&list);
	beat_free(&beat);
	beat_free(&other);
	assert_true(LIST_EMPTY(&server.beats));
	stub_server_free(&server);
}

static void status_says_when_it_ends(void **state)
{
	struct server server;
	struct beat beat = {};

	stub_server(&server, 1, SLAB);
	assert_int_equal(beat_alloc(&beat, &server), 0);
	assert_int_equal(le16toh(beat.status->flags), FARMEM_STATUS_PAGES);
	server.stopping = true;
	beat_show(&server);
	assert_int_equal(le16toh(beat.status->flags),
			 FARMEM_STATUS_PAGES | FARMEM_STATUS_SHUTTING_DOWN);
	beat_free(&beat);
	stub_server_free(&server);
}

static void a_counter_that_moved_was_heard_once(void **state)
{
	uint64_t count = 0;
	struct beat beat = { .count = &count };

	assert_false(beat_heard(&beat));
	count = htole64(1);
	assert_true(beat_heard(&beat));
	assert_false(beat_heard(&beat));
	/* A client that comes back to a counter counts as it likes. */
	count = htole64(0);
	assert_true(beat_heard(&beat));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(status_says_what_is_free),
		cmocka_unit_test(status_says_when_it_ends),
		cmocka_unit_test(a_counter_that_moved_was_heard_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
