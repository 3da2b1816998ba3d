// SPDX-License-Identifier: GPL-2.0
/* test_verbs_options.c - options of farmem-verbs: parsed, refused, sent and read back */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "report.h"	/* before cmocka.h, which has a fail() of its own */

#include <cmocka.h>

#include "verbs/options.h"

#include <getopt.h>

static int parse(struct options *options, unsigned int user, const char *words)
{
	static char text[512];
	char *argv[32] = { "client" }, *rest = text;
	int argc = 1;

	snprintf(text, sizeof(text), "%s", words);
	while ((argv[argc] = strsep(&rest, " ")))
		argc++;
	optind = 0;
	options_init(options);
	return options_parse(options, user, "client", argc, argv);
}

static void taken(void **state)
{
	struct options options;

	(void)state;
	assert_int_equal(parse(&options, FOR_CLIENT,
			       "--transport uc --op write-imm --size 64K --depth 3 --inline --gid-index 0 --device mlx5_0"),
			 RC_OK);
	assert_int_equal(options.transport, TRANSPORT_UC);
	assert_int_equal(options.op, OP_WRITE_IMM);
	assert_int_equal(options.size, 65536);
	assert_int_equal(options.depth, 3);
	assert_int_equal(options.inline_data, 1);
	assert_int_equal(options.gid_index, 0);
	assert_int_equal(options.ib_port, AUTO);
	assert_string_equal(options.device, "mlx5_0");
	assert_int_equal(options.iterations, 1000);
	assert_int_equal(parse(&options, FOR_CLIENT, "--size all"), RC_OK);
	assert_int_equal(options.size, SIZE_ALL);
}

static void refused(void **state)
{
	static const char *const bad[] = {
		"--transport xrc", "--op", "--size 0", "--size 1G", "--size -1", "--size 4x",
		"--depth 0", "--depth 8193", "--depth 1e3", "--depth +1", "--retry-count 8",
		"--rnr-retry -1", "--queues 65", "--colour red", "--once", "--ib-port 0",
		"--iterations 99999999999999999999",
	};
	struct options options;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (parse(&options, FOR_CLIENT, bad[i]) != RC_USAGE)
			fail_msg("'%s' was taken", bad[i]);
	assert_int_equal(parse(&options, FOR_SERVER, "--once"), RC_OK);
	assert_int_equal(parse(&options, FOR_SERVER, "--op read"), RC_USAGE);
}

static void settled(void **state)
{
	struct options options;

	(void)state;
	assert_int_equal(parse(&options, FOR_CLIENT, "--op fadd"), RC_OK);
	options_settle(&options);
	assert_int_equal(options.size, 8);
	assert_int_equal(parse(&options, FOR_CLIENT, "--transport ud"), RC_OK);
	options_settle(&options);
	assert_int_equal(options.op, OP_SEND);
	assert_int_equal(options.size, 1024);
	assert_int_equal(parse(&options, FOR_CLIENT, "--size 7"), RC_OK);
	options_settle(&options);
	assert_int_equal(options.op, OP_WRITE);
	assert_int_equal(options.size, 7);
	assert_int_equal(parse(&options, FOR_CLIENT, "--show window"), RC_OK);
	options_settle(&options);
	assert_int_equal(options.mw, 1);
}

/* The server must have the client's run, and nothing of the client's own business. */
static void sent(void **state)
{
	struct options client, server;
	char line[2048];

	(void)state;
	assert_int_equal(parse(&client, FOR_CLIENT,
			       "--setup cm --op read --size all --queues 4 --srq --rnr-retry 0 --port 99 --json"),
			 RC_OK);
	options_settle(&client);
	client.seed = 4711;
	options_write(&client, line, sizeof(line));
	options_init(&server);
	assert_int_equal(options_read(&server, line), 0);
	assert_int_equal(server.port, 7472);
	assert_int_equal(server.json, 0);
	server.port = client.port;
	server.json = client.json;
	assert_memory_equal(&server, &client, sizeof(client));
}

static void from_a_stranger(void **state)
{
	static const char *const bad[] = {
		"", "op", "op=", "op=format", "=", "depth=0", "depth=-1", "depth=1 depth=",
		"port=1", "device=x", "bind=x", "once=1", "seed=x", "inline=2", "op=send op",
		"GET / HTTP/1.1",
	};
	struct options options;
	char line[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		options_init(&options);
		snprintf(line, sizeof(line), "%s", bad[i]);
		if (!options_read(&options, line))
			fail_msg("'%s' was taken", bad[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(taken),
		cmocka_unit_test(refused),
		cmocka_unit_test(settled),
		cmocka_unit_test(sent),
		cmocka_unit_test(from_a_stranger),
	};

	return cmocka_run_group_tests_name("verbs_options", tests, NULL, NULL);
}
