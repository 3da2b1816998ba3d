// SPDX-License-Identifier: GPL-2.0
/* test_report.c - what the control socket answers */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "report.h"
#include "session.h"
#include "stubs.h"
#include "volume.h"

#define SLAB (1ull << 20)
#define UUID "01000000-0000-0000-0000-000000000000"

static int closed;
/* What it has goes with the session: it was being made. */
static bool unfinished;

void __wrap_session_close(struct session *session, const char *why);

void __wrap_session_close(struct session *session, const char *why)
{
	assert_non_null(why);
	session->client->session = NULL;
	if (unfinished)
		volume_release_all(session->client);
	closed++;
}

static json_t *ask(struct server *server, const char *request)
{
	char *line = report_answer(server, false, request, strlen(request));
	json_t *answer;

	assert_non_null(line);
	assert_int_equal(line[strlen(line) - 1], '\n');
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	answer = json_loads(line, 0, NULL);
	assert_non_null(answer);
	free(line);
	return answer;
}

static void expect_error(struct server *server, const char *request, const char *part)
{
	json_t *answer = ask(server, request);
	const char *error = json_string_value(json_object_get(answer, "error"));

	assert_true(json_is_false(json_object_get(answer, "ok")));
	if (!error || !strstr(error, part))
		fail_msg("'%s' is not in '%s'", part, error);
	json_decref(answer);
}

static json_int_t number(const json_t *object, const char *key)
{
	assert_true(json_is_integer(json_object_get(object, key)));
	return json_integer_value(json_object_get(object, key));
}

static struct client *add_client(struct server *server, const char *name, uint64_t bytes)
{
	static const uint8_t uuid[FARMEM_ID_LEN] = { 1 };
	struct volume_refusal refusal;
	uint8_t identity[FARMEM_ID_LEN];
	struct client *client;

	client_identity(name, identity);
	client = client_get(server, identity);
	strcpy(client->name, name);
	assert_int_equal(volume_grow(volume_create(client, uuid, "v", &refusal), bytes, &refusal), 0);
	return client;
}

static void garbage(void **state)
{
	static const char *const request[] = {
		"", "{", "[]", "\"status\"", "{}", "{\"verb\":1}", "{\"verb\":\"status\"", "null",
	};
	struct server server;
	size_t i;

	stub_server(&server, 8, SLAB);
	for (i = 0; i < sizeof(request) / sizeof(request[0]); i++)
		expect_error(&server, request[i], "one JSON object a line");
	expect_error(&server, "{\"verb\":\"fly\"}", "unknown verb");
	stub_server_free(&server);
}

static void a_reload_says_whether_the_file_was_taken(void **state)
{
	struct server server;

	stub_server(&server, 8, SLAB);
	json_decref(ask(&server, "{\"verb\":\"reload\"}"));
	server.opt.keys = strdup("/nowhere/keys");
	expect_error(&server, "{\"verb\":\"reload\"}", "rejected, and the former keys stay in force");
	free(server.opt.keys);
	server.opt.keys = NULL;
	stub_server_free(&server);
}

static void status(void **state)
{
	struct server server;
	json_t *answer;

	stub_server(&server, 8, SLAB);
	stub_seconds = 105;
	server.started = 100;
	memset(server.uuid, 0x5e, sizeof(server.uuid));
	add_client(&server, "n", 3 * SLAB);
	answer = ask(&server, "{\"verb\":\"status\"}");
	assert_true(json_is_true(json_object_get(answer, "ok")));
	assert_int_equal(number(answer, "version"), 1);
	assert_int_equal(number(answer, "size"), 8 * SLAB);
	assert_int_equal(number(answer, "free"), 5 * SLAB);
	assert_int_equal(number(answer, "lent"), 3 * SLAB);
	assert_int_equal(number(answer, "dirty"), 0);
	assert_int_equal(number(answer, "quarantined"), 0);
	assert_int_equal(number(answer, "slab_size"), SLAB);
	assert_int_equal(number(answer, "uptime_s"), 5);
	assert_string_equal(json_string_value(json_object_get(answer, "generation")),
			    "0000000000001234");
	assert_string_equal(json_string_value(json_object_get(answer, "uuid")),
			    "5e5e5e5e-5e5e-5e5e-5e5e-5e5e5e5e5e5e");
	assert_int_equal(json_array_size(json_object_get(answer, "listen")), 2);
	assert_true(json_is_false(json_object_get(answer, "insecure")));
	json_decref(answer);
	stub_server_free(&server);
}

