// SPDX-License-Identifier: GPL-2.0
/* test_dialog.c - requests are answered in order, one at a time */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admit.h"
#include "client.h"
#include "conn.h"
#include "dialog.h"
#include "keys.h"
#include "session.h"
#include "stubs.h"

#define SLAB		(1ull << 20)
#define SENT_MAX	32

/* An adapter that does nothing, and what it was asked to do. */
static struct bed {
	struct ibv_context context;
	struct rdma_cm_id id;
	struct ibv_qp qp;
	struct ibv_cq cq;
	struct ibv_mr mr;
	struct ibv_wc wc;
	bool completed;
	unsigned int receives;
	uint64_t watch;
	struct farmem_msg sent[SENT_MAX];
	uint64_t send_id[SENT_MAX];
	uint16_t reason[SENT_MAX];
	unsigned int sends;
	struct job *job;
	const char *closed;
	char why[160];
	int unregistrable;
	uint64_t capacity;
	struct conn conn;
	struct conn *conns[1];
	struct server server;
	struct session session;
} bed;

void __wrap_worker_submit(struct worker *worker, struct job *job)
{
	(void)worker;
	assert_null(bed.job);
	bed.job = job;
}

void __wrap_session_close(struct session *session, const char *why)
{
	session->state = SESSION_DEAD;
	snprintf(bed.why, sizeof(bed.why), "%s", why);
	bed.closed = bed.why;
}

int __wrap_beat_register(struct session *session, struct message_welcome *welcome)
{
	(void)session;
	welcome->beat_addr = 64;
	return bed.unregistrable;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	(void)qp;
	(void)bad;
	bed.watch = wr->num_sge ? 0 : wr->wr_id;
	bed.receives++;
	return 0;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	const void *data = (const void *)(uintptr_t)wr->sg_list->addr;
	struct farmem_welcome welcome;

	(void)qp;
	(void)bad;
	assert_true(bed.sends < SENT_MAX);
	memcpy(&bed.sent[bed.sends], data, sizeof(bed.sent[0]));
	memcpy(&welcome, data, sizeof(welcome));
	bed.reason[bed.sends] = le16toh(welcome.reason);
	bed.send_id[bed.sends++] = wr->wr_id;
	return 0;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited)
{
	(void)cq;
	(void)solicited;
	return 0;
}

static int poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *wc)
{
	(void)cq;
	(void)count;
	if (bed.completed)
		return 0;
	*wc = bed.wc;
	bed.completed = true;
	return 1;
}

static void bed_open(enum session_state state)
{
	struct session *session = &bed.session;

	memset(&bed, 0, sizeof(bed));
	bed.context.ops.post_recv = post_recv;
	bed.context.ops.post_send = post_send;
	bed.context.ops.req_notify_cq = req_notify_cq;
	bed.context.ops.poll_cq = poll_cq;
	bed.qp.context = &bed.context;
	bed.cq.context = &bed.context;
	bed.conn.qp = &bed.qp;
	bed.conn.id = &bed.id;
	bed.conns[0] = &bed.conn;
	stub_server(&bed.server, 16, SLAB);
	bed.server.pool.base = (uint8_t *)&bed;
	assert_int_equal(client_identity("node", session->identity), 0);
	session->server = &bed.server;
	if (state == SESSION_LIVE) {
		session->client = client_get(&bed.server, session->identity);
		session->client->session = session;
	}
	session->state = state;
	session->incarnation = 5;
	session->conn = bed.conns;
	session->cq = &bed.cq;
	session->work.session = session;
	session->buffers_mr = &bed.mr;
	session->buffers = calloc(2 * FARMEM_MSG_RECVS, FARMEM_MSG_MAX);
	LIST_INIT(&session->grants);
}

static void bed_close(void)
{
	if (bed.session.client)
		bed.session.client->session = NULL;
	slab_list_free(&bed.session.quarantine);
	free(bed.session.buffers);
	stub_server_free(&bed.server);
}

static void complete_as(uint64_t wr_id, uint32_t len, enum ibv_wc_status status)
{
	bed.wc = (struct ibv_wc){ .wr_id = wr_id, .byte_len = len, .status = status,
		.opcode = wr_id < FARMEM_MSG_RECVS ? IBV_WC_RECV : IBV_WC_SEND };
	bed.completed = false;
	dialog_completions(&bed.session);
}

static void complete(uint64_t wr_id, uint32_t len)
{
	complete_as(wr_id, len, IBV_WC_SUCCESS);
}

static struct farmem_msg head(unsigned int type, uint32_t id, size_t len)
{
	return (struct farmem_msg) {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.type = htole16(type),
		.length = htole32(len),
		.id = htole32(id),
	};
}

