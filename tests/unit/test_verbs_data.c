// SPDX-License-Identifier: GPL-2.0
/* test_verbs_data.c - every byte of a message counts, and what is lost is not taken for wrong */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs/data.h"
#include "verbs/round.h"

#include <cmocka.h>

#define DEPTH 4
#define SHARE 40
#define STREAM (1ull << 30)

/* Two ends, between which the test is the network. */
static struct options options;
static struct session client, server;
static struct round round_of;

static void make(struct session *session, bool is_server)
{
	memset(session, 0, sizeof(*session));
	session->options = &options;
	session->server = is_server;
	memory_plan(&session->memory, &options);
	session->memory.start = calloc(1, session->memory.length);
	assert_non_null(session->memory.start);
	session->queues[0].arrivals_max = DEPTH;
	session->queues[0].arrivals = calloc(DEPTH, sizeof(struct arrival));
}

static void begin(unsigned int transport, unsigned int op, unsigned int size)
{
	options_init(&options);
	options.transport = transport;
	options.op = op;
	options.size = size;
	options.depth = DEPTH;
	options.iterations = SHARE;
	options.verify = 1;
	make(&client, false);
	make(&server, true);
	round_of = (struct round) { .number = 1, .size = size, .first = STREAM };
}

static void end(void)
{
	free(client.memory.start);
	free(server.memory.start);
	free(client.queues[0].arrivals);
	free(server.queues[0].arrivals);
}

static uint8_t *target(uint64_t number)
{
	return memory_slot(&server.memory, AREA_TARGET, 0, number % DEPTH);
}

/* So many of a WRITE's bytes come. */
static void write_some(uint64_t number, unsigned int bytes)
{
	unsigned int slot = number % DEPTH;

	data_fill(&client, &round_of, &client.queues[0], slot, number);
	data_mark(&client, &round_of, &client.queues[0], slot, number);
	memcpy(target(number), memory_slot(&client.memory, AREA_OUT, 0, slot), bytes);
}

static void write_all(uint64_t number)
{
	write_some(number, options.size);
}

static bool is_right(uint64_t number)
{
	return data_check_target(&server, &round_of, &server.queues[0], number % DEPTH, number,
				 false);
}

static void every_byte(void **state)
{
	static const unsigned int sizes[] = { 1, 2, 255, 256, 257, 4096 };
	unsigned int i, place;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		begin(TRANSPORT_RC, OP_WRITE, sizes[i]);
		write_all(STREAM + 9);
		assert_true(is_right(STREAM + 9));
		assert_false(is_right(STREAM + 9 + DEPTH));
		for (place = 0; place < sizes[i]; place++) {
			target(STREAM + 9)[place] ^= 4;
			if (is_right(STREAM + 9))
				fail_msg("byte %u of %u does not count", place, sizes[i]);
			target(STREAM + 9)[place] ^= 4;
		}
		end();
	}
}

static void check_last(uint64_t good, uint64_t bad, uint64_t lost)
{
	round_of.good = round_of.bad = round_of.lost = 0;
	round_check_written(&server, &round_of, &server.queues[0]);
	assert_int_equal(round_of.good, good);
	assert_int_equal(round_of.bad, bad);
	assert_int_equal(round_of.lost, lost);
}

static void write_stream(uint64_t but)
{
	uint64_t number;

	for (number = 0; number < SHARE; number++)
		if (number != but)
			write_all(STREAM + number);
}

static void lost_writes(void **state)
{
	uint64_t last = STREAM + SHARE - 2;

	(void)state;
	begin(TRANSPORT_UC, OP_WRITE, 1000);
	write_stream(SHARE);
	check_last(DEPTH, 0, 0);
	write_stream(SHARE - 2);
	check_last(DEPTH - 1, 0, 1);
	/* In its middle: a packet of it came. */
	write_some(last, 512);
	check_last(DEPTH - 1, 0, 1);
	/* No packet ends there. */
	write_all(last - DEPTH);
	write_some(last, 300);
	check_last(DEPTH - 1, 1, 0);
	write_all(last);
	target(last)[3] ^= 1;
	check_last(DEPTH - 1, 1, 0);
	end();
}

static void none_came(void **state)
{
	(void)state;
	begin(TRANSPORT_UC, OP_WRITE, 100);
	data_unmark(&server, &round_of);
	check_last(0, 0, DEPTH);
	end();
	/* RC loses nothing. */
	begin(TRANSPORT_RC, OP_WRITE, 100);
	check_last(0, DEPTH, 0);
	end();
}

static void send_one(uint64_t number, uint64_t *wanted)
{
	struct arrival arrival = { .slot = number % DEPTH, .length = options.size };

	data_fill(&client, &round_of, &client.queues[0], arrival.slot, number);
	memcpy(memory_slot(&server.memory, AREA_IN, 0, arrival.slot),
	       memory_slot(&client.memory, AREA_OUT, 0, arrival.slot), options.size);
	round_arrived(&server, &round_of, &server.queues[0], &arrival, wanted);
}

static void lost_messages(void **state)
{
	uint64_t wanted = STREAM;

	(void)state;
	begin(TRANSPORT_UC, OP_SEND, 64);
	send_one(STREAM, &wanted);
	send_one(STREAM + SHARE - 1, &wanted);
	assert_int_equal(round_of.bad, 0);
	assert_int_equal(round_of.good, 2);
	assert_int_equal(round_of.lost, SHARE - 2);
	assert_int_equal(wanted, STREAM + SHARE);
	end();
	/* One that comes twice is none of those to come. */
	begin(TRANSPORT_UC, OP_SEND, 64);
	wanted = STREAM;
	send_one(STREAM + 5, &wanted);
	send_one(STREAM + 5, &wanted);
	assert_int_equal(round_of.bad, 1);
	end();
	begin(TRANSPORT_RC, OP_SEND, 64);
	wanted = STREAM;
	send_one(STREAM + 1, &wanted);
	assert_int_equal(round_of.bad, 1);
	end();
}

/* The data alone is not all of a WRITE with immediate. */
static void immediates(void **state)
{
	struct arrival arrival = { .slot = 0 };

	(void)state;
	begin(TRANSPORT_RC, OP_WRITE_IMM, 64);
	round_of.first = 0;
	data_fill(&client, &round_of, &client.queues[0], 0, 0);
	memcpy(target(0), memory_slot(&client.memory, AREA_OUT, 0, 0), options.size);
	assert_false(data_arrived(&server, &round_of, &server.queues[0], &arrival, 0));
	arrival.has_imm = true;
	assert_true(data_arrived(&server, &round_of, &server.queues[0], &arrival, 0));
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte),
		cmocka_unit_test(lost_writes),
		cmocka_unit_test(none_came),
		cmocka_unit_test(lost_messages),
		cmocka_unit_test(immediates),
	};

	return cmocka_run_group_tests_name("verbs_data", tests, NULL, NULL);
}
