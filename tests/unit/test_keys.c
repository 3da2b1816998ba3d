// SPDX-License-Identifier: GPL-2.0
/* test_keys.c - the file of keys: what is read, and what is refused, with its line */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keys.h"
#include "stubs.h"

#define SERVICE	990	/* a user and its group */

#define A	"00112233445566778899AABBCCDDEEFF"
#define B	"fedcba98765432100123456789abcdeffedcba98765432100123456789abcdef"
#define S	"5e5e5e5e-0000-4000-8000-0000000000aa"	/* a server's UUID */
#define T	"5e5e5e5e-0000-4000-8000-0000000000ab"	/* another's */

static const uint8_t server[FARMEM_ID_LEN] = {
	0x5e, 0x5e, 0x5e, 0x5e, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0xaa,
};

static char path[] = "/tmp/farmemd-test-keys";

static void put(const char *text, mode_t mode)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	chmod(path, mode);
}

/* Of whose file it is: NULL, a client's. */
static const uint8_t *whose;

static void expect_error(const char *text, const char *expected)
{
	struct key *keys;
	char error[512];

	put(text, 0600);
	assert_int_not_equal(keys_read(path, whose, &keys, error, sizeof(error)), 0);
	assert_null(keys);
	if (!strstr(error, expected))
		fail_msg("'%s' is not in '%s'", expected, error);
	if (strstr(error, "00112233") || strstr(error, "fedcba"))
		fail_msg("'%s' tells a key", error);
}

static void lines(void **state)
{
	const struct key *key;
	struct key *keys;
	char error[512];

	put("# comment " A "\n\n  \t\nnode1 " A "\n\tnode2\t" B "  \n#node3 " A "\nnode1 " B, 0400);
	assert_int_equal(keys_read(path, NULL, &keys, error, sizeof(error)), 0);
	key = keys_next(keys, "node1");
	assert_non_null(key);
	assert_int_equal(key->len, 16);
	assert_memory_equal(key->secret, "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff",
			    16);
	/* The last line needs no newline, and a name may have several keys. */
	key = keys_next(key->next, "node1");
	assert_non_null(key);
	assert_int_equal(key->len, 32);
	assert_null(keys_next(key->next, "node1"));
	assert_non_null(keys_next(keys, "node2"));
	assert_null(keys_next(keys, "node3"));
	assert_null(keys_next(keys, "node"));
	keys_free(keys);

	put("\xef\xbb\xbf" "node1 " A "\r\n", 0600);
	assert_int_equal(keys_read(path, NULL, &keys, error, sizeof(error)), 0);
	assert_non_null(keys_next(keys, "node1"));
	keys_free(keys);

	put("", 0600);
	assert_int_equal(keys_read(path, NULL, &keys, error, sizeof(error)), 0);
	assert_null(keys);
}

static void bad_lines(void **state)
{
	expect_error("node1 " A "\nnode2\n", "keys:2: write NAME KEY");
	expect_error("\n\nnode1 " A " more\n", "keys:3: write NAME KEY");
	expect_error("no\xc3\xb6" "de " A "\n", "keys:1: a client's name");
	expect_error("nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn " A "\n",
		     "keys:1: a client's name");
	expect_error("node1 00112233445566778899AABBCCDDEE\n", "keys:1: a key has");
	expect_error("node1 " A "0\n", "keys:1: a key has");
	expect_error("node1 " A "0g\n", "keys:1: a key has");
	expect_error("node1 " B B "00\n", "keys:1: a key has");
	expect_error("node1 00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff\n", "keys:1: a key has");
}

static void lines_of_a_server(void **state)
{
	const struct key *key;
	struct key *keys;
	char error[512];

	put("\xef\xbb\xbf" "node1 " S " " B "\n# node2 " A "\n\tnode3  5E5E5E5E-0000-4000-8000-0000000000AA\t" B, 0600);
	assert_int_equal(keys_read(path, server, &keys, error, sizeof(error)), 0);
	key = keys_next(keys, "node1");
	assert_non_null(key);
	assert_int_equal(key->len, FARMEM_AUTH_LEN);
	assert_memory_equal(key->secret, "\xfe\xdc\xba\x98", 4);
	assert_non_null(keys_next(keys, "node3"));
	assert_null(keys_next(keys, "node2"));
	keys_free(keys);
}

