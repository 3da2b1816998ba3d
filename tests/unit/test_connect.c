// SPDX-License-Identifier: GPL-2.0
/*
 * test_connect.c - what may wait for the network or the kernel's CM, and what may not.
 *
 * The loop and the workers are the real ones; the adapter and rdma_cm are
 * connect-bed.c's.
 */
#include <stdlib.h>
#include <string.h>

#include "admit.h"
#include "client.h"
#include "conn.h"
#include "connect-bed.h"
#include "device.h"
#include "dialog.h"
#include "mailbox.h"
#include "session.h"
#include "stubs.h"
#include "volume.h"
#include "worker.h"

static struct ibv_comp_channel channel;

/* A stranger whose address nobody answers for has the connector. */
static struct session *stall(void)
{
	struct session *session;

	adapter.hold_ready = true;
	session = ask(STRANGER);
	RUN_UNTIL(holding());
	return session;
}

static int on_time(sd_event_source *source, uint64_t usec, void *data)
{
	*(bool *)data = true;
	return 0;
}

static void nobody_waits_for_a_stranger(void **state)
{
	struct session *session = welcome();
	struct client *client = session->client;
	struct volume_refusal refusal;
	bool rang = false;

	assert_non_null(volume_create(client, (uint8_t[FARMEM_ID_LEN]){ 1 }, "v", &refusal));
	stall();
	assert_true(sd_event_add_time_relative(server.event, NULL, CLOCK_MONOTONIC, 1, 0, on_time,
					       &rang) >= 0);
	RUN_UNTIL(rang);
	session_close(session, "the client went away");
	RUN_UNTIL(!client->session && LIST_EMPTY(&server.dead));
	assert_int_equal(holding(), 1);
	let_go(&adapter.hold_ready);
	RUN_UNTIL(adapter.accepted == 2);
}

static void clients_come_before_strangers(void **state)
{
	struct session *session = welcome();

	stall();
	ask(STRANGER);
	ask(STRANGER);
	ask_queue(session, 1);
	ask_queue(session, 2);
	let_go(&adapter.hold_ready);
	RUN_UNTIL(adapter.accepted == 6);
	/* The first, and the one that had begun; of the client's two one jumps the queue. */
	assert_int_equal(adapter.ready[2], NODE);
	assert_int_equal(adapter.ready[3], STRANGER);
	assert_int_equal(adapter.ready[4], STRANGER);
	assert_int_equal(adapter.ready[5], NODE);
	assert_int_equal(session_queues(session), 3);
}

static void a_request_that_waits_is_taken_back(void **state)
{
	stall();
	session_close(ask(STRANGER), "a newer one needs its place");
	RUN_UNTIL(LIST_EMPTY(&server.dead) && adapter.ids == 1);
	assert_int_equal(holding(), 1);
	assert_int_equal(adapter.qps, 1);
}

static void an_end_while_connecting_waits_for_the_connector(void **state)
{
	struct session *session = stall();
	bool rang = false;

	session_close(session, "gone");
	assert_true(sd_event_add_time_relative(server.event, NULL, CLOCK_MONOTONIC, 10000, 0,
					       on_time, &rang) >= 0);
	RUN_UNTIL(rang);
	assert_false(LIST_EMPTY(&server.dead));
	let_go(&adapter.hold_ready);
	RUN_UNTIL(LIST_EMPTY(&server.dead) && !adapter.ids);
	assert_int_equal(adapter.accepted, 0);
}

static void a_way_that_is_not_found_is_refused(void **state)
{
	struct session *session = welcome();

	adapter.ready_error = ETIMEDOUT;
	ask(STRANGER);
	ask_queue(session, 1);
	RUN_UNTIL(LIST_EMPTY(&server.dead) && adapter.ids == 1);
	assert_int_equal(session->state, SESSION_LIVE);
	assert_null(session->conn[1]);
	assert_int_equal(adapter.qps, 1);
	assert_int_equal(device->qps, 1);
}

/* Its refusal is not sent yet, and the kernel keeps its id until then. */
static void nobody_waits_for_a_refusal(void **state)
{
	struct cm_event event = {
		.type = RDMA_CM_EVENT_CONNECT_REQUEST,
		.id = make_id(&verbs, STRANGER),
	};
	struct cm_event gone = { .type = RDMA_CM_EVENT_REJECTED, .id = event.id };
	struct cm_handler *handler;

	adapter.hold_id = true;
	admit_request(&server, &event);
	RUN_UNTIL(holding());
	/* What was on its way for it meanwhile is nobody's. */
	handler = event.id->context;
	handler->event(handler, &gone);
	welcome();
	assert_int_equal(holding(), 1);
	let_go(&adapter.hold_id);
	RUN_UNTIL(adapter.ids == 1 && !device->farewell.busy);
}

