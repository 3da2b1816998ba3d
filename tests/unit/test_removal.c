// SPDX-License-Identifier: GPL-2.0
/*
 * test_removal.c - an adapter that is being removed: when is what it had fenced?
 *
 * The kernel stops its commands first, and destroys its queue pairs a while later.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "admit.h"
#include "client.h"
#include "conn.h"
#include "connect-bed.h"
#include "device.h"
#include "region.h"
#include "session.h"
#include "stubs.h"
#include "volume.h"
#include "watch.h"

#define REMOVAL_SECONDS	60	/* session.c's */

/* A client that has given its memory up, of a session whose adapter takes no commands. */
static struct session *cut_off(void)
{
	struct session *session = welcome();
	struct volume_refusal refusal;
	struct volume *volume;

	volume = volume_create(session->client, (uint8_t[FARMEM_ID_LEN]){ 1 }, "v", &refusal);
	assert_int_equal(volume_grow(volume, 3 << 20, &refusal), 0);
	adapter.cut = EIO;
	session_close(session, "the RDMA device was removed");
	RUN_UNTIL(session->awaits_removal);
	volume_release(volume);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 3);
	return session;
}

/* And the client, which waits as long as its former queue pairs may write. */
static void its_memory_is_nobodys_until_the_kernel_is_done(void **state)
{
	struct session *next;

	listen_to_log();
	cut_off();
	adapter.cut = 0;
	next = ask(NODE);
	RUN_UNTIL(!next->conn[0]->connecting);
	strcpy(next->name, "node");
	admit_ops.hello(next);
	stub_seconds += REMOVAL_SECONDS - 1;
	session_settle_all(&server);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 3);
	assert_int_equal(next->state, SESSION_NEW);
	/* Another device has its name already, which says nothing. */
	adapter.removed = true;
	session_settle_all(&server);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 0);
	assert_int_equal(next->state, SESSION_LIVE);
	assert_false(server.unfenced);
	adapter.cut = EIO;
	RUN_UNTIL(LIST_EMPTY(&server.dead));
	assert_null(strstr(heard(), "cannot"));
	adapter.cut = 0;
}

static void an_adapter_that_is_gone_is_not_waited_for(void **state)
{
	struct session *session = welcome();

	adapter.removed = true;
	adapter.cut = EIO;
	session_close(session, "the RDMA device was removed");
	RUN_UNTIL(LIST_EMPTY(&server.dead));
	assert_false(server.unfenced);
	adapter.cut = 0;
}

/* librdmacm would free it, and the fence, the watch and the worker would use what it was. */
static void the_context_stays_until_the_fence_is_over(void **state)
{
	struct session *session;

	unkeep();
	session = cut_off();
	RUN_UNTIL(!device->farewell.busy);
	assert_int_equal(adapter.ids, 1);
	device_remove(device);
	RUN_UNTIL(!device->farewell.busy);
	assert_true(session->awaits_removal);
	assert_int_equal(adapter.ids, 1);
	adapter.removed = true;
	session_settle_all(&server);
	RUN_UNTIL(LIST_EMPTY(&server.dead) && !adapter.ids);
	assert_true(LIST_EMPTY(&server.devices));
	assert_true(adapter.cut_first);
	close(verbs.cmd_fd);
	close(verbs.async_fd);
	adapter.cut = 0;
}

/* Nor does it depend on a session: a refusal alone makes librdmacm open the device. */
static void a_device_that_only_refused_keeps_its_context(void **state)
{
	const struct cm_event removal = { .type = RDMA_CM_EVENT_DEVICE_REMOVAL };
	struct rdma_cm_id *first = make_id(&verbs, STRANGER);
	struct cm_handler *handler;

	unkeep();
	conn_reject(&server, first, FARMEM_ERR_RESOURCES, "no");
	conn_reject(&server, make_id(&verbs, STRANGER), FARMEM_ERR_RESOURCES, "no");
	RUN_UNTIL(!device->farewell.busy);
	assert_int_equal(adapter.ids, 1);
	assert_int_equal(server.leaving, 0);
	/* And tells of the removal. */
	handler = first->context;
	adapter.hold_id = true;
	handler->event(handler, &removal);
	assert_true(LIST_EMPTY(&server.devices));
	RUN_UNTIL(holding());
	handler->event(handler, &removal);
	let_go(&adapter.hold_id);
	RUN_UNTIL(!adapter.ids);
	assert_true(adapter.cut_first);
	close(verbs.cmd_fd);
	close(verbs.async_fd);
}