static void arrive(unsigned int slot, const void *data, size_t len)
{
	memcpy(bed.session.buffers + slot * FARMEM_MSG_MAX, data, len);
	complete(slot, len);
}

static void ask_open(unsigned int slot, uint32_t id)
{
	struct farmem_open open = {
		.msg = head(FARMEM_MSG_OPEN, id, sizeof(open)),
		.uuid = { 1 },
		.capacity = htole64(bed.capacity ?: SLAB),
		.flags = htole32(FARMEM_OPEN_CREATE),
	};

	arrive(slot, &open, sizeof(open));
}

static void ask_end(unsigned int slot, uint32_t id, enum farmem_msg_type type)
{
	struct farmem_volume_ref ref = {
		.msg = head(type, id, sizeof(ref)),
		.uuid = { 1 },
	};

	arrive(slot, &ref, sizeof(ref));
}

/* The worker's step is done; @mr is what it left of the registrations. */
static void finish_step(struct ibv_mr *mr)
{
	struct job *job = bed.job;

	assert_non_null(job);
	bed.job = NULL;
	bed.session.work.grant->region[0].data = mr;
	bed.session.work.grant->region[0].meta = mr;
	job->done(job);
}

static void expect_sent(unsigned int index, enum farmem_msg_type type, uint32_t id)
{
	assert_true(index < bed.sends);
	assert_int_equal(le16toh(bed.sent[index].type), type);
	assert_int_equal(le32toh(bed.sent[index].id), id);
}

static void close_after_an_open_given_up(void **state)
{
	(void)state;
	bed_open(SESSION_LIVE);
	ask_open(0, 1);
	assert_int_equal(bed.receives, 1);
	ask_end(1, 2, FARMEM_MSG_CLOSE);
	/* It waits, and so does its buffer. */
	assert_null(bed.closed);
	assert_int_equal(bed.receives, 1);
	assert_int_equal(bed.sends, 0);

	finish_step(&bed.mr);
	assert_int_equal(bed.sends, 1);
	expect_sent(0, FARMEM_MSG_GRANT, 1);
	assert_int_equal(bed.receives, 2);
	finish_step(NULL);
	assert_int_equal(bed.sends, 2);
	expect_sent(1, FARMEM_MSG_DONE, 2);
	assert_null(bed.job);
	assert_null(bed.closed);
	assert_true(LIST_EMPTY(&bed.session.grants));
	bed_close();
}

static struct volume *bed_volume(void)
{
	const uint8_t uuid[FARMEM_ID_LEN] = { 1 };
	struct volume_refusal refusal;

	return volume_create(bed.session.client, uuid, "v", &refusal);
}

/* What could not be granted was opened by nobody: its last owner may go on with it. */
static void a_failed_open_opens_nothing(void **state)
{
	struct volume *volume;

	(void)state;
	bed_open(SESSION_LIVE);
	volume = bed_volume();
	volume_opened(volume, 4);
	ask_open(0, 1);
	bed.session.work.error = ENOMEM;
	finish_step(&bed.mr);	/* now it is undone */
	assert_int_equal(volume->incarnation, 4);
	finish_step(NULL);
	assert_int_equal(volume->incarnation, 4);
	expect_sent(0, FARMEM_MSG_GRANT, 1);
	ask_open(1, 2);
	finish_step(&bed.mr);
	assert_int_equal(volume->incarnation, 5);
	ask_end(2, 3, FARMEM_MSG_CLOSE);
	finish_step(NULL);
	bed_close();
}

/* What nobody was told of is nobody's. */
static void a_failed_growth_is_taken_back(void **state)
{
	struct volume_refusal refusal;
	struct volume *volume;

	(void)state;
	bed_open(SESSION_LIVE);
	volume = bed_volume();
	assert_int_equal(volume_grow(volume, 2 * SLAB, &refusal), 0);
	bed.capacity = 5 * SLAB;
	ask_open(0, 1);
	assert_int_equal(volume->slabs.slabs, 5);
	bed.session.work.error = ENOMEM;
	finish_step(&bed.mr);
	finish_step(NULL);
	expect_sent(0, FARMEM_MSG_GRANT, 1);
	assert_int_equal(volume->slabs.slabs, 2);
	assert_int_equal(bed.server.slabs.in[SLAB_QUARANTINED], 3);
	assert_int_equal(bed.server.slabs.in[SLAB_LENT], 2);
	bed_close();
}