/* The kernel may never say that a message was sent.  The end of farmemd does not wait, either. */
static void nobody_waits_for_an_id(void **state)
{
	struct session *session = welcome();
	unsigned int i;

	adapter.hold_id = true;
	for (i = 0; i < 2000; i++)
		conn_reject(&server, make_id(&verbs, STRANGER), FARMEM_ERR_RESOURCES, "no");
	RUN_UNTIL(holding());
	session_close(session, "gone");
	RUN_UNTIL(!adapter.qps && !server.client_count);
	assert_int_equal(holding(), 1);
	server.stopping = true;
	conn_disconnect_all(&server);
	assert_false(worker_stop_within(server.closer, 1));
}

static bool hears(void)
{
	int enabled;

	assert_true(sd_event_source_get_enabled(server.channel_source, &enabled) >= 0);
	return enabled != SD_EVENT_OFF;
}

static void reject(unsigned int times)
{
	while (times--)
		conn_reject(&server, make_id(&verbs, STRANGER), FARMEM_ERR_RESOURCES, "no");
}

/* Each has memory of the kernel's until its id is destroyed, which may never be. */
static void ids_that_stay_are_bounded(void **state)
{
	unsigned int most = 1024 + server.opt.max_clients;
	const char *said, *why;

	adapter.hold_id = true;
	reject(1);
	RUN_UNTIL(holding());
	/* A session that was nobody's leaves one, too; one of a client's does not count. */
	session_close(ask(STRANGER), "gone");
	session_close(welcome(), "gone");
	RUN_UNTIL(LIST_EMPTY(&server.dead));
	assert_int_equal(server.leaving, 2);
	listen_to_log();
	reject(most - 3);
	assert_true(hears());
	reject(10);
	assert_false(hears());
	said = heard();
	why = strstr(said, "the kernel has not sent the end of ");
	assert_non_null(why);
	assert_null(strstr(why + 1, "the kernel has not sent"));
	let_go(&adapter.hold_id);
	RUN_UNTIL(hears());
	assert_true(server.leaving <= most / 2 + 64);
	RUN_UNTIL(!adapter.ids && !device->farewell.busy);
	assert_int_equal(server.leaving, 0);
}

/* A flood that came by one adapter, whose cable is pulled then, leaves the others usable. */
static void a_port_that_is_down_makes_nobody_deaf(void **state)
{
	unsigned int most = 1024 + server.opt.max_clients;

	adapter.hold_id = true;
	reject(1);
	RUN_UNTIL(holding());
	reject(most);
	assert_false(hears());
	adapter.port_down = true;
	let_go(&adapter.hold_id);
	RUN_UNTIL(!device->farewell.busy);
	/* All but a step that had begun are there still. */
	assert_true(adapter.ids > (int)most - 100);
	assert_true(hears());
	assert_int_equal(server.leaving, 0);
	/* They are destroyed when the port is back, and are not counted twice. */
	adapter.port_down = false;
	conn_disconnect_all(&server);
	RUN_UNTIL(!adapter.ids && !device->farewell.busy);
	assert_int_equal(server.leaving, 0);
}

/* Small packets would pass, and no large one would. */
static void larger_packets_are_refused(void **state)
{
	struct session *session = welcome();

	adapter.path_mtu = IBV_MTU_2048;
	ask(STRANGER);
	RUN_UNTIL(LIST_EMPTY(&server.dead) && adapter.ids == 1);
	assert_int_equal(le16toh(adapter.rej.reason), FARMEM_ERR_MTU);
	assert_string_equal(adapter.rej.detail,
			    "the client sends packets of 2048 bytes, but test0 carries 1024: the MTUs differ");
	ask_queue(session, 1);
	RUN_UNTIL(LIST_EMPTY(&server.dead) && adapter.ids == 1);
	assert_int_equal(session->state, SESSION_LIVE);
	assert_null(session->conn[1]);
	assert_int_equal(adapter.qps, 1);
	adapter.path_mtu = IBV_MTU_1024;
	ask_queue(session, 1);
	RUN_UNTIL(session_queues(session) == 2);
}

