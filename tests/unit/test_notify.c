// SPDX-License-Identifier: GPL-2.0
/*
 * test_notify.c - a systemd that does not listen holds nobody up, and waits for a large pool
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "notify.h"
#include "prefault.h"
#include "stubs.h"

#define MANY	100000	/* more than any queue has room for */

/* A socket of that name, '@' for an abstract one; nobody reads it. */
static int listen_at(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	strcpy(at.sun_path, path);
	if (*path == '@')
		at.sun_path[0] = '\0';
	assert_int_equal(bind(fd, (struct sockaddr *)&at,
			      offsetof(struct sockaddr_un, sun_path) + strlen(path)), 0);
	setenv("NOTIFY_SOCKET", path, 1);
	return fd;
}

static void expect_heard(int fd, const char *text)
{
	char heard[64] = "";

	assert_true(recv(fd, heard, sizeof(heard) - 1, MSG_DONTWAIT) > 0);
	assert_string_equal(heard, text);
}

static void a_full_queue_is_not_waited_for(void **state)
{
	char path[64];
	int fd, i;

	snprintf(path, sizeof(path), "@farmem-test-%d", (int)getpid());
	fd = listen_at(path);
	alarm(60);
	assert_int_equal(notify_send("STATUS=first"), 0);
	for (i = 0; i < MANY && !notify_send("STATUS=more"); i++)
		;
	assert_true(i < MANY);
	assert_int_equal(notify_send("STATUS=more"), -EAGAIN);
	alarm(0);
	expect_heard(fd, "STATUS=first");
	assert_int_equal(notify_send("STATUS=last"), 0);
	close(fd);
}

static void a_socket_of_a_path_hears(void **state)
{
	char path[] = "/tmp/farmem-test-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	unlink(path);
	fd = listen_at(path);
	assert_int_equal(notify_send("STOPPING=1"), 0);
	expect_heard(fd, "STOPPING=1");
	close(fd);
	assert_int_equal(notify_send("STOPPING=1"), -ECONNREFUSED);
	unlink(path);
}

static void without_systemd_there_is_nothing_to_say(void **state)
{
	unsetenv("NOTIFY_SOCKET");
	assert_int_equal(notify_send("STATUS=x"), 0);
	setenv("NOTIFY_SOCKET", "vsock:2:1234", 1);
	assert_int_equal(notify_send("STATUS=x"), -EAFNOSUPPORT);
	unsetenv("NOTIFY_SOCKET");
}

#define STEP	(256ull << 20)	/* prefault.c's */

int __real_spread(unsigned int count, int (*run)(void *data, unsigned int i), void *data);
int __wrap_spread(unsigned int count, int (*run)(void *data, unsigned int i), void *data);

static unsigned int pieces;

int __wrap_spread(unsigned int count, int (*run)(void *data, unsigned int i), void *data)
{
	pieces = count;
	return __real_spread(count, run, data);
}

/* Whatever comes first, as several threads say it. */
static void a_start_that_takes_long_is_given_time(void **state)
{
	static const char *const done[] = { "STATUS=Taking memory: 33 %",
		"STATUS=Taking memory: 66 %", "STATUS=Taking memory: 100 %" };
	/* Pages that are only read are one page of zeros. */
	uint8_t *base = mmap(NULL, 3 * STEP, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char path[64], heard[128];
	bool said[3] = {};
	unsigned int i, step;
	ssize_t len;
	int fd;

	assert_true(base != MAP_FAILED);
	snprintf(path, sizeof(path), "@farmem-test-%d", (int)getpid());
	fd = listen_at(path);
	assert_int_equal(prefault_now(base, 0, 2 * STEP + 4096, -1), 0);
	assert_int_equal(pieces, 3);
	for (i = 0; i < 3; i++) {
		len = recv(fd, heard, sizeof(heard) - 1, MSG_DONTWAIT);
		assert_true(len > 0);
		heard[len] = '\0';
		assert_non_null(strstr(heard, "EXTEND_TIMEOUT_USEC=60000000\n"));
		for (step = 0; step < 3; step++)
			said[step] |= !!strstr(heard, done[step]);
	}
	assert_true(said[0] && said[1] && said[2]);
	close(fd);
	munmap(base, 3 * STEP);
	unsetenv("NOTIFY_SOCKET");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_queue_is_not_waited_for),
		cmocka_unit_test(a_socket_of_a_path_hears),
		cmocka_unit_test(without_systemd_there_is_nothing_to_say),
		cmocka_unit_test(a_start_that_takes_long_is_given_time),
	};

	return cmocka_run_group_tests_name("notify", tests, NULL, NULL);
}