static void answers_wait_for_buffers(void **state)
{
	unsigned int i;

	(void)state;
	bed_open(SESSION_LIVE);
	/* No volume: each is answered at once, as long as there is a buffer. */
	for (i = 0; i < 2 * FARMEM_MSG_RECVS; i++)
		ask_end(i % FARMEM_MSG_RECVS, i, FARMEM_MSG_RELEASE);
	assert_int_equal(bed.sends, FARMEM_MSG_RECVS);
	assert_int_equal(bed.receives, FARMEM_MSG_RECVS);
	for (i = 0; i < FARMEM_MSG_RECVS; i++)
		complete(bed.send_id[i], 0);
	assert_int_equal(bed.sends, 2 * FARMEM_MSG_RECVS);
	assert_int_equal(bed.receives, 2 * FARMEM_MSG_RECVS);
	for (i = 0; i < 2 * FARMEM_MSG_RECVS; i++)
		expect_sent(i, FARMEM_MSG_DONE, i);
	assert_null(bed.closed);
	bed_close();
}

static void bad_hello_is_told_why(void **state)
{
	static const char *const names[] = { "another", "with blank" };
	struct farmem_hello hello = {
		.msg = head(FARMEM_MSG_HELLO, 3, sizeof(hello)),
		.incarnation = htole64(5),
	};
	size_t i;

	(void)state;
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

/* Without its proof a HELLO changes nothing for whoever has that name. */
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

	(void)state;
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

/* With it, what it means for the live session of that name is judged. */
static void hello_meets_a_live_session(void **state)
{
	static const struct {
		uint64_t incarnation;
		bool takeover;
		enum farmem_reason reason;
		const char *closed;
	} row[] = {
		{ 5, false, FARMEM_OK, "the client has come back" },
		{ 6, true, FARMEM_OK, "taken over" },
		/* To be probed; that there is no event loop here counts as a sign of life. */
		{ 6, false, FARMEM_ERR_BUSY_IDENTITY, NULL },
	};
	struct farmem_hello hello = {
		.msg = head(FARMEM_MSG_HELLO, 4, sizeof(hello)),
		.name = "node",
		.incarnation = htole64(5),
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct session old = { .state = SESSION_LIVE, .server = &bed.server,
				       .incarnation = row[i].incarnation, .label = "the old one" };

		bed_open(SESSION_NEW);
		bed.server.opt.insecure = true;
		bed.session.takeover = row[i].takeover;
		old.client = client_get(&bed.server, bed.session.identity);
		old.client->session = &old;
		arrive(0, &hello, sizeof(hello));
		expect_sent(0, FARMEM_MSG_WELCOME, 4);
		assert_int_equal(bed.reason[0], row[i].reason);
		assert_null(old.held);
		assert_null(bed.session.rival);
		assert_int_equal(bed.session.state, row[i].closed ? SESSION_LIVE : SESSION_NEW);
		assert_int_equal(old.state, row[i].closed ? SESSION_DEAD : SESSION_LIVE);
		if (row[i].closed)
			assert_string_equal(bed.closed, row[i].closed);
		else
			assert_null(bed.closed);
		old.client->session = NULL;
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

	(void)state;
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
	(void)state;
	bed_open(SESSION_NEW);
	bed.server.opt.insecure = true;
	visit(0);
	assert_int_equal(bed.reason[0], FARMEM_OK);
	assert_int_equal(bed.server.client_count, 0);
	bed_close();
}

static void a_visitor_gets_no_memory(void **state)
{
	(void)state;
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
	(void)state;
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

	(void)state;
	bed_open(SESSION_NEW);
	bed.server.keys = &key;
	bed.session.auth.keyed = true;
	bed.session.auth.session_key[0] = 1;
	strcpy(bed.session.auth.said.hello.name, "node");
	admit_held(&bed.session);
	expect_sent(0, FARMEM_MSG_WELCOME, 0);
	assert_int_equal(bed.reason[0], FARMEM_ERR_AUTH);
	assert_null(bed.session.client);
	bed_close();
}

static void a_write_with_immediate_data_ends_the_session(void **state)
{
	(void)state;
	bed_open(SESSION_LIVE);
	bed.wc = (struct ibv_wc){ .wr_id = 0, .byte_len = 64, .opcode = IBV_WC_RECV_RDMA_WITH_IMM };
	bed.completed = false;
	dialog_completions(&bed.session);
	assert_string_equal(bed.closed, "a WRITE with immediate data");
	bed_close();
}

static unsigned int polled;

/* Sends end as fast as anybody looks. */
static int poll_without_end(struct ibv_cq *cq, int count, struct ibv_wc *wc)
{
	int i;

	(void)cq;
	for (i = 0; i < count && polled < 1000; i++, polled++)
		wc[i] = (struct ibv_wc){ .wr_id = DIALOG_SEND, .opcode = IBV_WC_SEND };
	return i;
}

/* Others have their turn; what is left has an event of its own. */
static void completions_without_end_are_left(void **state)
{
	(void)state;
	bed_open(SESSION_LIVE);
	bed.context.ops.poll_cq = poll_without_end;
	bed.cq.cqe = 24;
	polled = 0;
	dialog_completions(&bed.session);
	assert_true(polled > 24 && polled < 1000);
	assert_null(bed.closed);
	bed_close();
}

static void malformed_ends_a_live_session(void **state)
{
	(void)state;
	bed_open(SESSION_LIVE);
	ask_end(0, 1, FARMEM_MSG_GRANT);
	assert_string_equal(bed.closed, "a malformed message");
	bed_close();
}

/* Why a session ends whose completion is this one. */
static void ends(uint64_t wr_id, enum ibv_wc_status status, const char *why)
{
	bed_open(SESSION_LIVE);
	complete_as(wr_id, 0, status);
	assert_non_null(bed.closed);
	assert_non_null(strstr(bed.closed, why));
	bed_close();
}

static void a_broken_queue_ends_the_session(void **state)
{
	(void)state;
	ends(0, IBV_WC_WR_FLUSH_ERR, "queue 0 broke (Work Request Flushed Error): ");
	ends(DIALOG_QUEUE + 3, IBV_WC_WR_FLUSH_ERR, "queue 3 broke (Work Request Flushed Error): ");
	ends(DIALOG_QUEUE + 95, IBV_WC_REM_INV_REQ_ERR, "queue 95 broke (remote invalid request");
	ends(7, IBV_WC_LOC_LEN_ERR, "a message that is too long");
	ends(7, IBV_WC_LOC_QP_OP_ERR, "a message that is too long");
	ends(DIALOG_QUEUE + 1, IBV_WC_SUCCESS, "a message on a queue that is for data");
	ends(DIALOG_SEND, IBV_WC_RNR_RETRY_EXC_ERR, "RNR retry counter exceeded");
}

/* What the log says to check when this completion ends a session. */
static const char *blamed(uint64_t wr_id, enum ibv_wc_status status)
{
	const char *name;

	bed_open(SESSION_LIVE);
	complete_as(wr_id, 0, status);
	name = bed.session.blame ? bed.session.blame->name : "nothing";
	bed_close();
	return name;
}

static void what_ended_the_session_is_blamed(void **state)
{
	(void)state;
	assert_string_equal(blamed(DIALOG_SEND, IBV_WC_RETRY_EXC_ERR), "IBV_WC_RETRY_EXC_ERR");
	assert_string_equal(blamed(DIALOG_QUEUE + 3, IBV_WC_REM_INV_REQ_ERR),
			    "IBV_WC_REM_INV_REQ_ERR");
	assert_string_equal(blamed(DIALOG_PROBE, IBV_WC_RETRY_EXC_ERR), "IBV_WC_RETRY_EXC_ERR");
	assert_string_equal(blamed(DIALOG_PROBE, IBV_WC_REM_ACCESS_ERR), "IBV_WC_REM_ACCESS_ERR");
	/* What the log says of these anyway is more to the point. */
	assert_string_equal(blamed(DIALOG_QUEUE + 3, IBV_WC_WR_FLUSH_ERR), "nothing");
	assert_string_equal(blamed(DIALOG_PROBE, IBV_WC_WR_FLUSH_ERR), "nothing");
	assert_string_equal(blamed(7, IBV_WC_LOC_QP_OP_ERR), "nothing");
}

static void a_further_queue_is_watched(void **state)
{
	(void)state;
	bed_open(SESSION_LIVE);
	assert_int_equal(dialog_watch(&bed.qp, 3), 0);
	assert_int_equal(bed.receives, 1);
	assert_int_equal(bed.watch, DIALOG_QUEUE + 3);
	bed_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(close_after_an_open_given_up),
		cmocka_unit_test(a_failed_open_opens_nothing),
		cmocka_unit_test(a_failed_growth_is_taken_back),
		cmocka_unit_test(answers_wait_for_buffers),
		cmocka_unit_test(bad_hello_is_told_why),
		cmocka_unit_test(hello_without_proof),
		cmocka_unit_test(hello_meets_a_live_session),
		cmocka_unit_test(a_write_with_immediate_data_ends_the_session),
		cmocka_unit_test(completions_without_end_are_left),
		cmocka_unit_test(held_until_its_key_went),
		cmocka_unit_test(a_visitor_disturbs_nobody),
		cmocka_unit_test(a_visitor_leaves_no_client),
		cmocka_unit_test(a_visitor_gets_no_memory),
		cmocka_unit_test(a_visitor_is_refused_as_a_client_would_be),
		cmocka_unit_test(malformed_ends_a_live_session),
		cmocka_unit_test(a_broken_queue_ends_the_session),
		cmocka_unit_test(what_ended_the_session_is_blamed),
		cmocka_unit_test(a_further_queue_is_watched),
	};

	return cmocka_run_group_tests_name("dialog", tests, NULL, NULL);
}
