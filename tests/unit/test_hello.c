// SPDX-License-Identifier: GPL-2.0
/* test_hello.c - which clients may come in: HELLO, its proof, and visitors */
#include <endian.h>
#include <string.h>

#include "admit.h"
#include "client.h"
#include "dialog.h"
#include "dialog-bed.h"
#include "keys.h"
#include "lease.h"
#include "stubs.h"
#include "volume.h"

static void bad_hello_is_told_why(void **state)
{
	static const char *const names[] = { "another", "with blank" };
	struct farmem_hello hello = {
		.msg = head(FARMEM_MSG_HELLO, 3, sizeof(hello)),
		.incarnation = htole64(5),
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		bed_open(SESSION_NEW);
		strcpy(hello.name, names[i]);
		arrive(0, &hello, sizeof(hello));
		assert_int_equal(bed.sends, 1);
		expect_sent(0, FARMEM_MSG_WELCOME, 3);
		assert_int_equal(bed.reason[0], FARMEM_ERR_MALFORMED);
		assert_null(bed.closed);
		/* Whatever it says now, nobody listens. */
		arrive(1, &hello, sizeof(hello));
		assert_int_equal(bed.sends, 1);
		complete(bed.send_id[0], 0);
		assert_non_null(bed.closed);
		bed_close();
	}
}

/* Without its proof a HELLO changes nothing for the client of that name. */
static void hello_without_proof(void **state)
{
	struct key key = { .name = "node", .len = 16 };
	struct farmem_hello hello = {
		.msg = head(FARMEM_MSG_HELLO, 4, sizeof(hello)),
		.name = "node",
		.incarnation = htole64(5),
	};
	struct session old = { .state = SESSION_LIVE, .incarnation = 5, .label = "the old one" };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		bed_open(SESSION_NEW);
		bed.server.keys = &key;
		bed.server.opt.insecure = true;
		bed.session.takeover = i;
		hello.proof[0] = i;
		old.client = client_get(&bed.server, bed.session.identity);
		old.client->session = &old;
		arrive(0, &hello, sizeof(hello));
		expect_sent(0, FARMEM_MSG_WELCOME, 4);
		assert_int_equal(bed.reason[0], FARMEM_ERR_AUTH);
		assert_int_equal(old.state, SESSION_LIVE);
		assert_false(old.probing);
		assert_null(bed.session.client);
		complete(bed.send_id[0], 0);
		assert_non_null(strstr(bed.closed, "refused, it says it is node: "));
		old.client->session = NULL;
		bed_close();
	}
}

/* A session of the name that HELLO says. */
static void meet(struct session *old, enum session_state state, uint64_t incarnation)
{
	bed_open(SESSION_NEW);
	bed.server.opt.insecure = true;
	*old = (struct session){ .state = state, .server = &bed.server, .ops = &admit_ops,
				 .incarnation = incarnation, .label = "the old one" };
	old->client = client_get(&bed.server, bed.session.identity);
	old->client->session = old;
}

static void say_hello(void)
{
	struct farmem_hello hello = {
		.msg = head(FARMEM_MSG_HELLO, 4, sizeof(hello)),
		.name = "node",
		.incarnation = htole64(5),
	};

	arrive(0, &hello, sizeof(hello));
}

/* It waits until the other is fenced, and no longer. */
static void expect_wait(struct session *old)
{
	assert_int_equal(bed.sends, 0);
	assert_int_equal(bed.session.state, SESSION_NEW);
	assert_ptr_equal(old->held, &bed.session);
	assert_int_equal(old->state, SESSION_DEAD);
	old->client->session = NULL;
	admit_ops.fenced(old);
	expect_sent(0, FARMEM_MSG_WELCOME, 4);
	assert_int_equal(bed.reason[0], FARMEM_OK);
	assert_int_equal(bed.session.state, SESSION_LIVE);
	assert_null(old->held);
}