static void clients_and_volumes(void **state)
{
	struct session session = { .state = SESSION_LIVE, .label = "10.0.0.9:1 (n)" };
	const json_t *entry;
	struct server server;
	struct client *client;
	json_t *answer;

	stub_server(&server, 8, SLAB);
	client = add_client(&server, "n", 2 * SLAB);
	client->silent_since = stub_seconds - 7;
	answer = ask(&server, "{\"verb\":\"clients\"}");
	entry = json_array_get(json_object_get(answer, "clients"), 0);
	assert_string_equal(json_string_value(json_object_get(entry, "name")), "n");
	assert_true(json_is_false(json_object_get(entry, "connected")));
	assert_true(json_is_null(json_object_get(entry, "peer")));
	assert_int_equal(number(entry, "silent_since_s"), 7);
	assert_int_equal(number(entry, "volumes"), 1);
	assert_int_equal(number(entry, "bytes"), 2 * SLAB);
	json_decref(answer);

	client->session = &session;
	answer = ask(&server, "{\"verb\":\"clients\"}");
	entry = json_array_get(json_object_get(answer, "clients"), 0);
	assert_string_equal(json_string_value(json_object_get(entry, "peer")), "10.0.0.9:1");
	assert_true(json_is_null(json_object_get(entry, "silent_since_s")));
	json_decref(answer);
	client->session = NULL;

	answer = ask(&server, "{\"verb\":\"volumes\"}");
	entry = json_array_get(json_object_get(answer, "volumes"), 0);
	assert_string_equal(json_string_value(json_object_get(entry, "uuid")), UUID);
	assert_int_equal(number(entry, "bytes"), 2 * SLAB);
	assert_int_equal(number(entry, "regions"), 1);
	assert_true(json_is_false(json_object_get(entry, "open")));
	json_decref(answer);
	stub_server_free(&server);
}

/* A server where nobody is connected, and what a verb that takes a client says to that. */
static void begin(struct server *server, const char *verb)
{
	char request[64], takes[32];

	closed = 0;
	stub_server(server, 8, SLAB);
	snprintf(request, sizeof(request), "{\"verb\":\"%s\"}", verb);
	snprintf(takes, sizeof(takes), "%s takes", verb);
	expect_error(server, request, takes);
	snprintf(request, sizeof(request), "{\"verb\":\"%s\",\"client\":\"n\"}", verb);
	expect_error(server, request, "no such client");
}

static void add_connected(struct server *server, struct session *session)
{
	struct client *client = add_client(server, "n", 2 * SLAB);

	session->client = client;
	client->session = session;
}

