// SPDX-License-Identifier: GPL-2.0
/* test_evict.c - which clients are asked for memory, for how much, and until when */
#include <endian.h>
#include <time.h>

#include "beat.h"
#include "client.h"
#include "evict.h"
#include "headroom.h"
#include "server.h"
#include "session.h"
#include "stubs.h"
#include "volume.h"

#define SLAB	(16ull << 20)
#define SHARES	3

static uint64_t now;

uint64_t __wrap_clock_seconds(void)
{
	return now;
}

/* expect() - of clients that have @held slabs, @want slabs are asked so */
static void expect(const uint32_t *held, uint32_t want, uint32_t a, uint32_t b, uint32_t c)
{
	struct evict_share share[SHARES];
	unsigned int i;

	for (i = 0; i < SHARES; i++)
		share[i] = (struct evict_share){ .held = held[i], .weight = 1 };
	evict_plan(share, SHARES, want, 64);
	assert_int_equal(share[0].ask, a);
	assert_int_equal(share[1].ask, b);
	assert_int_equal(share[2].ask, c);
}

static void the_one_that_has_most_is_asked_first(void **state)
{
	static const uint32_t held[] = { 100, 500, 90 };

	expect(held, 0, 0, 0, 0);
	expect(held, 1, 0, 1, 0);
	expect(held, 400, 0, 400, 0);
	/* It would have less than others then. */
	expect(held, 460, 12, 448, 0);
	expect(held, 1000, 100, 500, 90);
}

/* A little is asked of one, not of all: each gives back whole volumes. */
static void equals_are_asked_one_by_one(void **state)
{
	static const uint32_t held[] = { 200, 200, 200 };

	expect(held, 10, 10, 0, 0);
	expect(held, 64, 64, 0, 0);
	expect(held, 74, 64, 10, 0);
	expect(held, 192, 64, 64, 64);
}

static void a_weight_counts_for_what_it_says(void **state)
{
	struct evict_share share[2] = { { .held = 300, .weight = 4 }, { .held = 100, .weight = 1 } };

	evict_plan(share, 2, 20, 64);
	assert_int_equal(share[0].ask, 0);
	assert_int_equal(share[1].ask, 20);
	share[0].weight = 1;
	evict_plan(share, 2, 20, 64);
	assert_int_equal(share[0].ask, 20);
}

static void the_heedless_do_not_count(void **state)
{
	struct evict_share share[2] = {
		{ .held = 300, .weight = 1, .heedless = true }, { .held = 100, .weight = 1 },
	};

	evict_plan(share, 2, 20, 64);
	assert_int_equal(share[0].ask, 20);
	assert_int_equal(share[1].ask, 20);
}

static struct server server;
static struct session sessions[2];

/* Clients a and b with a session each, of 10 and 4 slabs. */
static int begin(void **state)
{
	static const unsigned int slabs[] = { 10, 4 };
	static const uint8_t uuid[FARMEM_ID_LEN] = { 1 };
	struct volume_refusal refusal;
	unsigned int i;

	now = 1000;
	stub_server(&server, 32, SLAB);
	server.opt.notice = 60;
	server.headroom.calm = HEADROOM_CALM;
	memset(sessions, 0, sizeof(sessions));
	for (i = 0; i < 2; i++) {
		struct client *client = stub_client(&server, i ? "b" : "a");

		sessions[i].server = &server;
		sessions[i].state = SESSION_LIVE;
		sessions[i].client = client;
		client->session = &sessions[i];
		assert_int_equal(beat_alloc(&sessions[i].beat, &server), 0);
		assert_int_equal(volume_grow(volume_create(client, uuid, "v", &refusal),
					     slabs[i] * SLAB, &refusal), 0);
	}
	return 0;
}

static int end(void **state)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (sessions[i].client)
			sessions[i].client->session = NULL;
		beat_free(&sessions[i].beat);
	}
	stub_server_free(&server);
	return 0;
}

/* told() - what a client reads; look() - farmemd looks, so many seconds later */
static void told(unsigned int i, uint64_t slabs, uint32_t within)
{
	assert_int_equal(le64toh(sessions[i].beat.status->wanted), slabs * SLAB);
	assert_int_equal(le32toh(sessions[i].beat.status->within), within);
}

static void told_nothing(unsigned int i)
{
	assert_int_equal(sessions[i].beat.status->wanted, 0);
}

static void look(uint32_t want, unsigned int later)
{
	now += later;
	server.headroom.want = want;
	evict_look(&server);
}

