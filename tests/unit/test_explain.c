// SPDX-License-Identifier: GPL-2.0
/*
 * test_explain.c - the table of codes: complete, true to the libraries, found
 * by whatever a user may type, and printed.
 */
#include <infiniband/verbs.h>
#include <jansson.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "../../tools/verbs/explain-command.h"
#include "stubs.h"

#define NAMED(constant)	case constant: return #constant

/* No default: a constant that newer headers add does not compile until it is here. */
static const char *status_name(enum ibv_wc_status number)
{
	switch (number) {
	NAMED(IBV_WC_SUCCESS);
	NAMED(IBV_WC_LOC_LEN_ERR);
	NAMED(IBV_WC_LOC_QP_OP_ERR);
	NAMED(IBV_WC_LOC_EEC_OP_ERR);
	NAMED(IBV_WC_LOC_PROT_ERR);
	NAMED(IBV_WC_WR_FLUSH_ERR);
	NAMED(IBV_WC_MW_BIND_ERR);
	NAMED(IBV_WC_BAD_RESP_ERR);
	NAMED(IBV_WC_LOC_ACCESS_ERR);
	NAMED(IBV_WC_REM_INV_REQ_ERR);
	NAMED(IBV_WC_REM_ACCESS_ERR);
	NAMED(IBV_WC_REM_OP_ERR);
	NAMED(IBV_WC_RETRY_EXC_ERR);
	NAMED(IBV_WC_RNR_RETRY_EXC_ERR);
	NAMED(IBV_WC_LOC_RDD_VIOL_ERR);
	NAMED(IBV_WC_REM_INV_RD_REQ_ERR);
	NAMED(IBV_WC_REM_ABORT_ERR);
	NAMED(IBV_WC_INV_EECN_ERR);
	NAMED(IBV_WC_INV_EEC_STATE_ERR);
	NAMED(IBV_WC_FATAL_ERR);
	NAMED(IBV_WC_RESP_TIMEOUT_ERR);
	NAMED(IBV_WC_GENERAL_ERR);
	NAMED(IBV_WC_TM_ERR);
	NAMED(IBV_WC_TM_RNDV_INCOMPLETE);
	}
	return NULL;
}

static const char *cm_name(enum rdma_cm_event_type number)
{
	switch (number) {
	NAMED(RDMA_CM_EVENT_ADDR_RESOLVED);
	NAMED(RDMA_CM_EVENT_ADDR_ERROR);
	NAMED(RDMA_CM_EVENT_ROUTE_RESOLVED);
	NAMED(RDMA_CM_EVENT_ROUTE_ERROR);
	NAMED(RDMA_CM_EVENT_CONNECT_REQUEST);
	NAMED(RDMA_CM_EVENT_CONNECT_RESPONSE);
	NAMED(RDMA_CM_EVENT_CONNECT_ERROR);
	NAMED(RDMA_CM_EVENT_UNREACHABLE);
	NAMED(RDMA_CM_EVENT_REJECTED);
	NAMED(RDMA_CM_EVENT_ESTABLISHED);
	NAMED(RDMA_CM_EVENT_DISCONNECTED);
	NAMED(RDMA_CM_EVENT_DEVICE_REMOVAL);
	NAMED(RDMA_CM_EVENT_MULTICAST_JOIN);
	NAMED(RDMA_CM_EVENT_MULTICAST_ERROR);
	NAMED(RDMA_CM_EVENT_ADDR_CHANGE);
	NAMED(RDMA_CM_EVENT_TIMEWAIT_EXIT);
	}
	return NULL;
}

static const char *async_name(enum ibv_event_type number)
{
	switch (number) {
	NAMED(IBV_EVENT_CQ_ERR);
	NAMED(IBV_EVENT_QP_FATAL);
	NAMED(IBV_EVENT_QP_REQ_ERR);
	NAMED(IBV_EVENT_QP_ACCESS_ERR);
	NAMED(IBV_EVENT_COMM_EST);
	NAMED(IBV_EVENT_SQ_DRAINED);
	NAMED(IBV_EVENT_PATH_MIG);
	NAMED(IBV_EVENT_PATH_MIG_ERR);
	NAMED(IBV_EVENT_DEVICE_FATAL);
	NAMED(IBV_EVENT_PORT_ACTIVE);
	NAMED(IBV_EVENT_PORT_ERR);
	NAMED(IBV_EVENT_LID_CHANGE);
	NAMED(IBV_EVENT_PKEY_CHANGE);
	NAMED(IBV_EVENT_SM_CHANGE);
	NAMED(IBV_EVENT_SRQ_ERR);
	NAMED(IBV_EVENT_SRQ_LIMIT_REACHED);
	NAMED(IBV_EVENT_QP_LAST_WQE_REACHED);
	NAMED(IBV_EVENT_CLIENT_REREGISTER);
	NAMED(IBV_EVENT_GID_CHANGE);
	NAMED(IBV_EVENT_WQ_FATAL);
	}
	return NULL;
}

