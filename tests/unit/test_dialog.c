// SPDX-License-Identifier: GPL-2.0
/* test_dialog.c - requests are answered in order, one at a time */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "client.h"
#include "dialog.h"
#include "dialog-bed.h"
#include "grant.h"
#include "mailbox.h"
#include "spread.h"
#include "stubs.h"
#include "volume.h"

static void close_after_an_open_given_up(void **state)
{
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

/* The session ends before its client is told of the growth. */
static void a_growth_amidst_which_the_session_ends_is_taken_back(void **state)
{
	struct volume_refusal refusal;
	struct volume *volume;

	bed_open(SESSION_LIVE);
	volume = bed_volume();
	assert_int_equal(volume_grow(volume, 2 * SLAB, &refusal), 0);
	bed.capacity = 5 * SLAB;
	ask_open(0, 1);
	assert_int_equal(volume->slabs.slabs, 5);
	bed.session.state = SESSION_DEAD;
	grant_abandon(&bed.session);
	assert_int_equal(volume->slabs.slabs, 2);
	finish_step(NULL);
	assert_int_equal(volume->slabs.slabs, 2);
	region_forget(bed.session.work.grant);
	bed_close();
}

/* What it gave before that was all is not held until the session ends. */
static void a_machine_without_memory_has_all_back(void **state)
{
	unsigned int slab;
	struct job *job;

	bed_open(SESSION_LIVE);
	bed.capacity = 5 * SLAB;
	for (slab = 2; slab < bed.server.slabs.count; slab++)
		slab_set(&bed.server.slabs, slab, SLAB_DIRTY);
	ask_open(0, 1);
	assert_int_equal(bed.session.stage, DIALOG_ZEROING);
	job = bed.job;
	bed.job = NULL;
	bed.session.work.error = ENOSPC;
	job->done(job);
	finish_step(NULL);
	expect_sent(0, FARMEM_MSG_GRANT, 1);
	assert_int_equal(bed.server.slabs.in[SLAB_QUARANTINED], 0);
	assert_int_equal(bed.server.slabs.in[SLAB_LENT], 0);
	bed_close();
}

/* A slab that a dead session had zeroed may be another volume's by now, and without memory. */
static void a_dead_session_lends_nothing(void **state)
{
	unsigned int slab;
	struct job *job;

	bed_open(SESSION_LIVE);
	bed.capacity = 5 * SLAB;
	for (slab = 0; slab < bed.server.slabs.count; slab++)
		slab_set(&bed.server.slabs, slab, SLAB_DIRTY);
	ask_open(0, 1);
	job = bed.job;
	bed.job = NULL;
	bed.session.state = SESSION_DEAD;
	job->done(job);
	assert_int_equal(bed.server.slabs.in[SLAB_LENT], 0);
	region_forget(bed.session.work.grant);
	bed_close();
}

/* OPEN of memory of this generation and of no other. */
static void ask_open_of(unsigned int slot, uint32_t id, uint64_t generation)
{
	struct farmem_open open = {
		.msg = head(FARMEM_MSG_OPEN, id, sizeof(open)),
		.uuid = { 1 },
		.generation = htole64(generation),
		.flags = htole32(FARMEM_OPEN_GENERATION),
	};

	arrive(slot, &open, sizeof(open));
}

/* A volume of that UUID is here, but its memory is not the memory that was written to. */
static void other_memory_than_asked_for_is_refused(void **state)
{
	struct volume_refusal refusal;
	struct volume *volume;

	bed_open(SESSION_LIVE);
	volume = bed_volume();
	assert_int_equal(volume_grow(volume, SLAB, &refusal), 0);
	volume_opened(volume, 4);
	ask_open_of(0, 1, bed.server.pool.generation + 1);
	expect_sent(0, FARMEM_MSG_GRANT, 1);
	assert_int_equal(bed.reason[0], FARMEM_ERR_STALE);
	assert_null(bed.job);
	assert_null(volume->grant);
	assert_int_equal(volume->incarnation, 4);
	ask_open_of(1, 2, bed.server.pool.generation);
	finish_step(&bed.mr);
	expect_sent(1, FARMEM_MSG_GRANT, 2);
	assert_int_equal(bed.reason[1], FARMEM_OK);
	ask_end(2, 3, FARMEM_MSG_CLOSE);
	finish_step(NULL);
	assert_null(bed.closed);
	bed_close();
}

static void answers_wait_for_buffers(void **state)
{
	unsigned int i;

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

/* After a restart many come at once, and each volume takes a while. */
static void who_waits_hears_that_it_is_worked_on(void **state)
{
	bed_open(SESSION_LIVE);
	ask_open(0, 7);
	stub_seconds += 1;
	dialog_progress(&bed.server);
	assert_int_equal(bed.sends, 0);
	stub_seconds += 1;
	dialog_progress(&bed.server);
	expect_sent(0, FARMEM_MSG_WORKING, 7);
	/* A client that does not listen gets no second one. */
	stub_seconds += 2;
	dialog_progress(&bed.server);
	assert_int_equal(bed.sends, 1);
	complete(bed.send_id[0], 0);
	stub_seconds += 2;
	dialog_progress(&bed.server);
	expect_sent(1, FARMEM_MSG_WORKING, 7);
	finish_step(&bed.mr);
	expect_sent(2, FARMEM_MSG_GRANT, 7);
	complete(bed.send_id[1], 0);
	complete(bed.send_id[2], 0);
	stub_seconds += 2;
	dialog_progress(&bed.server);
	assert_int_equal(bed.sends, 3);
	ask_end(1, 8, FARMEM_MSG_CLOSE);
	finish_step(NULL);
	assert_null(bed.closed);
	bed_close();
}

static void a_write_with_immediate_data_ends_the_session(void **state)
{
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

	for (i = 0; i < count && polled < 1000; i++, polled++)
		wc[i] = (struct ibv_wc){ .wr_id = MAILBOX_SEND, .opcode = IBV_WC_SEND };
	return i;
}

/* Others have their turn; what is left has an event of its own. */
static void completions_without_end_are_left(void **state)
{
	bed_open(SESSION_LIVE);
	bed.context.ops.poll_cq = poll_without_end;
	bed.cq.cqe = 24;
	polled = 0;
	dialog_completions(&bed.session);
	assert_true(polled > 24 && polled < 1000);
	assert_null(bed.closed);
	bed_close();
}

/* Nobody is known to ask: there is nobody to lend to, or to take from. */
static void a_request_before_hello_ends_the_session(void **state)
{
	bed_open(SESSION_NEW);
	ask_open(0, 1);
	assert_string_equal(bed.closed, "a request before HELLO");
	bed_close();
	bed_open(SESSION_NEW);
	ask_end(0, 1, FARMEM_MSG_RELEASE);
	assert_string_equal(bed.closed, "a request before HELLO");
	assert_int_equal(bed.sends, 0);
	bed_close();
}

static void malformed_ends_a_live_session(void **state)
{
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
	ends(0, IBV_WC_WR_FLUSH_ERR, "queue 0 broke (Work Request Flushed Error): ");
	/* It was the queue's trouble that came first, whatever was under way. */
	ends(MAILBOX_PROBE, IBV_WC_WR_FLUSH_ERR, "queue 0 broke (Work Request Flushed Error): ");
	ends(MAILBOX_SEND, IBV_WC_WR_FLUSH_ERR, "queue 0 broke (Work Request Flushed Error): ");
	ends(MAILBOX_QUEUE + 3, IBV_WC_WR_FLUSH_ERR, "queue 3 broke (Work Request Flushed Error): ");
	ends(MAILBOX_QUEUE + 95, IBV_WC_REM_INV_REQ_ERR, "queue 95 broke (remote invalid request");
	ends(7, IBV_WC_LOC_LEN_ERR, "a message that is too long");
	ends(7, IBV_WC_LOC_QP_OP_ERR, "a message that is too long");
	ends(MAILBOX_QUEUE + 1, IBV_WC_SUCCESS, "a message on a queue that is for data");
	ends(MAILBOX_SEND, IBV_WC_RNR_RETRY_EXC_ERR, "RNR retry counter exceeded");
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
	assert_string_equal(blamed(MAILBOX_SEND, IBV_WC_RETRY_EXC_ERR), "IBV_WC_RETRY_EXC_ERR");
	assert_string_equal(blamed(MAILBOX_QUEUE + 3, IBV_WC_REM_INV_REQ_ERR),
			    "IBV_WC_REM_INV_REQ_ERR");
	assert_string_equal(blamed(MAILBOX_PROBE, IBV_WC_RETRY_EXC_ERR), "IBV_WC_RETRY_EXC_ERR");
	assert_string_equal(blamed(MAILBOX_PROBE, IBV_WC_REM_ACCESS_ERR), "IBV_WC_REM_ACCESS_ERR");
	/* What the log says of these anyway is more to the point. */
	assert_string_equal(blamed(MAILBOX_QUEUE + 3, IBV_WC_WR_FLUSH_ERR), "nothing");
	assert_string_equal(blamed(MAILBOX_PROBE, IBV_WC_WR_FLUSH_ERR), "nothing");
	assert_string_equal(blamed(7, IBV_WC_LOC_QP_OP_ERR), "nothing");
}

static void a_further_queue_is_watched(void **state)
{
	bed_open(SESSION_LIVE);
	assert_int_equal(mailbox_watch(&bed.qp, 3), 0);
	assert_int_equal(bed.receives, 1);
	assert_int_equal(bed.watch, MAILBOX_QUEUE + 3);
	bed_close();
}

/* OPEN of a volume of three regions, with a key each; how many at a time is no matter. */
static void open_three_regions(void)
{
	unsigned int i;

	bed_open(SESSION_LIVE);
	bed.device.limits.mr_size = SLAB;
	bed.capacity = 3 * SLAB;
	ask_open(0, 1);
	for (i = 0; i < 3; i++) {
		struct region *region = &bed.session.work.grant->region[i];

		region->data = region->meta = &bed.mr;
	}
	while (bed.job) {
		struct job *job = bed.job;

		bed.job = NULL;
		job->done(job);
	}
}

/* And between those of its beginning: a step takes as many regions as there are threads for. */
static void a_step_registers_what_runs_at_a_time(void **state)
{
	const struct work *work = &bed.session.work;
	unsigned int i, batch = 0;
	struct job *job;

	bed_open(SESSION_LIVE);
	bed.device.limits.mr_size = SLAB;
	bed.capacity = 16 * SLAB;
	ask_open(0, 1);
	assert_int_equal(work->grant->regions, 16);
	for (i = 0; i < 16; i++)
		work->grant->region[i].data = work->grant->region[i].meta = &bed.mr;
	for (i = 0; i < 16; i += batch) {
		batch = work->batch;
		assert_int_equal(work->region, i);
		assert_true(batch && batch <= spread_width());
		job = bed.job;
		bed.job = NULL;
		bed.spread = 0;
		job->run(job);
		assert_int_equal(bed.spread, batch);
		job->done(job);
	}
	expect_sent(0, FARMEM_MSG_GRANT, 1);
	ask_end(1, 2, FARMEM_MSG_CLOSE);
	while (bed.job)
		run_step();
	bed_close();
}

/* One zeroes 64 MiB, or a slab that is larger. */
static void a_step_zeroes_no_more_than_64_mib(void **state)
{
	static const uint64_t slab_size[] = { 8ull << 20, 128ull << 20 };
	static const unsigned int most[] = { 8, 1 };
	unsigned int i, slab, left;

	for (i = 0; i < 2; i++) {
		bed_open(SESSION_LIVE);
		bed.server.pool.slab_size = slab_size[i];
		bed.capacity = 16 * slab_size[i];
		for (slab = 0; slab < 16; slab++)
			slab_set(&bed.server.slabs, slab, SLAB_DIRTY);
		ask_open(0, 1);
		for (left = 16; left; left -= most[i]) {
			struct job *job = bed.job;

			assert_int_equal(bed.session.stage, DIALOG_ZEROING);
			assert_int_equal(bed.session.work.zero.count, most[i]);
			bed.job = NULL;
			job->done(job);
		}
		assert_int_equal(bed.session.stage, DIALOG_REGISTERING);
		region_forget(bed.session.work.grant);
		bed_close();
	}
}

/* Others come in between the steps of a large volume's end. */
static void a_volume_is_closed_region_by_region(void **state)
{
	unsigned int i;

	open_three_regions();
	expect_sent(0, FARMEM_MSG_GRANT, 1);
	ask_end(1, 2, FARMEM_MSG_CLOSE);
	for (i = 0; i < 3; i++) {
		assert_int_equal(bed.sends, 1);
		assert_int_equal(run_step(), 2);
	}
	expect_sent(1, FARMEM_MSG_DONE, 2);
	assert_null(bed.job);
	assert_true(LIST_EMPTY(&bed.session.grants));
	bed_close();
}

/* Keys of a dead session are worth nothing, but nobody else's slabs have any. */
static void registering_waits_for_a_dead_session(void **state)
{
	struct session dead = { .state = SESSION_DEAD };
	struct region region = { .run = { 8, 1 } };
	struct grant left = { .region = &region, .regions = 1 };

	bed_open(SESSION_LIVE);
	LIST_INSERT_HEAD(&bed.server.dead, &dead, link);
	LIST_INSERT_HEAD(&dead.grants, &left, link);
	ask_open(0, 1);
	assert_non_null(bed.job);	/* other slabs */
	finish_step(&bed.mr);
	expect_sent(0, FARMEM_MSG_GRANT, 1);
	ask_end(1, 2, FARMEM_MSG_CLOSE);
	finish_step(NULL);

	region.run.first = 0;
	ask_open(2, 3);
	assert_null(bed.job);
	dialog_progress(&bed.server);
	assert_null(bed.job);
	dead.reaped = 1;
	dialog_progress(&bed.server);
	finish_step(&bed.mr);
	expect_sent(2, FARMEM_MSG_GRANT, 3);
	dialog_progress(&bed.server);
	assert_null(bed.job);
	ask_end(3, 4, FARMEM_MSG_CLOSE);
	finish_step(NULL);
	bed_close();
}

static void a_client_that_takes_no_answers_loses_its_session(void **state)
{
	bed_open(SESSION_LIVE);
	ask_open(0, 1);
	finish_step(&bed.mr);
	ask_end(1, 2, FARMEM_MSG_CLOSE);
	bed.session.mailbox.busy = (1u << MAILBOX_SENDS) - 1;
	finish_step(NULL);
	assert_int_equal(bed.sends, 1);
	assert_string_equal(bed.closed, "the client does not take answers");
	bed_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(close_after_an_open_given_up),
		cmocka_unit_test(a_failed_open_opens_nothing),
		cmocka_unit_test(a_failed_growth_is_taken_back),
		cmocka_unit_test(a_growth_amidst_which_the_session_ends_is_taken_back),
		cmocka_unit_test(a_machine_without_memory_has_all_back),
		cmocka_unit_test(a_dead_session_lends_nothing),
		cmocka_unit_test(other_memory_than_asked_for_is_refused),
		cmocka_unit_test(answers_wait_for_buffers),
		cmocka_unit_test(a_client_that_takes_no_answers_loses_its_session),
		cmocka_unit_test(who_waits_hears_that_it_is_worked_on),
		cmocka_unit_test(a_write_with_immediate_data_ends_the_session),
		cmocka_unit_test(completions_without_end_are_left),
		cmocka_unit_test(a_request_before_hello_ends_the_session),
		cmocka_unit_test(malformed_ends_a_live_session),
		cmocka_unit_test(a_broken_queue_ends_the_session),
		cmocka_unit_test(what_ended_the_session_is_blamed),
		cmocka_unit_test(a_step_registers_what_runs_at_a_time),
		cmocka_unit_test(a_step_zeroes_no_more_than_64_mib),
		cmocka_unit_test(a_volume_is_closed_region_by_region),
		cmocka_unit_test(registering_waits_for_a_dead_session),
		cmocka_unit_test(a_further_queue_is_watched),
	};

	return cmocka_run_group_tests_name("dialog", tests, NULL, NULL);
}
