// SPDX-License-Identifier: GPL-2.0
/* test_session.c - what the log says when a session ends */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "admit.h"
#include "client.h"
#include "device.h"
#include "session.h"
#include "stubs.h"
#include "worker.h"

void __wrap_worker_submit(struct worker *worker, struct job *job);
void __wrap_worker_submit_urgent(struct worker *worker, struct job *job);

int __wrap_ibv_dereg_mr(struct ibv_mr *mr);

/* What fences, and what clears away what the session had. */
static struct job *submitted, *fence;
static unsigned int deregistered;

void __wrap_worker_submit(struct worker *worker, struct job *job)
{
	submitted = job;
}

int __wrap_ibv_dereg_mr(struct ibv_mr *mr)
{
	deregistered++;
	return 0;
}

void __wrap_worker_submit_urgent(struct worker *worker, struct job *job)
{
	fence = job;
}

/* A session of "node" without an adapter, on the server's list. */
static void live(struct server *server, struct session *session)
{
	stub_server(server, 4, 1 << 20);
	memset(session, 0, sizeof(*session));
	session->server = server;
	session->ops = &admit_ops;
	session->state = SESSION_LIVE;
	session->client = stub_client(server, "node");
	session->client->session = session;
	strcpy(session->label, "10.0.0.1:99 (node)");
	LIST_INIT(&session->grants);
	LIST_INSERT_HEAD(&server->sessions, session, link);
}

/* Close it, and return what was logged; for the caller to free. */
static char *closed(struct session *session, const char *why)
{
	char *text = calloc(1, 4096);
	int saved = dup(STDERR_FILENO);
	int fd[2];

	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	dup2(fd[1], STDERR_FILENO);
	close(fd[1]);
	session_close(session, why);
	session_close(session, "once more");
	dup2(saved, STDERR_FILENO);
	close(saved);
	assert_true(read(fd[0], text, 4095) > 0);
	close(fd[0]);
	return text;
}

static void a_blamed_end_says_once_what_to_check(void **state)
{
	struct session session;
	struct server server;
	char *text;

	live(&server, &session);
	session_blame(&session, EXPLAIN_WC, IBV_WC_REM_OP_ERR);
	text = closed(&session, "remote operation error");
	assert_string_equal(text,
		"10.0.0.1:99 (node): session closed: remote operation error\n"
		"10.0.0.1:99 (node): remote operation error: check the peer's completions and async events; 'dmesg' there; the MTU: 'ip link show' on both nodes\n");
	free(text);
	stub_server_free(&server);
}

static void an_end_without_blame_says_only_why(void **state)
{
	struct session session;
	struct server server;
	char *text;

	live(&server, &session);
	text = closed(&session, "disconnected by the client");
	assert_string_equal(text,
		"10.0.0.1:99 (node): session closed: disconnected by the client\n");
	free(text);
	stub_server_free(&server);
}

/* A client that tries keys must not be able to hide it by leaving at once. */
static void who_was_refused_and_hung_up_was_refused(void **state)
{
	struct session session;
	struct server server;
	char *text;

	live(&server, &session);
	strcpy(session.close_reason, "refused, it says it is node: its key is another one");
	text = closed(&session, "disconnected by the client");
	assert_string_equal(text,
		"10.0.0.1:99 (node): session closed: refused, it says it is node: its key is another one\n");
	free(text);
	stub_server_free(&server);
}

/* A grant of so many regions of two slabs, each registered. */
static void grant_of(struct session *session, uint32_t first, size_t regions)
{
	static struct ibv_mr mr;
	struct grant *grant = calloc(1, sizeof(*grant));
	size_t i;

	assert_non_null(grant);
	grant->region = calloc(regions, sizeof(*grant->region));
	assert_non_null(grant->region);
	grant->regions = regions;
	for (i = 0; i < regions; i++) {
		grant->region[i].data = grant->region[i].meta = &mr;
		grant->region[i].run = (struct slab_run){ first + 2 * i, 2 };
	}
	LIST_INSERT_HEAD(&session->grants, grant, link);
}

/* Run the worker's job; returns how many registrations went. */
static unsigned int step(void)
{
	unsigned int before = deregistered;
	struct job *job = submitted;

	submitted = NULL;
	job->run(job);
	job->done(job);
	return deregistered - before;
}

/* Other jobs of the worker come in between. */
static void a_dead_session_is_cleared_away_region_by_region(void **state)
{
	struct device device = {};
	struct session session;
	struct server server;
	unsigned int i;

	live(&server, &session);
	session.device = &device;
	grant_of(&session, 2, 2);
	grant_of(&session, 0, 1);
	free(closed(&session, "gone"));
	fence->run(fence);
	fence->done(fence);
	for (i = 0; i < 3; i++) {
		assert_true(session_reaping(&server, (struct slab_run){ 2 * i + 1, 4 }));
		assert_int_equal(step(), 2);
		assert_false(session_reaping(&server, (struct slab_run){ 0, 2 * i + 2 }));
	}
	assert_non_null(submitted);
	LIST_REMOVE(&session, link);
	stub_server_free(&server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_blamed_end_says_once_what_to_check),
		cmocka_unit_test(an_end_without_blame_says_only_why),
		cmocka_unit_test(who_was_refused_and_hung_up_was_refused),
		cmocka_unit_test(a_dead_session_is_cleared_away_region_by_region),
	};

	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