/* What the table must have: every constant of the headers that this was built with. */
static const char *constant(enum explain_kind kind, int number)
{
	switch (kind) {
	case EXPLAIN_WC:
		return status_name(number);
	case EXPLAIN_CM:
		return cm_name(number);
	case EXPLAIN_ASYNC:
		return async_name(number);
	}
	return NULL;
}

static void every_constant_has_its_entry(void **state)
{
	enum explain_kind kind;
	int number;

	for (kind = 0; kind < EXPLAIN_KINDS; kind++) {
		for (number = 0; constant(kind, number); number++) {
			const struct explain *entry = explain_find(kind, number);

			if (!entry || !entry->name)
				fail_msg("%s has no entry", constant(kind, number));
			assert_string_equal(entry->name, constant(kind, number));
		}
		/* Else the loop above would have looked at nothing. */
		assert_true(number > 10);
	}
}

static void newer_constants_have_entries(void **state)
{
	assert_string_equal(explain_find(EXPLAIN_CM, 16)->name, "RDMA_CM_EVENT_ADDRINFO_RESOLVED");
	assert_string_equal(explain_find(EXPLAIN_CM, 17)->name, "RDMA_CM_EVENT_ADDRINFO_ERROR");
	assert_string_equal(explain_find(EXPLAIN_CM, 18)->name, "RDMA_CM_EVENT_USER");
	assert_string_equal(explain_find(EXPLAIN_CM, 19)->name, "RDMA_CM_EVENT_INTERNAL");
	assert_string_equal(explain_find(EXPLAIN_ASYNC, 20)->name,
			    "IBV_EVENT_DEVICE_SPEED_CHANGE");
}

/* A line of a log, and of a table, has room for it; Markdown can show it. */
static void decent(const struct explain *entry, const char *text)
{
	if (!text || strlen(text) < 4 || strlen(text) > 320 || strpbrk(text, "|`\n"))
		fail_msg("%s: \"%s\"", entry->name, text ? text : "(null)");
}

static void every_text_is_there(void **state)
{
	const struct explain *entry = NULL;

	while ((entry = explain_next(entry))) {
		assert_non_null(entry->name);
		decent(entry, entry->words);
		decent(entry, entry->means);
		decent(entry, entry->causes);
		decent(entry, entry->check);
		if (entry->kernel)
			decent(entry, entry->kernel);
		/* farmemd logs it. */
		assert_true(strlen(entry->check) < 200);
	}
}

static void next_goes_through_all_once(void **state)
{
	const struct explain *entry = NULL;
	size_t count = 0;

	while ((entry = explain_next(entry))) {
		assert_ptr_equal(entry, explain_find(entry->kind, entry->number));
		count++;
	}
	assert_int_equal(count, explain_wc.count + explain_cm.count + explain_async.count);
}

static void words_are_the_libraries(void **state)
{
	int number;

	for (number = 0; status_name(number); number++)
		assert_string_equal(explain_find(EXPLAIN_WC, number)->words,
				    ibv_wc_status_str(number));
	for (number = 0; async_name(number); number++)
		assert_string_equal(explain_find(EXPLAIN_ASYNC, number)->words,
				    ibv_event_type_str(number));
	for (number = 0; cm_name(number); number++)
		assert_string_equal(explain_find(EXPLAIN_CM, number)->name,
				    rdma_event_str(number));
}

/* A library that is newer than its headers knows no more than the table, either. */
static void libraries_know_no_more(void **state)
{
	assert_string_equal(ibv_wc_status_str(explain_wc.count), "unknown");
	assert_string_equal(ibv_event_type_str(explain_async.count), "unknown");
	assert_string_equal(rdma_event_str(explain_cm.count), "UNKNOWN EVENT");
}

static void unknown_numbers_have_no_entry(void **state)
{
	assert_null(explain_find(EXPLAIN_WC, -1));
	assert_null(explain_find(EXPLAIN_WC, explain_wc.count));
	assert_null(explain_find(EXPLAIN_CM, explain_cm.count));
	assert_null(explain_find(EXPLAIN_ASYNC, explain_async.count));
	assert_null(explain_find(EXPLAIN_KINDS, 0));
	assert_null(explain_find(-1, 0));
}

static void is(int number, const char *code, bool expected)
{
	const struct explain *entry = explain_find(EXPLAIN_WC, number);

	if (explain_is(entry, code) != expected)
		fail_msg("%s %s \"%s\"", entry->name, expected ? "is not" : "is", code);
}

