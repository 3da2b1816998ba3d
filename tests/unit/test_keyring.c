// SPDX-License-Identifier: GPL-2.0
/* test_keyring.c - which keys hold when their file changes, and what is said of it */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"
#include "keyring.h"
#include "keys.h"
#include "session.h"
#include "stubs.h"

#define A	"00000000-0000-0000-0000-000000000000 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static char path[64], log_path[64];
static struct server server;

static void put(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	chmod(path, 0600);
}

static int start(void **state)
{
	snprintf(path, sizeof(path), "/tmp/farmem-unit-keys-%d", getpid());
	snprintf(log_path, sizeof(log_path), "/tmp/farmem-unit-log-%d", getpid());
	stub_server(&server, 8, 1 << 20);
	server.opt.keys = strdup(path);
	put("node " A "\n");
	return keyring_read(&server);
}

static int end(void **state)
{
	unlink(path);
	unlink(log_path);
	keys_free(server.keys);
	stub_server_free(&server);
	return 0;
}

static int reloaded;

/* What is logged of the file as it is now. */
static const char *reload(void)
{
	static char text[1024];
	int err = dup(STDERR_FILENO);
	int log = open(log_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	ssize_t len;

	assert_true(err >= 0 && log >= 0);
	dup2(log, STDERR_FILENO);
	reloaded = keyring_reload(&server);
	dup2(err, STDERR_FILENO);
	len = pread(log, text, sizeof(text) - 1, 0);
	assert_true(len > 0);
	text[len] = '\0';
	close(log);
	close(err);
	return text;
}

static void the_file_is_read_again(void **state)
{
	put("other " A "\n");
	assert_non_null(strstr(reload(), "keys: 1 in "));
	assert_int_equal(reloaded, 0);
	assert_null(keys_next(server.keys, "node"));
	assert_non_null(keys_next(server.keys, "other"));
}

static void with_an_error_the_former_hold(void **state)
{
	put("other " A "\nnode xyz\n");
	assert_non_null(strstr(reload(), "keys: the former keys stay in force"));
	assert_int_equal(reloaded, -EINVAL);
	assert_non_null(keys_next(server.keys, "node"));
	assert_null(keys_next(server.keys, "other"));
}

static void an_empty_file_takes_no_key_away(void **state)
{
	put("# node " A "\n");
	assert_non_null(strstr(reload(), "has no key"));
	assert_non_null(keys_next(server.keys, "node"));
}

/* Which cannot be told from the number of keys. */
static void who_has_none_any_more_is_named(void **state)
{
	struct session gone = { .state = SESSION_LIVE }, free = { .state = SESSION_LIVE };
	struct session stranger = { .state = SESSION_NEW };
	const char *said;

	server.opt.insecure = true;
	gone.client = stub_client(&server, "node");
	strcpy(gone.auth.said.hello.name, "node");
	free.client = stub_client(&server, "free");
	strcpy(free.auth.said.hello.name, "free");
	LIST_INSERT_HEAD(&server.sessions, &gone, link);
	LIST_INSERT_HEAD(&server.sessions, &free, link);
	LIST_INSERT_HEAD(&server.sessions, &stranger, link);
	said = reload();
	assert_non_null(strstr(said, "(node): its session goes on without a key from the key file"));
	assert_non_null(strstr(said, "farmemctl server disconnect --client node'"));
	assert_null(strstr(said, "(free)"));
	LIST_INIT(&server.sessions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_file_is_read_again, start, end),
		cmocka_unit_test_setup_teardown(with_an_error_the_former_hold, start, end),
		cmocka_unit_test_setup_teardown(an_empty_file_takes_no_key_away, start, end),
		cmocka_unit_test_setup_teardown(who_has_none_any_more_is_named, start, end),
	};

	return cmocka_run_group_tests_name("keyring", tests, NULL, NULL);
}
