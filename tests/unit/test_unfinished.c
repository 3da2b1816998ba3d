// SPDX-License-Identifier: GPL-2.0
/* test_unfinished.c - which nameless connection goes for a newer one */
#include <arpa/inet.h>

#include "admit.h"
#include "conn.h"
#include "session.h"
#include "stubs.h"

#define SESSIONS	12

static struct server server;
static struct session session[SESSIONS];	/* the oldest first */
static struct rdma_cm_id id[SESSIONS];
static struct conn conn[SESSIONS], *conns[SESSIONS];
static struct session *closed;
static char why[120];

void __wrap_session_close(struct session *which, const char *text);

void __wrap_session_close(struct session *which, const char *text)
{
	assert_non_null(text);
	assert_null(closed);
	closed = which;
	LIST_REMOVE(which, link);
}

static struct sockaddr *from(struct rdma_cm_id *of, uint8_t host)
{
	struct sockaddr_in *peer = (struct sockaddr_in *)&of->route.addr.dst_addr;

	peer->sin_family = AF_INET;
	peer->sin_addr.s_addr = htonl(0x0a000000 + host);
	return (struct sockaddr *)peer;
}

/* @count sessions that are nobody's, from 10.0.0.1. */
static void crowd(unsigned int count)
{
	unsigned int i;

	stub_server(&server, 4, 1 << 20);
	memset(session, 0, sizeof(session));
	closed = NULL;
	for (i = 0; i < count; i++) {
		from(&id[i], 1);
		conn[i].id = &id[i];
		conns[i] = &conn[i];
		session[i].conn = &conns[i];
		LIST_INSERT_HEAD(&server.sessions, &session[i], link);
	}
}

static bool room(uint8_t host)
{
	struct rdma_cm_id newest = {};

	return admit_make_room(&server, from(&newest, host), why, sizeof(why));
}

static void few_disturb_nobody(void **state)
{
	crowd(UNFINISHED_MAX - 1);
	assert_true(room(1));
	assert_null(closed);
	stub_server_free(&server);
}

static void the_oldest_of_an_address_goes(void **state)
{
	crowd(UNFINISHED_MAX + 1);
	from(&id[0], 2);
	session[1].stage = DIALOG_HELD;
	session[2].stage = DIALOG_REFUSED;
	session[1].auth.keyed = session[2].auth.keyed = true;
	assert_true(room(1));
	assert_ptr_equal(closed, &session[3]);
	stub_server_free(&server);
}

static void another_address_has_its_own(void **state)
{
	crowd(UNFINISHED_MAX);
	assert_true(room(2));
	assert_null(closed);
	stub_server_free(&server);
}

static void the_oldest_of_all_goes(void **state)
{
	unsigned int i;

	crowd(5);
	server.opt.max_clients = 4;
	for (i = 0; i < 5; i++)
		from(&id[i], i);
	session[0].state = SESSION_LIVE;
	assert_true(room(9));
	assert_ptr_equal(closed, &session[1]);
	stub_server_free(&server);
}

static void a_session_that_has_proved_its_key_stays(void **state)
{
	unsigned int i;

	crowd(UNFINISHED_MAX);
	for (i = 0; i < UNFINISHED_MAX; i++) {
		session[i].stage = DIALOG_REFUSED;
		session[i].auth.keyed = true;
	}
	assert_false(room(1));
	assert_string_equal(why, "8 unfinished connections from 10.0.0.1 already");
	server.opt.max_clients = UNFINISHED_MAX;
	assert_false(room(2));
	assert_string_equal(why, "8 unfinished connections already");
	assert_null(closed);
	stub_server_free(&server);
}

/* A stranger that was refused, in the address of a client, is not to keep it out. */
static void a_refused_stranger_goes(void **state)
{
	unsigned int i;

	crowd(UNFINISHED_MAX);
	for (i = 0; i < UNFINISHED_MAX; i++)
		session[i].stage = DIALOG_REFUSED;
	assert_true(room(1));
	assert_ptr_equal(closed, &session[0]);
	closed = NULL;
	session[1].stage = DIALOG_HELD;
	server.opt.max_clients = UNFINISHED_MAX - 1;
	assert_true(room(2));
	assert_ptr_equal(closed, &session[1]);
	stub_server_free(&server);
}

/* One that a key was proved for, and that only looks, is no reason either. */
static void a_visitor_with_a_key_goes(void **state)
{
	unsigned int i;

	crowd(UNFINISHED_MAX);
	for (i = 0; i < UNFINISHED_MAX; i++)
		session[i].auth.keyed = session[i].visitor = true;
	assert_true(room(1));
	assert_ptr_equal(closed, &session[0]);
	stub_server_free(&server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_disturb_nobody),
		cmocka_unit_test(the_oldest_of_an_address_goes),
		cmocka_unit_test(another_address_has_its_own),
		cmocka_unit_test(the_oldest_of_all_goes),
		cmocka_unit_test(a_session_that_has_proved_its_key_stays),
		cmocka_unit_test(a_refused_stranger_goes),
		cmocka_unit_test(a_visitor_with_a_key_goes),
	};

	return cmocka_run_group_tests_name("unfinished", tests, NULL, NULL);
}