/* They are gone with it, and the adapter keeps nothing of them. */
static void registrations_are_not_spoken_of(void **state)
{
	struct region region = { .data = calloc(1, sizeof(*region.data)) };

	listen_to_log();
	adapter.cut = EIO;
	region_deregister(&region);
	assert_string_equal(heard(), "");
	assert_null(region.data);
	adapter.cut = 0;
}

/* Its session is not freed, since the kernel may still speak of it. */
static void free_lingering(struct session *session)
{
	RUN_UNTIL(LIST_EMPTY(&server.dead));
	assert_true(session->lingers && server.unfenced);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 3);
	LIST_REMOVE(session, link);
	device_put(session->device);
	free(session->mailbox.buffers);
	beat_free(&session->beat);
	free(session->conn);
	free(session);
	adapter.cut = 0;
}

static void an_adapter_that_stays_keeps_the_memory(void **state)
{
	struct session *session;

	listen_to_log();
	session = cut_off();
	rename_device(false);
	session_settle_all(&server);
	assert_true(session->awaits_removal);
	stub_seconds += REMOVAL_SECONDS;
	session_settle_all(&server);
	assert_non_null(strstr(heard(), "node): its RDMA device takes no commands, and the kernel has not removed it within 60 s\n"));
	free_lingering(session);
}

/* A session of an adapter that takes no commands, and that is not removed in time. */
static void give_up_waiting(void)
{
	cut_off();
	stub_seconds += REMOVAL_SECONDS;
	session_settle_all(&server);
	RUN_UNTIL(LIST_EMPTY(&server.dead));
	assert_int_equal(server.unfenced, 1);
	assert_int_equal(server.client_count, 1);
	adapter.cut = 0;
}

static struct session *say_hello(uint64_t incarnation, bool takeover)
{
	struct session *session = ask(NODE);

	RUN_UNTIL(!session->conn[0]->connecting);
	session->incarnation = incarnation;
	session->takeover = takeover;
	strcpy(session->name, "node");
	admit_ops.hello(session);
	return session;
}

#define REFUSAL "a queue pair of its former session may be left: remove that RDMA device, or restart farmemd"

/* Memory of many TiB takes longer than that. */
static void a_late_removal_ends_it(void **state)
{
	give_up_waiting();
	session_settle_all(&server);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 3);
	adapter.removed = true;
	session_settle_all(&server);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 0);
	assert_int_equal(server.unfenced, 0);
	assert_int_equal(server.client_count, 0);
	assert_true(LIST_EMPTY(&server.lingering));
}

/* What the client gives up in its next session waits for the end of that one. */
static void a_late_removal_ends_no_session(void **state)
{
	struct session *session;

	give_up_waiting();
	session = say_hello(5, false);
	assert_int_equal(session->state, SESSION_LIVE);
	adapter.removed = true;
	session_settle_all(&server);
	assert_int_equal(server.unfenced, 0);
	assert_int_equal(session->state, SESSION_LIVE);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 3);
	session_close(session, "the client is done");
	RUN_UNTIL(LIST_EMPTY(&server.dead));
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 0);
}

/* The former one may be another node that lives, and writes on. */
static void no_other_incarnation_comes_meanwhile(void **state)
{
	struct session *session, *other;

	give_up_waiting();
	other = say_hello(6, false);
	assert_int_equal(other->stage, DIALOG_REFUSED);
	assert_string_equal(other->close_reason, REFUSAL);
	session = say_hello(5, false);
	assert_int_equal(session->state, SESSION_LIVE);
	assert_int_equal(say_hello(6, true)->stage, DIALOG_REFUSED);
	assert_int_equal(session->state, SESSION_LIVE);
	adapter.removed = true;
	session_settle_all(&server);
	adapter.removed = false;
	other = say_hello(6, true);
	RUN_UNTIL(other->state == SESSION_LIVE);
}

/* Nor does one that has waited for the fence. */
static void who_waited_in_vain_is_refused(void **state)
{
	struct session *other;

	cut_off();
	adapter.cut = 0;
	other = say_hello(6, true);
	assert_int_equal(other->stage, DIALOG_HELD);
	stub_seconds += REMOVAL_SECONDS;
	session_settle_all(&server);
	assert_int_equal(other->stage, DIALOG_REFUSED);
	assert_string_equal(other->close_reason, REFUSAL);
	adapter.removed = true;
	RUN_UNTIL(LIST_EMPTY(&server.dead));
	session_settle_all(&server);
}

