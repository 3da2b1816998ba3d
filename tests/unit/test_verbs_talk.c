// SPDX-License-Identifier: GPL-2.0
/* test_verbs_talk.c - the control connection: lines, however they come, and what is no line */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verbs/talk.h"
#include "verbs/trouble.h"

#include <cmocka.h>

static struct talk here;
static int there;

static int connect_both(void **state)
{
	int pair[2];

	(void)state;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return -1;
	here = (struct talk) { .fd = pair[0], .timeout = 1 };
	there = pair[1];
	return 0;
}

static int close_both(void **state)
{
	(void)state;
	talk_close(&here);
	close(there);
	return 0;
}

static void say(const char *text)
{
	assert_int_equal(write(there, text, strlen(text)), strlen(text));
}

static void lines(void **state)
{
	char got[16] = "";

	(void)state;
	assert_false(talk_pending(&here));
	say("one\ntw");
	assert_true(talk_pending(&here));
	assert_string_equal(talk_receive(&here), "one");
	say("o\n\nthree 3\n");
	assert_string_equal(talk_receive(&here), "two");
	assert_string_equal(talk_receive(&here), "");
	assert_string_equal(talk_expect(&here, "three"), "3");
	say("go\n");
	assert_string_equal(talk_expect(&here, "go"), "");
	assert_int_equal(talk_send(&here, "round %d", 7), 0);
	assert_int_equal(read(there, got, sizeof(got)), 8);
	assert_string_equal(got, "round 7\n");
}

static void others(void **state)
{
	(void)state;
	say("gone\nok\n");
	assert_null(talk_expect(&here, "go"));
	assert_string_equal(talk_receive(&here), "ok");
}

/* A stranger's bytes may end up on a terminal. */
static void printable(void **state)
{
	(void)state;
	say("a\033[2J\x80z\n");
	assert_string_equal(talk_receive(&here), "a?[2J?z");
}

static void last_words(void **state)
{
	(void)state;
	assert_false(talk_ended(&here));
	say("memory 1\n");
	assert_false(talk_ended(&here));
	assert_string_equal(talk_receive(&here), "memory 1");
	say("failed no such device\n");
	assert_true(talk_ended(&here));
	assert_null(talk_receive(&here));
}

/* What came with the line before it has been read, and nobody was told. */
static void last_words_at_once(void **state)
{
	(void)state;
	say("go\nfailed all");
	assert_string_equal(talk_receive(&here), "go");
	assert_true(talk_ended(&here));
}

/* The peer has said it and goes; what was read with the line before it is its last word still. */
static void last_words_and_gone(void **state)
{
	(void)state;
	say("go\nfailed all\n");
	shutdown(there, SHUT_RDWR);
	assert_string_equal(talk_receive(&here), "go");
	assert_true(talk_ended(&here));
	assert_null(talk_receive(&here));
}

static void line_and_gone(void **state)
{
	(void)state;
	say("go\nmemory 1\n");
	shutdown(there, SHUT_RDWR);
	assert_string_equal(talk_receive(&here), "go");
	assert_false(talk_ended(&here));
	assert_string_equal(talk_receive(&here), "memory 1");
	assert_true(talk_ended(&here));
}

static void last_words_in_parts(void **state)
{
	(void)state;
	say("go\nfa");
	assert_string_equal(talk_receive(&here), "go");
	assert_false(talk_ended(&here));
	say("iled no such device\n");
	assert_true(talk_ended(&here));
}

static void refusals(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	say("refused rxe9 does not support atomics\n");
	assert_true(talk_ended(&here));
	/* Trouble is once in the life of a program. */
	pid = fork();
	if (!pid)
		_exit(talk_receive(&here) ? 99 : trouble_exit(-1));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), RC_REFUSED);
}

static void given_up(void **state)
{
	char got[64] = "";
	pid_t pid;

	(void)state;
	pid = fork();
	if (!pid) {
		trouble_refuse("no atomics");
		_exit(talk_give_up(&here));
	}
	waitpid(pid, NULL, 0);
	assert_int_equal(read(there, got, sizeof(got)), strlen("refused no atomics\n"));
	assert_string_equal(got, "refused no atomics\n");
	pid = fork();
	if (!pid) {
		trouble("no power");
		_exit(talk_give_up(&here));
	}
	waitpid(pid, NULL, 0);
	memset(got, 0, sizeof(got));
	assert_int_equal(read(there, got, sizeof(got)), strlen("failed no power\n"));
	assert_string_equal(got, "failed no power\n");
}

/* A peer that cannot be told any more may have said why. */
static void cut_off(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	say("memory 1\nfailed all\n");
	close(there);
	there = -1;
	pid = fork();
	if (!pid)
		_exit(!talk_send(&here, "port") || strcmp(trouble_first(), "the other end: all"));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* Of what takes as long as it takes the time is not looked at. */
static void patience(void **state)
{
	(void)state;
	here.timeout = 0;
	say("done\n");
	assert_string_equal(talk_await_word(&here, "done"), "");
	say("on\n");
	assert_null(talk_receive(&here));
	assert_string_equal(talk_await(&here), "on");
	shutdown(there, SHUT_RDWR);
	assert_null(talk_await(&here));
}

/* Where IPv6 is off. */
static bool six_is_off;
int __real_socket(int family, int type, int protocol);
int __wrap_socket(int family, int type, int protocol);

int __wrap_socket(int family, int type, int protocol)
{
	if (!six_is_off || family != AF_INET6)
		return __real_socket(family, type, protocol);
	errno = EAFNOSUPPORT;
	return -1;
}

static void without_six(void **state)
{
	struct sockaddr_in own = { 0 };
	socklen_t size = sizeof(own);
	int fd;

	(void)state;
	six_is_off = true;
	fd = talk_listen(NULL, 0);
	assert_true(fd >= 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&own, &size), 0);
	assert_int_equal(own.sin_family, AF_INET);
	close(fd);
	assert_int_equal(talk_listen("::1", 0), -1);
	six_is_off = false;
}

static void gone(void **state)
{
	(void)state;
	say("half a li");
	shutdown(there, SHUT_RDWR);
	assert_null(talk_receive(&here));
	assert_true(talk_ended(&here));
	assert_int_equal(talk_send(&here, "hello"), -1);
}

static void silent(void **state)
{
	(void)state;
	assert_null(talk_receive(&here));
}

static void endless(void **state)
{
	char text[TALK_LINE + 1];

	(void)state;
	memset(text, 'x', TALK_LINE);
	text[TALK_LINE] = '\0';
	say(text);
	assert_null(talk_receive(&here));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, connect_both, close_both)

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* Before there was any trouble: the first of a program decides. */
		TEST(refusals), TEST(given_up), TEST(cut_off),
		TEST(lines), TEST(others), TEST(printable), TEST(last_words),
		TEST(last_words_at_once), TEST(last_words_and_gone), TEST(line_and_gone),
		TEST(last_words_in_parts), TEST(patience), TEST(without_six), TEST(gone), TEST(silent),
		TEST(endless),
	};

	return cmocka_run_group_tests_name("verbs_talk", tests, NULL, NULL);
}
