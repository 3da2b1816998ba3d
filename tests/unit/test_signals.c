// SPDX-License-Identifier: GPL-2.0
/* test_signals.c - which signals end farmemd, and which do not */
#include <signal.h>
#include <string.h>

#include "signals.h"
#include "stubs.h"

static struct server server;

static int loop_open(void **state)
{
	memset(&server, 0, sizeof(server));
	stub_stopped = NULL;
	return signals_block() || sd_event_new(&server.event) < 0 || signals_watch(&server);
}

static int loop_close(void **state)
{
	sd_event_unref(server.event);
	return 0;
}

/* As of `systemctl reload`, and of a terminal that goes: it must not kill. */
static void a_hangup_without_keys_is_nothing(void **state)
{
	raise(SIGHUP);
	assert_int_equal(sd_event_run(server.event, 0), 1);
	assert_null(stub_stopped);
}

static void a_hangup_before_the_loop_waits(void **state)
{
	sigset_t pending;

	raise(SIGHUP);
	sigpending(&pending);
	assert_true(sigismember(&pending, SIGHUP));
	assert_int_equal(sd_event_run(server.event, 0), 1);
}

static void termination_stops(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT };
	size_t i;

	for (i = 0; i < 2; i++) {
		stub_stopped = NULL;
		raise(signals[i]);
		assert_int_equal(sd_event_run(server.event, 0), 1);
		assert_non_null(stub_stopped);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_hangup_without_keys_is_nothing, loop_open,
						loop_close),
		cmocka_unit_test_setup_teardown(a_hangup_before_the_loop_waits, loop_open,
						loop_close),
		cmocka_unit_test_setup_teardown(termination_stops, loop_open, loop_close),
	};

	return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
