// SPDX-License-Identifier: GPL-2.0
/* test_barrier.c - what a client gave up is free once it has said so on each queue */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>

#include "barrier.h"
#include "client.h"
#include "dialog.h"
#include "dialog-bed.h"
#include "volume.h"
#include "stubs.h"

static struct conn other;
static struct ibv_qp other_qp;

/* Two queues, and a volume of 3 slabs that the client has given up. */
static int begin(void **state)
{
	bed_open(SESSION_LIVE);
	other = bed.conn;
	other_qp = bed.qp;
	other_qp.qp_num = 7;
	other.qp = &other_qp;
	bed.conns[1] = &other;
	bed.session.queue_count = 2;
	bed.capacity = 3 * SLAB;
	ask_open(0, 1);
	while (bed.session.stage != DIALOG_IDLE && bed.job)
		finish_step(&bed.mr);
	ask_end(0, 2, FARMEM_MSG_RELEASE);
	run_step();
	assert_int_equal(client_quarantined(bed.session.client), 3 * SLAB);
	return 0;
}

static int end(void **state)
{
	bed_close();
	return 0;
}

static uint32_t asked(void)
{
	barrier_look(&bed.server);
	return le32toh(bed.session.beat.status->barrier);
}

/* The client says a token on a queue. */
static void say(unsigned int queue, uint32_t token)
{
	bed.wc = (struct ibv_wc) {
		.wr_id = queue ? MAILBOX_QUEUE + queue : 3,
		.opcode = IBV_WC_RECV,
		.wc_flags = IBV_WC_WITH_IMM,
		.imm_data = htonl(token),
		.qp_num = queue ? other_qp.qp_num : bed.qp.qp_num,
	};
	bed.completed = false;
	dialog_completions(&bed.session);
}

static void all_queues_must_have_said_it(void **state)
{
	uint32_t token = asked();
	unsigned int receives = bed.receives;

	assert_int_not_equal(token, 0);
	say(0, token);
	assert_int_equal(client_quarantined(bed.session.client), 3 * SLAB);
	assert_int_equal(asked(), token);
	say(1, token);
	assert_null(bed.closed);
	assert_int_equal(client_quarantined(bed.session.client), 0);
	assert_int_equal(bed.server.slabs.in[SLAB_DIRTY], 3);
	assert_int_equal(asked(), 0);
	/* The next one finds a receive on each. */
	assert_int_equal(bed.receives, receives + 2);
	assert_int_equal(bed.watch, MAILBOX_QUEUE + 1);
}

static void what_was_not_asked_for_ends_the_session(void **state)
{
	uint32_t token = asked();

	say(1, token + 1);
	assert_non_null(bed.closed);
	bed.closed = NULL;
	bed.session.state = SESSION_LIVE;
	say(1, token);
	assert_null(bed.closed);
	say(1, token);
	assert_string_equal(bed.closed, "a message on a queue that is for data");
	bed.session.state = SESSION_LIVE;
	say(0, 0);
	assert_string_equal(bed.closed, "an unknown token");
	assert_int_equal(client_quarantined(bed.session.client), 3 * SLAB);
}

static void release(unsigned int id)
{
	bed.capacity = SLAB;
	ask_open(0, id);
	while (bed.session.stage != DIALOG_IDLE && bed.job)
		finish_step(&bed.mr);
	ask_end(0, id + 1, FARMEM_MSG_RELEASE);
	run_step();
}

/* What was given up after the token was made may still be written to by what came before it. */
static void a_token_frees_what_was_given_up_before_it(void **state)
{
	uint32_t token = asked(), next;

	release(10);
	assert_int_equal(client_quarantined(bed.session.client), 4 * SLAB);
	assert_int_equal(asked(), token);
	say(0, token);
	say(1, token);
	assert_int_equal(client_quarantined(bed.session.client), SLAB);
	next = asked();
	assert_int_not_equal(next, 0);
	assert_int_not_equal(next, token);
	say(1, next);
	say(0, next);
	assert_int_equal(client_quarantined(bed.session.client), 0);
}