static void is_what_a_user_calls_it(void **state)
{
	is(12, "12", true);
	is(12, "IBV_WC_RETRY_EXC_ERR", true);
	is(12, "ibv_wc_retry_exc_err", true);
	is(12, "IB_WC_RETRY_EXC_ERR", true);
	is(12, "retry_exc_err", true);
	is(12, "Transport Retry Counter Exceeded", true);
	is(5, "work request flushed error", true);
	is(5, "WR flushed", true);
	is(12, "13", false);
	is(12, "12x", false);
	is(12, " 12", false);
	is(12, "", false);
	is(12, "retry counter", false);
	is(12, "RNR_RETRY_EXC_ERR", false);
	is(12, "IBV_EVENT_RETRY_EXC_ERR", false);
	is(12, "RETRY_EXC_ERROR", false);
	is(0, "", false);
	is(0, "0", true);
	is(0, "00", true);
}

static void said(const char *message, const char *name)
{
	const struct explain *entry = explain_said(message);

	if (!name ? !!entry : !entry || strcmp(entry->name, name))
		fail_msg("\"%s\": %s", message, entry ? entry->name : "nothing");
}

static void finds_the_words_of_a_message(void **state)
{
	said("queue 3: transport retry counter exceeded (status 12, vendor 0x81)",
	     "IBV_WC_RETRY_EXC_ERR");
	said("queue 0: RNR retry counter exceeded", "IBV_WC_RNR_RETRY_EXC_ERR");
	said("queue 1: WR flushed (status 5)", "IBV_WC_WR_FLUSH_ERR");
	said("queue 2: async event QP access error", "IBV_EVENT_QP_ACCESS_ERR");
	said("RDMA_CM_EVENT_UNREACHABLE, error -110", "RDMA_CM_EVENT_UNREACHABLE");
	said("session ended: local access violation work queue error",
	     "IBV_EVENT_QP_ACCESS_ERR");
	/* The longest. */
	said("no port error but a remote access error", "IBV_WC_REM_ACCESS_ERR");
	said("a transport error", NULL);
	said("", NULL);
}

static void words_within_a_word_do_not_count(void **state)
{
	said("it is reestablished", NULL);
	said("unrejected_", NULL);
	said("successful", NULL);
	said("it is reestablished, then established", "RDMA_CM_EVENT_ESTABLISHED");
}

/* What explain_command() prints to *@target; the caller frees @text. */
static int run(const char *code, bool json, FILE **target, char **text)
{
	FILE *saved = *target;
	size_t size;
	int ret;

	*target = open_memstream(text, &size);
	assert_non_null(*target);
	ret = explain_command(code, json);
	fclose(*target);
	*target = saved;
	return ret;
}

static char *printed(const char *code, bool json)
{
	char *text;

	assert_int_equal(run(code, json, &stdout, &text), 0);
	return text;
}

static unsigned int count_of(const char *text, const char *part)
{
	unsigned int count = 0;

	for (text = strstr(text, part); text; text = strstr(text + 1, part))
		count++;
	return count;
}

static void prints_one_entry(void **state)
{
	char *text = printed("loc_rdd_viol_err", false);

	assert_string_equal(text,
		"IBV_WC_LOC_RDD_VIOL_ERR, work completion status 14\n"
		"  words:  local RDD violation error\n"
		"  means:  Queue pair and end-to-end context belong to different reliable\n"
		"          datagram domains.\n"
		"  causes: a fault of adapter or driver: only reliable datagrams use this status,\n"
		"          and no adapter offers them\n"
		"  check:  'dmesg' on this node; then the release of driver and firmware,\n"
		"          'ibv_devinfo'\n");
	free(text);
}

static void a_number_is_of_every_kind(void **state)
{
	char *text = printed("12", false);
	const char *status = strstr(text, "IBV_WC_RETRY_EXC_ERR, work completion status 12\n");
	const char *cm = strstr(text, "\n\nRDMA_CM_EVENT_MULTICAST_JOIN, RDMA_CM event 12\n");
	const char *async = strstr(text, "\n\nIBV_EVENT_PKEY_CHANGE, async event 12\n");

	assert_ptr_equal(status, text);
	assert_non_null(cm);
	assert_true(async > cm);
	assert_int_equal(count_of(text, "  check:  "), 3);
	free(text);
}

static void a_number_that_only_statuses_have(void **state)
{
	char *text = printed("23", false);

	assert_int_equal(count_of(text, "  check:  "), 1);
	assert_non_null(strstr(text, "IBV_WC_TM_RNDV_INCOMPLETE"));
	free(text);
}

static void the_kernels_words_are_shown(void **state)
{
	char *text = printed("wr flushed", false);

	assert_non_null(strstr(text, "\n  words:  Work Request Flushed Error\n"
				     "  kernel: WR flushed\n"));
	free(text);
}