/* With it, what it means for the live session of that name is judged. */
static void hello_fences_a_live_session(void **state)
{
	static const struct {
		uint64_t incarnation;
		bool takeover;
		const char *closed;
	} row[] = {
		{ 5, false, "the client has come back" },
		{ 6, true, "taken over" },
	};
	struct session old;
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		meet(&old, SESSION_LIVE, row[i].incarnation);
		bed.session.takeover = row[i].takeover;
		say_hello();
		assert_string_equal(bed.closed, row[i].closed);
		expect_wait(&old);
		bed_close();
	}
}

/* To be probed; that there is no event loop here counts as a sign of life. */
static void hello_meets_a_live_session(void **state)
{
	struct session old;

	meet(&old, SESSION_LIVE, 6);
	say_hello();
	expect_sent(0, FARMEM_MSG_WELCOME, 4);
	assert_int_equal(bed.reason[0], FARMEM_ERR_BUSY_IDENTITY);
	assert_null(old.held);
	assert_null(bed.session.rival);
	assert_int_equal(bed.session.state, SESSION_NEW);
	assert_int_equal(old.state, SESSION_LIVE);
	assert_null(bed.closed);
	old.client->session = NULL;
	bed_close();
}

/* Of one that is over and has queue pairs still, nobody is asked anything. */
static void hello_waits_for_a_fence(void **state)
{
	struct session old;
	uint64_t incarnation;

	for (incarnation = 5; incarnation <= 6; incarnation++) {
		meet(&old, SESSION_DEAD, incarnation);
		say_hello();
		assert_false(old.probing);
		expect_wait(&old);
		bed_close();
	}
}

static void visit(unsigned int slot)
{
	struct farmem_hello hello = {
		.msg = head(FARMEM_MSG_HELLO, 4, sizeof(hello)),
		.name = "node",
		.incarnation = htole64(5),
	};

	bed.session.visitor = true;
	arrive(slot, &hello, sizeof(hello));
}

/* The live session of that name is none the wiser, and the visitor stays nobody's. */
static void a_visitor_disturbs_nobody(void **state)
{
	struct session old = { .state = SESSION_LIVE, .incarnation = 6, .label = "the old one" };

	bed_open(SESSION_NEW);
	bed.server.opt.insecure = true;
	old.client = client_get(&bed.server, bed.session.identity);
	old.client->session = &old;
	visit(0);
	expect_sent(0, FARMEM_MSG_WELCOME, 4);
	assert_int_equal(bed.reason[0], FARMEM_OK);
	assert_null(bed.closed);
	assert_int_equal(bed.session.state, SESSION_NEW);
	assert_null(bed.session.client);
	assert_int_equal(old.state, SESSION_LIVE);
	assert_ptr_equal(old.client->session, &old);
	assert_false(old.probing);
	assert_null(old.held);
	old.client->session = NULL;
	bed_close();
}

static void a_visitor_leaves_no_client(void **state)
{
	bed_open(SESSION_NEW);
	bed.server.opt.insecure = true;
	visit(0);
	assert_int_equal(bed.reason[0], FARMEM_OK);
	assert_int_equal(bed.server.client_count, 0);
	bed_close();
}

static void a_visitor_gets_no_memory(void **state)
{
	bed_open(SESSION_NEW);
	bed.server.opt.insecure = true;
	visit(0);
	ask_open(1, 5);
	assert_string_equal(bed.closed, "a visitor asked for memory");
	assert_int_equal(bed.sends, 1);
	bed_close();

	bed_open(SESSION_NEW);
	bed.server.opt.insecure = true;
	visit(0);
	visit(1);
	assert_string_equal(bed.closed, "a second HELLO");
	bed_close();
}

/* It is told what a client of its name would be told. */
static void a_visitor_is_refused_as_a_client_would_be(void **state)
{
	bed_open(SESSION_NEW);
	visit(0);
	assert_int_equal(bed.reason[0], FARMEM_ERR_AUTH);
	bed_close();

	bed_open(SESSION_NEW);
	bed.server.opt.insecure = true;
	bed.server.client_count = bed.server.opt.max_clients;
	visit(0);
	assert_int_equal(bed.reason[0], FARMEM_ERR_TOO_MANY);
	bed.server.client_count = 0;
	bed_close();
}