static void release(void **state)
{
	struct session session = { .state = SESSION_LIVE, .label = "10.0.0.9:1 (n)" };
	struct server server;
	struct client *client;
	json_t *answer;

	begin(&server, "release");
	client = add_client(&server, "n", 2 * SLAB);
	expect_error(&server, "{\"verb\":\"release\",\"client\":\"n\",\"volume\":\"x\"}", "not a UUID");
	expect_error(&server, "{\"verb\":\"release\",\"client\":\"n\",\"volume\":\""
		     "02000000-0000-0000-0000-000000000000\"}", "no such volume");
	session.client = client;
	client->session = &session;
	expect_error(&server, "{\"verb\":\"release\",\"client\":\"n\"}", "is connected");
	expect_error(&server, "{\"verb\":\"release\",\"client\":\"n\",\"force\":false}", "is connected");
	assert_int_equal(closed, 0);

	answer = ask(&server, "{\"verb\":\"release\",\"client\":\"n\",\"volume\":\"" UUID
		     "\",\"force\":true}");
	assert_true(json_is_true(json_object_get(answer, "ok")));
	json_decref(answer);
	assert_int_equal(closed, 1);
	assert_int_equal(server.slabs.in[SLAB_DIRTY], 2);
	assert_int_equal(server.client_count, 0);

	add_client(&server, "m", SLAB);
	answer = ask(&server, "{\"verb\":\"release\",\"client\":\"m\"}");
	assert_true(json_is_true(json_object_get(answer, "ok")));
	assert_int_equal(number(answer, "released"), SLAB);
	json_decref(answer);
	assert_int_equal(server.client_count, 0);
	stub_server_free(&server);
}

static void release_of_what_goes_with_its_session(void **state)
{
	struct session session = { .state = SESSION_LIVE, .label = "10.0.0.9:1 (n)" };
	struct server server;
	json_t *answer;

	begin(&server, "release");
	unfinished = true;
	add_connected(&server, &session);
	answer = ask(&server, "{\"verb\":\"release\",\"client\":\"n\",\"volume\":\"" UUID
		     "\",\"force\":true}");
	assert_int_equal(number(answer, "released"), 2 * SLAB);
	json_decref(answer);
	unfinished = false;
	assert_int_equal(server.client_count, 0);
	stub_server_free(&server);
}

static void disconnect_keeps_the_data(void **state)
{
	struct session session = { .state = SESSION_LIVE, .label = "10.0.0.9:1 (n)" };
	struct server server;
	struct client *client;
	json_t *answer;

	begin(&server, "disconnect");
	client = add_client(&server, "n", 2 * SLAB);
	expect_error(&server, "{\"verb\":\"disconnect\",\"client\":\"n\"}", "is not connected");
	session.client = client;
	client->session = &session;
	answer = ask(&server, "{\"verb\":\"disconnect\",\"client\":\"n\"}");
	assert_true(json_is_true(json_object_get(answer, "ok")));
	assert_int_equal(number(answer, "kept"), 2 * SLAB);
	json_decref(answer);
	assert_int_equal(closed, 1);
	assert_int_equal(server.slabs.in[SLAB_LENT] + server.slabs.in[SLAB_RESERVED], 2);
	stub_server_free(&server);
}

/* What clients have stays theirs; it may be had anew, and not grow. */
static void a_cordon_lends_nothing_more(void **state)
{
	struct server server;
	struct volume_refusal refusal;
	struct client *client;
	struct volume *volume;
	json_t *answer;

	stub_server(&server, 8, SLAB);
	client = add_client(&server, "node1", 2 * SLAB);
	volume = LIST_FIRST(&client->volumes);
	answer = ask(&server, "{\"verb\":\"cordon\"}");
	assert_int_equal(number(answer, "lent"), 2 * SLAB);
	json_decref(answer);
	answer = ask(&server, "{\"verb\":\"status\"}");
	assert_true(json_is_true(json_object_get(answer, "cordoned")));
	assert_int_equal(number(answer, "free"), 0);
	json_decref(answer);
	assert_int_equal(volume_grow(volume, 2 * SLAB, &refusal), 0);
	assert_int_equal(volume_grow(volume, 3 * SLAB, &refusal), -1);
	assert_int_equal(refusal.reason, FARMEM_ERR_NO_SPACE);
	assert_false(server.draining);
	json_decref(ask(&server, "{\"verb\":\"drain\"}"));
	assert_true(server.cordoned && server.draining);
	json_decref(ask(&server, "{\"verb\":\"cordon\"}"));
	assert_true(server.cordoned && server.draining);
	answer = ask(&server, "{\"verb\":\"uncordon\"}");
	assert_false(server.cordoned || server.draining);
	json_decref(answer);
	answer = ask(&server, "{\"verb\":\"status\"}");
	assert_int_equal(number(answer, "free"), 6 * SLAB);
	json_decref(answer);
	assert_int_equal(volume_grow(volume, 3 * SLAB, &refusal), 0);
	stub_server_free(&server);
}

