// SPDX-License-Identifier: GPL-2.0
/* test_log.c - lines that others can cause are counted, and none waits */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "stubs.h"

static int saved_stderr;

/* stderr becomes a pipe; returns the end to read from. */
static int take_stderr(void)
{
	int fd[2];

	saved_stderr = dup(STDERR_FILENO);
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	dup2(fd[1], STDERR_FILENO);
	close(fd[1]);
	return fd[0];
}

static void give_stderr_back(int fd)
{
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	close(fd);
}

static size_t read_text(int fd, char *text, size_t size)
{
	ssize_t len = read(fd, text, size - 1);

	assert_true(len >= 0);
	text[len] = 0;
	return len;
}

static void ten_in_five_seconds(void **state)
{
	struct log_limit limit = { .what = "knocks" };
	char text[256];
	int fd, i;

	fd = take_stderr();
	for (i = 0; i < 10; i++)
		assert_true(log_limit(&limit, 100));
	for (i = 0; i < 7; i++)
		assert_false(log_limit(&limit, 104));
	log_limit_report(&limit, 104);
	log_limit_report(&limit, 105);
	log_limit_report(&limit, 111);
	read_text(fd, text, sizeof(text));
	give_stderr_back(fd);
	assert_string_equal(text, "7 more knocks\n");
	assert_true(log_limit(&limit, 111));
}

static void a_full_pipe_holds_nobody_up(void **state)
{
	static char text[1 << 21];
	int fd, i;

	fd = take_stderr();
	/* 2 MB, more than any pipe has by default. */
	for (i = 0; i < 4000; i++)
		log_warn("%0500d", i);
	while (read_text(fd, text, sizeof(text)) == sizeof(text) - 1)
		;
	log_warn("heard again");
	read_text(fd, text, sizeof(text));
	give_stderr_back(fd);
	assert_non_null(strstr(text, " lines lost: no program read the log\nheard again\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_in_five_seconds),
		cmocka_unit_test(a_full_pipe_holds_nobody_up),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