/* It proved its key, waited for the session of its name, and the key went. */
static void held_until_its_key_went(void **state)
{
	struct key key = { .name = "node", .len = 16 };
	struct session old = { .state = SESSION_DEAD, .held = &bed.session };

	bed_open(SESSION_NEW);
	bed.server.keys = &key;
	bed.session.rival = &old;
	bed.session.auth.keyed = true;
	bed.session.auth.session_key[0] = 1;
	strcpy(bed.session.auth.said.hello.name, "node");
	admit_ops.fenced(&old);
	expect_sent(0, FARMEM_MSG_WELCOME, 0);
	assert_int_equal(bed.reason[0], FARMEM_ERR_AUTH);
	assert_null(bed.session.client);
	bed_close();
}

/* A session of "node" that has proved a key made a volume, and ended; its key is gone. */
static void own_with_a_key(struct volume_refusal *refusal)
{
	static const uint8_t uuid[FARMEM_ID_LEN] = { 1 };
	struct client *client;

	bed_open(SESSION_NEW);
	bed.server.opt.insecure = true;
	bed.session.auth.keyed = true;
	client = client_get(&bed.server, bed.session.identity);
	strcpy(client->name, "node");
	session_live(&bed.session, client);
	assert_non_null(volume_create(client, uuid, "v", refusal));
	lease_begin(client);
	bed.session.state = SESSION_NEW;
	bed.session.client = NULL;
	bed.session.auth.keyed = false;
}

/* When a key is gone, knowing the client's name alone opens nothing that it protected. */
static void a_name_that_proved_a_key_stays_closed(void **state)
{
	struct farmem_hello hello = {
		.msg = head(FARMEM_MSG_HELLO, 4, sizeof(hello)),
		.name = "node",
		.incarnation = htole64(5),
	};
	struct volume_refusal refusal;

	own_with_a_key(&refusal);
	arrive(0, &hello, sizeof(hello));
	expect_sent(0, FARMEM_MSG_WELCOME, 4);
	assert_int_equal(bed.reason[0], FARMEM_ERR_AUTH);
	complete(bed.send_id[0], 0);
	assert_string_equal(bed.closed,
		"refused, it says it is node: its volumes belong to a client with a key, but the key file has no key for it");
	bed_close();

	own_with_a_key(&refusal);
	visit(0);
	assert_int_equal(bed.reason[0], FARMEM_ERR_AUTH);
	bed_close();
}

/* With its memory goes what is known of it. */
static void a_name_without_volumes_is_open_again(void **state)
{
	struct farmem_hello hello = {
		.msg = head(FARMEM_MSG_HELLO, 4, sizeof(hello)),
		.name = "node",
		.incarnation = htole64(5),
	};
	struct volume_refusal refusal;

	own_with_a_key(&refusal);
	volume_release_all(client_find_name(&bed.server, "node"));
	arrive(0, &hello, sizeof(hello));
	assert_int_equal(bed.reason[0], FARMEM_OK);
	bed_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_hello_is_told_why),
		cmocka_unit_test(hello_without_proof),
		cmocka_unit_test(hello_fences_a_live_session),
		cmocka_unit_test(hello_meets_a_live_session),
		cmocka_unit_test(hello_waits_for_a_fence),
		cmocka_unit_test(held_until_its_key_went),
		cmocka_unit_test(a_name_that_proved_a_key_stays_closed),
		cmocka_unit_test(a_name_without_volumes_is_open_again),
		cmocka_unit_test(a_visitor_disturbs_nobody),
		cmocka_unit_test(a_visitor_leaves_no_client),
		cmocka_unit_test(a_visitor_gets_no_memory),
		cmocka_unit_test(a_visitor_is_refused_as_a_client_would_be),
	};

	return cmocka_run_group_tests_name("hello", tests, NULL, NULL);
}