static void a_line_of_a_log_finds_its_entry(void **state)
{
	char *text = printed("queue 3: RNR retry counter exceeded (status 13, vendor 0)", false);

	assert_int_equal(count_of(text, "  check:  "), 1);
	assert_non_null(strstr(text, "IBV_WC_RNR_RETRY_EXC_ERR"));
	free(text);
}

static void a_part_finds_all_that_have_it(void **state)
{
	char *text = printed("retry counter", false);

	assert_int_equal(count_of(text, "  check:  "), 2);
	assert_non_null(strstr(text, "IBV_WC_RETRY_EXC_ERR"));
	assert_non_null(strstr(text, "IBV_WC_RNR_RETRY_EXC_ERR"));
	free(text);
}

static void all_prints_every_entry(void **state)
{
	size_t entries = explain_wc.count + explain_cm.count + explain_async.count;
	char *text = printed("all", false);

	assert_int_equal(count_of(text, "\n  means:  "), entries);
	assert_int_equal(count_of(text, "\n  causes: "), entries);
	assert_int_equal(count_of(text, "\n  check:  "), entries);
	free(text);
}

static void lines_fit_a_terminal(void **state)
{
	char *text = printed("all", false);
	const char *line;

	for (line = text; *line; line += strcspn(line, "\n") + 1)
		if (strcspn(line, "\n") > 80 || line[strcspn(line, "\n") - 1] == ' ')
			fail_msg("%.*s", (int)strcspn(line, "\n"), line);
	free(text);
}

static void same_texts(const struct explain *entry, const json_t *object)
{
	assert_int_equal(json_integer_value(json_object_get(object, "number")), entry->number);
	assert_string_equal(json_string_value(json_object_get(object, "kind")),
			    explain_kind_name(entry->kind));
	assert_string_equal(json_string_value(json_object_get(object, "name")), entry->name);
	assert_string_equal(json_string_value(json_object_get(object, "words")), entry->words);
	assert_string_equal(json_string_value(json_object_get(object, "means")), entry->means);
	assert_string_equal(json_string_value(json_object_get(object, "causes")), entry->causes);
	assert_string_equal(json_string_value(json_object_get(object, "check")), entry->check);
	if (entry->kernel)
		assert_string_equal(json_string_value(json_object_get(object, "kernel")),
				    entry->kernel);
	else
		assert_null(json_object_get(object, "kernel"));
}

static void json_has_every_entry(void **state)
{
	char *text = printed("all", true);
	json_t *all = json_loads(text, 0, NULL);
	const json_t *codes = json_object_get(all, "codes");
	const struct explain *entry = NULL;
	size_t i = 0;

	assert_int_equal(json_integer_value(json_object_get(all, "version")), 1);
	while ((entry = explain_next(entry)))
		same_texts(entry, json_array_get(codes, i++));
	assert_int_equal(json_array_size(codes), i);
	json_decref(all);
	free(text);
}

static void refused(const char *code)
{
	char *out, *err;
	FILE *saved = stdout;
	size_t size;

	stdout = open_memstream(&out, &size);
	assert_int_equal(run(code, false, &stderr, &err), 1);
	fclose(stdout);
	stdout = saved;
	assert_string_equal(out, "");
	assert_non_null(strstr(err, "give a number, a name such as RETRY_EXC_ERR, or words"));
	assert_non_null(strstr(err, "\n  next: "));
	assert_non_null(strstr(err, " explain all\n"));
	free(out);
	free(err);
}

static void unknown_codes_are_refused(void **state)
{
	refused("24");
	refused("-1");
	refused("NO_SUCH_ERR");
	refused("");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_constant_has_its_entry),
		cmocka_unit_test(newer_constants_have_entries),
		cmocka_unit_test(every_text_is_there),
		cmocka_unit_test(next_goes_through_all_once),
		cmocka_unit_test(words_are_the_libraries),
		cmocka_unit_test(libraries_know_no_more),
		cmocka_unit_test(unknown_numbers_have_no_entry),
		cmocka_unit_test(is_what_a_user_calls_it),
		cmocka_unit_test(finds_the_words_of_a_message),
		cmocka_unit_test(words_within_a_word_do_not_count),
		cmocka_unit_test(prints_one_entry),
		cmocka_unit_test(a_number_is_of_every_kind),
		cmocka_unit_test(a_number_that_only_statuses_have),
		cmocka_unit_test(the_kernels_words_are_shown),
		cmocka_unit_test(a_line_of_a_log_finds_its_entry),
		cmocka_unit_test(a_part_finds_all_that_have_it),
		cmocka_unit_test(all_prints_every_entry),
		cmocka_unit_test(lines_fit_a_terminal),
		cmocka_unit_test(json_has_every_entry),
		cmocka_unit_test(unknown_codes_are_refused),
	};

	return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