static void give_up(struct conn *conn)
{
	const struct cm_event event = { .type = RDMA_CM_EVENT_REJECTED, .id = conn->id };

	conn->handler.event(&conn->handler, &event);
}

/* While the connector has it, while it waits for that, and when it was accepted. */
static void a_queue_that_is_given_up_goes_alone(void **state)
{
	struct session *session = welcome();

	stall();
	ask_queue(session, 1);
	give_up(session->conn[1]);
	assert_null(session->conn[1]);
	RUN_UNTIL(adapter.ids == 2);
	ask_queue(session, 1);
	let_go(&adapter.hold_ready);
	RUN_UNTIL(session_queues(session) == 2);
	assert_int_equal(adapter.qps, 3);
	give_up(session->conn[1]);
	RUN_UNTIL(adapter.ids == 2 && !session->queues.connecting);
	assert_int_equal(adapter.qps, 2);
	assert_int_equal(session->state, SESSION_LIVE);
	assert_int_equal(session_queues(session), 1);
}

/* The kernel tells nobody of that before the request is accepted, which then fails. */
static void a_queue_that_was_given_up_unheard_goes_alone(void **state)
{
	struct session *session = welcome();

	adapter.gave_up_early = true;
	ask_queue(session, 1);
	RUN_UNTIL(adapter.ids == 1);
	assert_string_equal(adapter.rej.detail, "queue 1: the client gave up this connection");
	adapter.gave_up_early = false;
	adapter.gave_up = true;
	ask_queue(session, 1);
	RUN_UNTIL(adapter.ids == 1 && !session->queues.connecting);
	assert_int_equal(session->state, SESSION_LIVE);
	assert_int_equal(adapter.qps, 1);
	/* And it can be asked for again. */
	adapter.gave_up = false;
	ask_queue(session, 1);
	RUN_UNTIL(session_queues(session) == 2);
}

static void flush(struct session *session, uint32_t qp_num)
{
	adapter.flushed = (struct ibv_wc){ .wr_id = MAILBOX_QUEUE + 1, .qp_num = qp_num,
		.status = IBV_WC_WR_FLUSH_ERR };
	dialog_completions(session);
}

/* Which is not that of a queue that breaks. */
static void what_is_flushed_as_a_queue_goes_ends_nothing(void **state)
{
	struct session *session = welcome();
	uint32_t former;

	ask_queue(session, 1);
	RUN_UNTIL(session_queues(session) == 2);
	former = session->conn[1]->qp->qp_num;
	give_up(session->conn[1]);
	flush(session, former);
	assert_int_equal(session->state, SESSION_LIVE);
	stall();
	ask_queue(session, 1);
	flush(session, former);
	assert_int_equal(session->state, SESSION_LIVE);
	let_go(&adapter.hold_ready);
	RUN_UNTIL(session_queues(session) == 2);
	flush(session, former);
	assert_int_equal(session->state, SESSION_LIVE);
	flush(session, session->conn[1]->qp->qp_num);
	assert_int_equal(session->state, SESSION_DEAD);
}

/* And the session ends while it goes. */
static void a_session_ends_while_a_queue_is_dropped(void **state)
{
	struct session *session = welcome();

	ask_queue(session, 1);
	RUN_UNTIL(session_queues(session) == 2);
	adapter.hold_destroy = true;
	give_up(session->conn[1]);
	RUN_UNTIL(holding());
	session_close(session, "gone");
	assert_false(LIST_EMPTY(&server.dead));
	let_go(&adapter.hold_destroy);
	RUN_UNTIL(LIST_EMPTY(&server.dead) && !adapter.ids);
}

/* Memory is nobody else's, nor the same client's again, while a queue pair may reach it. */
static void who_comes_back_waits_for_the_fence(void **state)
{
	struct session *session = welcome(), *next;
	struct client *client = session->client;
	struct volume_refusal refusal;
	struct volume *volume;

	volume = volume_create(client, (uint8_t[FARMEM_ID_LEN]){ 1 }, "v", &refusal);
	assert_int_equal(volume_grow(volume, 3 << 20, &refusal), 0);
	next = ask(NODE);
	RUN_UNTIL(!next->conn[0]->connecting);
	adapter.hold_destroy = true;
	strcpy(next->name, "node");
	stub_seconds = 105;
	admit_ops.hello(next);
	RUN_UNTIL(holding());
	assert_null(session_of(client));
	/* Which is shown as the time for which it is not connected. */
	assert_int_equal(client->silent_since, 105);
	assert_int_equal(next->state, SESSION_NEW);
	volume_release(volume);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 3);
	let_go(&adapter.hold_destroy);
	RUN_UNTIL(next->state == SESSION_LIVE);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 0);
	assert_ptr_equal(client_find_name(&server, "node")->session, next);
}

