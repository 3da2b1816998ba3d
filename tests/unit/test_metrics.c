// SPDX-License-Identifier: GPL-2.0
/* test_metrics.c - what Prometheus gets over HTTP */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "metrics.h"
#include "stubs.h"

#define STATUS "{\"ok\":true,\"version\":1,\"size\":8589934592,\"free\":3221225472,\"insecure\":true," \
	       "\"uuid\":\"11111111-2222-3333-4444-555555555555\",\"uptime_s\":93}\n"
#define CLIENTS "{\"ok\":true,\"version\":1,\"clients\":[{\"name\":\"a\\\"b\",\"bytes\":4096," \
		"\"connected\":false,\"silent_since_s\":null}]}\n"

/* Stands in for the event loop. */
static struct fake {
	const char *status;	/* NULL: asks @asked, and ends without an answer */
	const char *clients;
	pthread_t thread;
	int fd;
	int asked[2];		/* a byte here: the question has come */
	int let_go[2];		/* closed there: the connection ends */
	char path[64];
} fake;
static struct options opt;
static struct metrics *metrics;

static void fake_answer(int fd)
{
	char line[256], byte;
	ssize_t length = recv(fd, line, sizeof(line) - 1, 0);
	const char *answer;

	if (length <= 0)
		return;
	line[length] = '\0';
	answer = strstr(line, "\"clients\"") ? fake.clients : fake.status;
	if (answer) {
		send(fd, answer, strlen(answer), MSG_NOSIGNAL);
		return;
	}
	assert_int_equal(write(fake.asked[1], "", 1), 1);
	assert_int_equal(read(fake.let_go[0], &byte, 1), 0);
}

static void *fake_run(void *data)
{
	int fd;

	while ((fd = accept(fake.fd, NULL, NULL)) >= 0) {
		fake_answer(fd);
		close(fd);
	}
	return NULL;
}

static void fake_start(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	snprintf(fake.path, sizeof(fake.path), "/tmp/farmem-unit-%d.sock", getpid());
	strcpy(addr.sun_path, fake.path);
	fake.status = STATUS;
	fake.clients = CLIENTS;
	fake.fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fake.fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(listen(fake.fd, 8), 0);
	assert_int_equal(pipe(fake.asked) | pipe(fake.let_go), 0);
	assert_int_equal(pthread_create(&fake.thread, NULL, fake_run, NULL), 0);
}

static void fake_end(void)
{
	shutdown(fake.fd, SHUT_RDWR);
	pthread_join(fake.thread, NULL);
	close(fake.fd);
	close(fake.asked[0]);
	close(fake.asked[1]);
	close(fake.let_go[0]);
	unlink(fake.path);
}

/* A socket of 127.0.0.1 whose port is the kernel's choice; it is that of --metrics. */
static int some_port(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(addr);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&addr, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&addr, &size), 0);
	memcpy(&opt.metrics, &addr, sizeof(addr));
	return fd;
}

static int start(void **state)
{
	memset(&opt, 0, sizeof(opt));
	fake_start();
	opt.control = fake.path;
	close(some_port());
	return metrics_start(&opt, &metrics);
}

static int end(void **state)
{
	metrics_stop(metrics);
	metrics = NULL;
	if (fake.let_go[1] >= 0)
		close(fake.let_go[1]);
	fake_end();
	return 0;
}

static int http_send(const char *request)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char text[128];

	snprintf(text, sizeof(text), "%s HTTP/1.0\r\n\r\n", request);
	assert_int_equal(connect(fd, (struct sockaddr *)&opt.metrics, sizeof(struct sockaddr_in)), 0);
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
	return fd;
}

static const char *http_answer(int fd)
{
	static char answer[8192];
	size_t used = 0;
	ssize_t ret;

	while ((ret = recv(fd, answer + used, sizeof(answer) - 1 - used, 0)) > 0)
		used += ret;
	answer[used] = '\0';
	close(fd);
	return answer;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

static void what_farmemd_says_is_a_metric(void **state)
{
	const char *answer = http_answer(http_send("GET /metrics"));

	assert_has(answer, " 200 ");
	assert_has(answer, "Content-Type: text/plain; version=0.0.4");
	assert_has(answer, "# TYPE farmem_server_up gauge\nfarmem_server_up 1\n");
	assert_has(answer, "\nfarmem_server_info{uuid=\"11111111-2222-3333-4444-555555555555\"} 1\n");
	assert_has(answer, "\nfarmem_server_free_bytes 3221225472\n");
	assert_has(answer, "\nfarmem_server_insecure 1\n");
	assert_has(answer, "\nfarmem_server_uptime_seconds 93\n");
	assert_has(answer, "\nfarmem_server_client_bytes{client=\"a\\\"b\"} 4096\n");
	assert_has(answer, "\nfarmem_server_client_connected{client=\"a\\\"b\"} 0\n");
	assert_null(strstr(answer, "client_silent_seconds"));
}

static void a_head_has_no_body(void **state)
{
	const char *answer = http_answer(http_send("HEAD /metrics"));

	assert_has(answer, " 200 ");
	assert_null(strstr(answer, "farmem_server"));
}

static void an_event_loop_that_refuses_is_not_up(void **state)
{
	const char *answer;

	fake.clients = "{\"ok\":false,\"error\":\"no\"}\n";
	answer = http_answer(http_send("GET /metrics"));
	assert_has(answer, " 200 ");
	assert_has(answer, "\nfarmem_server_up 0\n");
	assert_null(strstr(answer, "free_bytes"));
}

static void other_questions_are_refused(void **state)
{
	assert_has(http_answer(http_send("POST /metrics")), " 405 ");
	assert_has(http_answer(http_send("GET /")), " 404 ");
	assert_has(http_answer(http_send("GET /metrics")), "farmem_server_up 1");
}

/* As when farmemd stops: the control socket's end comes first. */
static void a_question_does_not_outlive_its_connection(void **state)
{
	int fd;
	char byte;

	fake.status = NULL;
	fd = http_send("GET /metrics");
	assert_int_equal(read(fake.asked[0], &byte, 1), 1);
	close(fake.let_go[1]);
	fake.let_go[1] = -1;
	assert_has(http_answer(fd), "\nfarmem_server_up 0\n");
}

static void an_address_that_is_taken_is_an_error(void **state)
{
	struct metrics *second = metrics;

	assert_int_equal(metrics_start(&opt, &second), -EADDRINUSE);
	assert_null(second);
	assert_has(http_answer(http_send("GET /metrics")), "farmem_server_up 1");
}

static void without_an_address_nothing_starts(void **state)
{
	const struct options none = { .control = fake.path };
	struct metrics *second = metrics;

	assert_int_equal(metrics_start(&none, &second), 0);
	assert_null(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_farmemd_says_is_a_metric, start, end),
		cmocka_unit_test_setup_teardown(a_head_has_no_body, start, end),
		cmocka_unit_test_setup_teardown(an_event_loop_that_refuses_is_not_up, start, end),
		cmocka_unit_test_setup_teardown(other_questions_are_refused, start, end),
		cmocka_unit_test_setup_teardown(a_question_does_not_outlive_its_connection, start, end),
		cmocka_unit_test_setup_teardown(an_address_that_is_taken_is_an_error, start, end),
		cmocka_unit_test_setup_teardown(without_an_address_nothing_starts, start, end),
	};

	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
