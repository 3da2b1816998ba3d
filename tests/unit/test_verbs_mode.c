// SPDX-License-Identifier: GPL-2.0
/* test_verbs_mode.c - what goes with what in farmem-verbs */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "verbs/mode.h"

/* A run from pairs "name", "value"; NULL ends them. */
static const char *refusal(const char *name, ...)
{
	struct options options;
	va_list ap;

	options_init(&options);
	va_start(ap, name);
	for (; name; name = va_arg(ap, const char *))
		if (options_set(&options, options_find(name), va_arg(ap, const char *)))
			fail_msg("--%s was not taken", name);
	va_end(ap);
	options_settle(&options);
	return mode_refusal(&options);
}

#define ALLOWED(...) assert_null(refusal(__VA_ARGS__, NULL))
#define REFUSED(text, ...) do {							\
	const char *why = refusal(__VA_ARGS__, NULL);				\
	assert_non_null(why);							\
	if (!strstr(why, text))							\
		fail_msg("'%s' lacks '%s'", why, text);				\
} while (0)

static void transports(void **state)
{
	static const char *const ops[] = { "send", "write", "write-imm", "read", "cas", "fadd" };
	/* RC, UC, UD: which operations they carry. */
	static const char *const carried[] = { "111111", "111000", "100000" };
	static const char *const transports[] = { "rc", "uc", "ud" };
	unsigned int t, o;

	(void)state;
	for (t = 0; t < 3; t++)
		for (o = 0; o < 6; o++) {
			const char *why = refusal("transport", transports[t], "op", ops[o], NULL);

			if (!why != (carried[t][o] == '1'))
				fail_msg("%s over %s: %s", ops[o], transports[t], why ? why : "taken");
		}
	REFUSED("UD carries SEND alone", "transport", "ud", "op", "write");
	REFUSED("port space", "transport", "uc", "setup", "cm");
	ALLOWED("transport", "ud", "setup", "cm");
	REFUSED("UC is never answered", "transport", "uc", "op", "read");
}

static void waiting(void **state)
{
	(void)state;
	ALLOWED("wait", "event", "op", "write");
	ALLOWED("wait", "event", "op", "write-imm", "transport", "uc");
	REFUSED("no process would wake", "wait", "event", "op", "write", "transport", "uc");
}

static void operations(void **state)
{
	(void)state;
	ALLOWED("op", "fadd");
	REFUSED("8 bytes", "op", "fadd", "size", "16");
	REFUSED("8 bytes", "op", "cas", "size", "all");
	REFUSED("one piece", "op", "cas", "sge", "2");
	REFUSED("--inline", "op", "read", "inline", "1");
	REFUSED("--inline", "op", "fadd", "inline", "1");
	REFUSED("list of its own", "op", "read", "remote-sge", "2");
	ALLOWED("op", "send", "remote-sge", "2");
	REFUSED("memory window", "op", "send", "mw", "1");
	REFUSED("type 2", "op", "write", "mw", "1", "transport", "uc");
	REFUSED("uses no receive", "op", "read", "srq", "1");
	ALLOWED("op", "write-imm", "srq", "1");
}

static void queues(void **state)
{
	(void)state;
	ALLOWED("signal-every", "16", "depth", "16");
	REFUSED("stay full", "signal-every", "17", "depth", "16");
	REFUSED("ever be under way", "op", "read", "initiator-depth", "0");
	REFUSED("ever be under way", "op", "cas", "responder-resources", "0");
	ALLOWED("op", "write", "initiator-depth", "0");
	REFUSED("--queues 2", "order", "1");
	ALLOWED("order", "1", "queues", "2");
	REFUSED("read or write", "order", "1", "queues", "2", "op", "send");
	REFUSED("every work request", "order", "1", "queues", "2", "signal-every", "2");
	REFUSED("1 GiB", "size", "67108864");
	ALLOWED("size", "1048576", "depth", "64");
}

static void processes(void **state)
{
	(void)state;
	ALLOWED("processes", "2");
	ALLOWED("processes", "2", "share", "shm", "setup", "cm");
	REFUSED("several processes", "share", "shm");
	REFUSED("rdma_cm brings its own", "processes", "2", "share", "import", "setup", "cm");
	REFUSED("rdma_cm opens the device", "processes", "2", "share", "fork", "setup", "cm");
	REFUSED("one process", "processes", "2", "order", "1", "queues", "2");
}

static void ends(void **state)
{
	(void)state;
	REFUSED("by the route", "setup", "cm", "gid-index", "1");
	REFUSED("by the route", "setup", "cm", "device", "rxe0");
	ALLOWED("gid-index", "1", "ib-port", "1", "device", "rxe0");
	REFUSED("a request to reject", "show", "rejected");
	REFUSED("what went wrong", "show", "rkey", "transport", "uc");
	REFUSED("for ever", "show", "rnr", "rnr-retry", "7");
	ALLOWED("show", "window");
	REFUSED("one --size", "show", "bounds", "size", "all");
	REFUSED("one queue", "show", "rejected", "setup", "cm", "queues", "2");
	REFUSED("fits into any receive", "show", "length", "size", "1");
	ALLOWED("show", "length", "size", "2");
}

static void latencies(void **state)
{
	struct options options = { .op = OP_SEND };

	(void)state;
	assert_string_equal(mode_latency(&options), "half");
	options.op = OP_WRITE;
	assert_string_equal(mode_latency(&options), "half");
	options.wait = WAIT_EVENT;
	assert_string_equal(mode_latency(&options), "ack");
	options.op = OP_WRITE_IMM;
	assert_string_equal(mode_latency(&options), "half");
	options.op = OP_READ;
	assert_string_equal(mode_latency(&options), "full");
	options.op = OP_FADD;
	assert_string_equal(mode_latency(&options), "full");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transports),
		cmocka_unit_test(waiting),
		cmocka_unit_test(operations),
		cmocka_unit_test(queues),
		cmocka_unit_test(processes),
		cmocka_unit_test(ends),
		cmocka_unit_test(latencies),
	};

	return cmocka_run_group_tests_name("verbs_mode", tests, NULL, NULL);
}