/* The kernel waits for the adapter as the process ends, and the lock on the pool with it. */
static void an_end_does_not_wait(void **state)
{
	struct session *session = cut_off();

	server.stopping = true;
	session_settle_all(&server);
	free_lingering(session);
}

static void what_cannot_be_found_out_keeps_the_memory(void **state)
{
	struct session *session = cut_off();

	close(device->sysfs);
	device->sysfs = -1;
	adapter.removed = true;
	session_settle_all(&server);
	assert_true(session->awaits_removal);
	stub_seconds += REMOVAL_SECONDS;
	session_settle_all(&server);
	free_lingering(session);
}

/* Which node_type has farmemd open of a context that it meets now? */
static char read_own(struct ibv_context *late)
{
	char text[16] = "";
	struct device *met;

	stub_context(late, verbs.device);
	met = device_know(&server, late);
	assert_non_null(met);
	if (met->sysfs >= 0)
		assert_true(pread(met->sysfs, text, sizeof(text), 0) > 0);
	return *text;
}

/* libibverbs lists a device under the name that it had first. */
static void a_device_is_met_under_its_present_name(void **state)
{
	static struct ibv_context late, later;

	rename_device(false);
	assert_int_equal(read_own(&late), '1');
	remove_node();
	listen_to_log();
	assert_int_equal(read_own(&later), '\0');
	assert_non_null(strstr(heard(), "test0: its files in /sys/class/infiniband cannot be opened: "));
}

/* The removal of that one would end the fence of this one. */
static void another_that_has_its_name_is_not_met(void **state)
{
	static struct ibv_context late;

	rename_device(true);
	assert_int_equal(read_own(&late), '1');
}

static void nor_is_one_that_gets_its_name_just_then(void **state)
{
	static struct ibv_context late;

	adapter.exchange = true;
	assert_int_equal(read_own(&late), '1');
	assert_false(adapter.exchange);
}

/* As it is in farmemd: it misses the node, and looks again each second. */
static void the_watch_looks_for_it(void **state)
{
	struct session *session = welcome();

	device->users++;
	adapter.cut = EIO;
	remove_node();
	assert_int_equal(watch_start(&server), 0);
	RUN_UNTIL(device->gone && session->awaits_removal);
	adapter.removed = true;
	RUN_UNTIL(LIST_EMPTY(&server.dead));
	server.device_timer = sd_event_source_disable_unref(server.device_timer);
	device->users--;
	adapter.cut = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(its_memory_is_nobodys_until_the_kernel_is_done,
						begin, end),
		cmocka_unit_test_setup_teardown(an_adapter_that_is_gone_is_not_waited_for, begin, end),
		cmocka_unit_test_setup_teardown(the_context_stays_until_the_fence_is_over, begin, end),
		cmocka_unit_test_setup_teardown(a_device_that_only_refused_keeps_its_context,
						begin, end),
		cmocka_unit_test_setup_teardown(registrations_are_not_spoken_of, begin, end),
		cmocka_unit_test_setup_teardown(an_adapter_that_stays_keeps_the_memory, begin, end),
		cmocka_unit_test_setup_teardown(a_late_removal_ends_it, begin, end),
		cmocka_unit_test_setup_teardown(a_late_removal_ends_no_session, begin, end),
		cmocka_unit_test_setup_teardown(no_other_incarnation_comes_meanwhile, begin, end),
		cmocka_unit_test_setup_teardown(who_waited_in_vain_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(an_end_does_not_wait, begin, end),
		cmocka_unit_test_setup_teardown(what_cannot_be_found_out_keeps_the_memory,
						begin, end),
		cmocka_unit_test_setup_teardown(a_device_is_met_under_its_present_name, begin, end),
		cmocka_unit_test_setup_teardown(another_that_has_its_name_is_not_met, begin, end),
		cmocka_unit_test_setup_teardown(nor_is_one_that_gets_its_name_just_then, begin, end),
		cmocka_unit_test_setup_teardown(the_watch_looks_for_it, begin, end),
	};

	return cmocka_run_group_tests_name("removal", tests, NULL, NULL);
}