static void stop(void **state)
{
	struct server server;
	json_t *answer;

	stub_server(&server, 8, SLAB);
	add_client(&server, "n", 2 * SLAB);
	expect_error(&server, "{\"verb\":\"stop\",\"force\":1}", "stop takes");
	expect_error(&server, "{\"verb\":\"stop\"}", "1 volumes, 2M, would be lost");
	assert_null(stub_stopped);
	answer = ask(&server, "{\"verb\":\"stop\",\"force\":true}");
	assert_int_equal(number(answer, "lost"), 2 * SLAB);
	json_decref(answer);
	assert_non_null(stub_stopped);

	stub_stopped = NULL;
	stub_server_free(&server);
}

/* The pool's file keeps it all, unless somebody has removed or replaced that. */
static void stop_with_a_pool_file(void **state)
{
	char path[] = "/tmp/farmem-unit-XXXXXX";
	struct server server;
	json_t *answer;
	int other;

	stub_server(&server, 8, SLAB);
	add_client(&server, "n", 2 * SLAB);
	server.pool.fd = mkstemp(path);
	server.opt.pool = strdup(path);
	answer = ask(&server, "{\"verb\":\"stop\"}");
	assert_int_equal(number(answer, "lost"), 0);
	json_decref(answer);
	assert_non_null(stub_stopped);

	stub_stopped = NULL;
	unlink(path);
	expect_error(&server, "{\"verb\":\"stop\"}", "would be lost: there is no pool file any more");
	other = open(path, O_CREAT | O_RDWR, 0600);
	expect_error(&server, "{\"verb\":\"stop\"}", "would be lost: there is no pool file any more");
	assert_null(stub_stopped);
	answer = ask(&server, "{\"verb\":\"stop\",\"force\":true}");
	assert_int_equal(number(answer, "lost"), 2 * SLAB);
	json_decref(answer);
	unlink(path);
	close(other);
	close(server.pool.fd);
	stub_server_free(&server);
}

static void a_socket_that_shows_answers_status_alone(void **state)
{
	static const char *const refused[] = { "clients", "volumes", "release", "disconnect", "cordon", "drain", "uncordon",
					       "reload", "stop" };
	struct server server;
	char request[64], *line;
	size_t i;

	stub_server(&server, 8, SLAB);
	line = report_answer(&server, true, "{\"verb\":\"status\"}", strlen("{\"verb\":\"status\"}"));
	assert_non_null(strstr(line, "\"ok\":true"));
	free(line);
	for (i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		snprintf(request, sizeof(request), "{\"verb\":\"%s\"}", refused[i]);
		line = report_answer(&server, true, request, strlen(request));
		assert_non_null(strstr(line, "this socket answers status alone"));
		free(line);
	}
	assert_false(server.cordoned);
	stub_server_free(&server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(garbage),
		cmocka_unit_test(a_reload_says_whether_the_file_was_taken),
		cmocka_unit_test(status),
		cmocka_unit_test(clients_and_volumes),
		cmocka_unit_test(release),
		cmocka_unit_test(release_of_what_goes_with_its_session),
		cmocka_unit_test(disconnect_keeps_the_data),
		cmocka_unit_test(a_cordon_lends_nothing_more),
		cmocka_unit_test(stop),
		cmocka_unit_test(stop_with_a_pool_file),
		cmocka_unit_test(a_socket_that_shows_answers_status_alone),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