/* It has said HELLO: what takes long is the fence, of which the client is told the truth. */
static void a_slow_fence_is_not_a_missing_hello(void **state)
{
	struct session *session = welcome(), *next;
	uint64_t now, due;

	next = ask(NODE);
	RUN_UNTIL(!next->conn[0]->connecting);
	adapter.hold_destroy = true;
	strcpy(next->name, "node");
	admit_ops.hello(next);
	RUN_UNTIL(holding());
	assert_int_equal(session->state, SESSION_DEAD);
	assert_true(sd_event_now(server.event, CLOCK_MONOTONIC, &now) >= 0);
	assert_true(sd_event_source_get_time(next->hello_timer, &due) >= 0);
	assert_true(due > now + 100 * 1000000ull);
	assert_true(sd_event_source_set_time(next->hello_timer, 0) >= 0);
	listen_to_log();
	RUN_UNTIL(next->state == SESSION_DEAD);
	assert_non_null(strstr(heard(), "session closed: its client's earlier session is not fenced after 120 s\n"));
	/* One that is silent is told so. */
	next = ask(NODE);
	RUN_UNTIL(next->hello_timer);
	assert_true(sd_event_source_set_time(next->hello_timer, 0) >= 0);
	listen_to_log();
	RUN_UNTIL(next->state == SESSION_DEAD);
	assert_non_null(strstr(heard(), "session closed: no HELLO within 15 s\n"));
}

static void request(uint8_t host, const char *name)
{
	struct farmem_cm_req req = {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.queue_count = htole16(1),
		.depth = htole16(1),
	};
	struct cm_event event = {
		.type = RDMA_CM_EVENT_CONNECT_REQUEST,
		.id = make_id(&verbs, host),
		.len = sizeof(req),
	};

	assert_int_equal(client_identity(name, req.identity), 0);
	memcpy(event.data, &req, sizeof(req));
	admit_request(&server, &event);
}

/* Its dead session's registrations take their time, and there is one, as many as there may be. */
static void who_comes_back_waits_for_no_registration(void **state)
{
	struct session *session = welcome();
	struct volume_refusal refusal;

	assert_non_null(volume_create(session->client, (uint8_t[FARMEM_ID_LEN]){ 1 }, "v", &refusal));
	server.opt.max_clients = 1;
	device->channel = &channel;
	adapter.hold_dereg = true;
	session_close(session, "the connection is lost");
	RUN_UNTIL(holding());
	request(NODE, "node");
	session = LIST_FIRST(&server.sessions);
	assert_non_null(session);
	RUN_UNTIL(!session->conn[0]->connecting);
	strcpy(session->name, "node");
	admit_ops.hello(session);
	assert_int_equal(session->state, SESSION_LIVE);
	device->channel = NULL;
}

static void who_comes_and_goes_is_bounded(void **state)
{
	struct volume_refusal refusal;
	struct session *session;
	unsigned int i;

	/* It has a volume: it is not forgotten. */
	session = welcome();
	assert_non_null(volume_create(session->client, (uint8_t[FARMEM_ID_LEN]){ 1 }, "v", &refusal));
	adapter.hold_dereg = true;
	session_close(session, "gone");
	for (i = 1; i < CLIENT_DEAD_MAX; i++) {
		RUN_UNTIL(!client_find_name(&server, "node")->session);
		session_close(welcome(), "gone");
	}
	RUN_UNTIL(!client_find_name(&server, "node")->session);
	session = ask(NODE);
	RUN_UNTIL(!session->conn[0]->connecting);
	strcpy(session->name, "node");
	admit_ops.hello(session);
	assert_int_equal(session->stage, DIALOG_REFUSED);
	assert_string_equal(session->close_reason, "4 sessions that ended are being cleared away");
}