/* What is not connected any more cannot say it; what is being fenced may still write. */
static void a_queue_that_goes_is_waited_for_until_it_is_fenced(void **state)
{
	uint32_t token = asked();

	bed.conns[1] = NULL;
	bed.session.queues.connecting = 1;
	say(0, token);
	assert_int_equal(asked(), token);
	assert_int_equal(client_quarantined(bed.session.client), 3 * SLAB);
	bed.session.queues.connecting = 0;
	assert_int_equal(asked(), 0);
	assert_int_equal(client_quarantined(bed.session.client), 0);
}

/* A queue pair of an earlier session that could not be destroyed says nothing. */
static void an_unfenced_queue_pair_keeps_the_quarantine(void **state)
{
	struct client *client = bed.session.client;
	uint32_t token;

	client->unfenced = 1;
	assert_int_equal(asked(), 0);
	client->unfenced = 0;
	token = asked();
	client->unfenced = 1;
	say(0, token);
	say(1, token);
	assert_int_equal(client_quarantined(client), 3 * SLAB);
	client->unfenced = 0;
	assert_int_not_equal(asked(), 0);
}

/* Of this session, too; and a registration that is left lets requests in that begin later. */
static void what_cannot_be_proved_stays_in_quarantine(void **state)
{
	struct session *session = &bed.session;
	bool *const flags[] = { &session->key_left, &session->queues.cut, &session->queues.unfenced };
	uint32_t token;
	unsigned int i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		*flags[i] = true;
		assert_int_equal(asked(), 0);
		assert_int_equal(bed.server.headroom.coming, 0);
		*flags[i] = false;
		token = asked();
		*flags[i] = true;
		say(0, token);
		say(1, token);
		assert_null(bed.closed);
		*flags[i] = false;
		assert_int_equal(client_quarantined(session->client), 3 * SLAB);
	}
}

static int no_longer(struct ibv_mr *mr)
{
	return EBUSY;
}

static void a_key_that_stays_is_noticed(void **state)
{
	bed.deregister = no_longer;
	release(10);
	assert_true(bed.session.key_left);
	assert_int_equal(asked(), 0);
}

/* One was made while the others said it. */
static void a_queue_that_says_it_late_is_no_fault(void **state)
{
	uint32_t token = asked();
	struct conn late = other;

	say(0, token);
	say(1, token);
	assert_int_equal(asked(), 0);
	late.barrier = 0;
	bed.conns[1] = &late;
	say(1, token);
	assert_null(bed.closed);
	say(1, token);
	assert_non_null(bed.closed);
}

static void what_is_said_soon_is_coming(void **state)
{
	asked();
	assert_int_equal(bed.server.headroom.coming, 3);
	bed.session.barrier_since -= 30;
	asked();
	assert_int_equal(bed.server.headroom.coming, 0);
}

static void the_end_of_the_session_frees_all(void **state)
{
	asked();
	release(10);
	client_fenced(bed.session.client);
	assert_int_equal(client_quarantined(bed.session.client), 0);
	assert_int_equal(bed.server.slabs.in[SLAB_QUARANTINED], 0);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_queues_must_have_said_it),
		TEST(what_was_not_asked_for_ends_the_session),
		TEST(a_token_frees_what_was_given_up_before_it),
		TEST(a_queue_that_goes_is_waited_for_until_it_is_fenced),
		TEST(an_unfenced_queue_pair_keeps_the_quarantine),
		TEST(what_cannot_be_proved_stays_in_quarantine),
		TEST(a_key_that_stays_is_noticed),
		TEST(a_queue_that_says_it_late_is_no_fault),
		TEST(what_is_said_soon_is_coming),
		TEST(the_end_of_the_session_frees_all),
	};

	return cmocka_run_group_tests_name("barrier", tests, NULL, NULL);
}