static void a_client_reads_what_is_wanted_and_when(void **state)
{
	look(3, 0);
	told(0, 3, 60);
	told_nothing(1);
	assert_int_equal(server.wanted, 3 * SLAB);
	look(2, 45);
	told(0, 2, 15);
	look(2, 100);
	told(0, 2, 0);
	look(0, 1);
	told_nothing(0);
	assert_int_equal(server.wanted, 0);
	/* Another time is another notice. */
	look(2, 1);
	told(0, 2, 60);
	/* Programs wait. */
	server.headroom.calm = 0;
	look(2, 1);
	told(0, 2, 0);
}

static void another_one_is_asked_when_one_does_not_heed(void **state)
{
	look(3, 0);
	look(3, 659);
	told_nothing(1);
	look(3, 1);
	told(0, 3, 0);
	/* The machine has needed it for long. */
	told(1, 3, 0);
	assert_int_equal(server.wanted, 6 * SLAB);
}

/* give() - client a gives a volume of its 10 slabs back, and has @left then */
static void give(uint32_t left)
{
	struct client *client = sessions[0].client;
	static const uint8_t uuid[FARMEM_ID_LEN] = { 2 };
	struct volume_refusal refusal;

	volume_release(LIST_FIRST(&client->volumes));
	assert_int_equal(volume_grow(volume_create(client, uuid, "w", &refusal), left * SLAB, &refusal), 0);
}

static void one_that_gave_a_little_and_stops_does_not_shield_others(void **state)
{
	look(3, 0);
	now += 500;
	give(8);
	look(3, 1);
	look(3, 659);
	told_nothing(1);
	look(3, 1);
	told(1, 3, 0);
	/* And counts again when it goes on. */
	give(7);
	look(3, 1);
	look(3, 1);
	told_nothing(1);
}

static void one_that_is_away_leaves_the_want(void **state)
{
	struct client *client = sessions[0].client;

	client->session = NULL;
	look(3, 0);
	told(1, 3, 60);
	assert_int_equal(server.wanted, 6 * SLAB);
	sessions[1].client->session = NULL;
	look(3, 10);
	assert_int_equal(server.wanted, 6 * SLAB);
	/* It comes back: its notice is no longer for that. */
	client->session = &sessions[0];
	look(3, 10);
	told(0, 3, 40);
}

static void one_that_was_away_for_long_may_heed(void **state)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		sessions[i].client->session = NULL;
	look(3, 0);
	look(3, 5000);
	for (i = 0; i < 2; i++)
		sessions[i].client->session = &sessions[i];
	look(3, 1);
	told(0, 3, 0);
	told_nothing(1);
}

/* Nothing is urgent for that, and what is needed is asked of those that it is asked of anyway. */
static void a_drained_server_wants_all_back(void **state)
{
	server.draining = true;
	look(0, 0);
	told(0, 10, 86400);
	told(1, 4, 86400);
	assert_int_equal(server.wanted, 0);
	look(0, 500);
	/* Its programs need some as well, from now on. */
	look(2, 1);
	told(0, 2, 60);
	told(1, 4, 86400);
	assert_int_equal(server.wanted, 2 * SLAB);
	look(2, 59);
	told(0, 2, 1);
	told(1, 4, 86400);
	look(0, 5000);
	told(0, 10, 86400);
	give(3);
	look(0, 1);
	told(0, 3, 86400);
	told(1, 4, 86400);
	server.draining = false;
	look(0, 1);
	told_nothing(0);
	told_nothing(1);
}

/* Slabs of 1 GiB: one is a step. */
static void a_drain_asks_for_a_step_at_a_time(void **state)
{
	server.draining = true;
	server.pool.slab_size = 1 << 30;
	look(0, 0);
	assert_int_equal(le64toh(sessions[0].beat.status->wanted), 1 << 30);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_one_that_has_most_is_asked_first),
		cmocka_unit_test(equals_are_asked_one_by_one),
		cmocka_unit_test(a_weight_counts_for_what_it_says),
		cmocka_unit_test(the_heedless_do_not_count),
		TEST(a_client_reads_what_is_wanted_and_when),
		TEST(another_one_is_asked_when_one_does_not_heed),
		TEST(one_that_gave_a_little_and_stops_does_not_shield_others),
		TEST(one_that_is_away_leaves_the_want),
		TEST(one_that_was_away_for_long_may_heed),
		TEST(a_drained_server_wants_all_back),
		TEST(a_drain_asks_for_a_step_at_a_time),
	};

	return cmocka_run_group_tests_name("evict", tests, NULL, NULL);
}