/* A key in the wrong place is named as that, with the way out. */
static void mixed_up_lines(void **state)
{
	whose = server;
	expect_error("node1 " S " " B "\nnode2 " B "\n",
		     "keys:2: this is the client's own key, which no server may have");
	expect_error("node2 " A "\n", "'farmemctl key derive node2 --key FILE --uuid " S "'");
	expect_error("node1 " T " " B "\n",
		     "keys:1: this key is for the server " T ", but this server is " S);
	expect_error("node1 " S " " A "\n", "keys:1: a server's key has 64 hexadecimal digits");
	expect_error("node1 " S " " B "00\n", "keys:1: a server's key has 64");
	expect_error("node1 " S "\n", "keys:1: write NAME UUID KEY");
	expect_error("node1\n", "keys:1: write NAME UUID KEY");
	expect_error("node1 " S " " B " more\n", "keys:1: write NAME UUID KEY");
	expect_error("node1 " A " " B "\n", "keys:1: write NAME UUID KEY");
	whose = NULL;
	expect_error("node1 " S " " B "\n", "keys:1: this line is for a server's file");
}

static void private_files_only(void **state)
{
	static const mode_t modes[] = { 0640, 0604, 0620, 0602, 0644 };
	struct key *keys;
	char error[512];
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		put("node1 " A "\n", modes[i]);
		assert_int_not_equal(keys_read(path, NULL, &keys, error, sizeof(error)), 0);
		assert_non_null(strstr(error, "chmod 600"));
	}
	assert_int_not_equal(keys_read("/nowhere/keys", NULL, &keys, error, sizeof(error)), 0);
	assert_non_null(strstr(error, "/nowhere/keys: No such file"));
	assert_int_not_equal(keys_read("/", NULL, &keys, error, sizeof(error)), 0);
	assert_non_null(strstr(error, "is not a regular file"));
}

/* Why service_reads() was false. */
static char refusal[512];

/* What a user of its own reads through its group; @mode and @group are the file's. */
static bool service_reads(mode_t mode, gid_t group)
{
	struct key *keys = NULL;
	int ret;

	put(whose ? "node1 " S " " B "\n" : "node1 " A "\n", mode);
	assert_int_equal(chown(path, 0, group), 0);
	assert_int_equal(setegid(SERVICE), 0);
	assert_int_equal(seteuid(SERVICE), 0);
	ret = keys_read(path, whose, &keys, refusal, sizeof(refusal));
	keys_free(keys);
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(setegid(0), 0);
	return !ret;
}

static void the_group_of_a_service_may_read(void **state)
{
	if (geteuid())
		skip();
	assert_true(service_reads(0640, SERVICE));
	assert_true(service_reads(0440, SERVICE));
	assert_false(service_reads(0660, SERVICE));
	assert_false(service_reads(0644, SERVICE));
	assert_false(service_reads(0600, SERVICE));
	assert_false(service_reads(0640, SERVICE + 1));
	/* Of root there is no group but itself. */
	assert_false(service_reads(0644, SERVICE + 1));
	/* A client's own key is for no group; what a service is to be given keeps it readable. */
	assert_false(service_reads(0600, SERVICE));
	assert_non_null(strstr(refusal, "run the command as root"));
	whose = server;
	assert_true(service_reads(0640, SERVICE));
	assert_false(service_reads(0600, SERVICE));
	assert_non_null(strstr(refusal, "its mode 640"));
	assert_false(service_reads(0644, SERVICE));
	assert_non_null(strstr(refusal, "chown root:farmem"));
	assert_non_null(strstr(refusal, "chmod 640"));
	whose = NULL;
}

static int clean(void **state)
{
	unlink(path);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(lines, clean),
		cmocka_unit_test_teardown(bad_lines, clean),
		cmocka_unit_test_teardown(lines_of_a_server, clean),
		cmocka_unit_test_teardown(mixed_up_lines, clean),
		cmocka_unit_test_teardown(private_files_only, clean),
		cmocka_unit_test_teardown(the_group_of_a_service_may_read, clean),
	};

	return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