/* Of sessions that are nobody's there are as many as clients may be. */
static void strangers_who_come_and_go_are_bounded(void **state)
{
	server.opt.max_clients = 1;
	device->channel = &channel;
	adapter.hold_dereg = true;
	/* It is forgotten, since it took nothing. */
	session_close(welcome(), "gone");
	RUN_UNTIL(holding() && !server.client_count);
	request(STRANGER, "stranger");
	assert_true(LIST_EMPTY(&server.sessions));
	assert_string_equal(adapter.rej.detail, "1 sessions that ended are being cleared away");
	device->channel = NULL;
}

/* It has a name of its own, by which its dead sessions are bounded. */
static void who_has_a_key_is_no_stranger(void **state)
{
	struct session *session = welcome();

	server.opt.max_clients = 1;
	device->channel = &channel;
	adapter.hold_dereg = true;
	session->auth.keyed = true;
	session_close(session, "gone");
	RUN_UNTIL(holding() && !server.client_count);
	request(STRANGER, "stranger");
	assert_false(LIST_EMPTY(&server.sessions));
	device->channel = NULL;
}

/* One question for all, and nothing is sent before the port can send. */
static void farewells_wait_for_the_port(void **state)
{
	struct session *session = welcome();
	unsigned int i;

	for (i = 1; i < 4; i++)
		ask_queue(session, i);
	RUN_UNTIL(session_queues(session) == 4);
	adapter.port_down = true;
	adapter.port_queries = 0;
	session_close(session, "disconnected");
	RUN_UNTIL(LIST_EMPTY(&server.dead) && !device->farewell.busy);
	assert_int_equal(adapter.qps, 0);
	assert_int_equal(adapter.ids, 4);
	assert_int_equal(adapter.port_queries, 1);
	adapter.port_down = false;
	conn_disconnect_parked(device);
	RUN_UNTIL(!device->farewell.busy);
	assert_int_equal(adapter.ids, 0);
	assert_int_equal(adapter.port_queries, 2);
}

/* What end() expects of each: nothing stays, whatever is under way. */
static void an_end_leaves_nothing(void **state)
{
	struct session *session = welcome();

	stall();
	ask(STRANGER);
	ask_queue(session, 1);
	adapter.port_down = true;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nobody_waits_for_a_stranger, begin, end),
		cmocka_unit_test_setup_teardown(clients_come_before_strangers, begin, end),
		cmocka_unit_test_setup_teardown(a_request_that_waits_is_taken_back, begin, end),
		cmocka_unit_test_setup_teardown(an_end_while_connecting_waits_for_the_connector,
						begin, end),
		cmocka_unit_test_setup_teardown(a_way_that_is_not_found_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(nobody_waits_for_a_refusal, begin, end),
		cmocka_unit_test_setup_teardown(nobody_waits_for_an_id, begin, end),
		cmocka_unit_test_setup_teardown(ids_that_stay_are_bounded, begin, end),
		cmocka_unit_test_setup_teardown(a_port_that_is_down_makes_nobody_deaf, begin,
						end),
		cmocka_unit_test_setup_teardown(larger_packets_are_refused, begin, end),
		cmocka_unit_test_setup_teardown(a_queue_that_is_given_up_goes_alone, begin, end),
		cmocka_unit_test_setup_teardown(a_queue_that_was_given_up_unheard_goes_alone,
						begin, end),
		cmocka_unit_test_setup_teardown(what_is_flushed_as_a_queue_goes_ends_nothing,
						begin, end),
		cmocka_unit_test_setup_teardown(a_session_ends_while_a_queue_is_dropped, begin, end),
		cmocka_unit_test_setup_teardown(who_comes_back_waits_for_the_fence, begin, end),
		cmocka_unit_test_setup_teardown(a_slow_fence_is_not_a_missing_hello, begin, end),
		cmocka_unit_test_setup_teardown(who_comes_back_waits_for_no_registration, begin, end),
		cmocka_unit_test_setup_teardown(who_comes_and_goes_is_bounded, begin, end),
		cmocka_unit_test_setup_teardown(strangers_who_come_and_go_are_bounded, begin, end),
		cmocka_unit_test_setup_teardown(who_has_a_key_is_no_stranger, begin, end),
		cmocka_unit_test_setup_teardown(farewells_wait_for_the_port, begin, end),
		cmocka_unit_test_setup_teardown(an_end_leaves_nothing, begin, end),
	};

	return cmocka_run_group_tests_name("connect", tests, NULL, NULL);
}
