// SPDX-License-Identifier: GPL-2.0
/* test_options.c - the command line and farmemd.conf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command-line.h"
#include "config.h"
#include "options.h"
#include "parse.h"
#include "stubs.h"

long __real_sysconf(int name);
long __wrap_sysconf(int name);

/* Of the kernel's pages; 0: as they are. */
static long page_size;

long __wrap_sysconf(int name)
{
	return name == _SC_PAGESIZE && page_size ? page_size : __real_sysconf(name);
}

#define PARSE(opt, ...) parse(opt, (char *[]){ "farmemd", __VA_ARGS__, NULL })

/* Error messages go to stderr; the tests' own output shall stay readable. */
static enum command_line_action parse(struct options *opt, char **argv)
{
	enum command_line_action action;
	int saved = dup(STDERR_FILENO);
	int argc = 0;

	while (argv[argc])
		argc++;
	optind = 1;
	assert_non_null(freopen("/dev/null", "w", stderr));
	action = command_line_parse(opt, argc, argv);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	return action;
}

static void expect(enum command_line_action expected, char *key, char *value)
{
	struct options opt;

	assert_int_equal(PARSE(&opt, "--insecure", "--size", "1G", key, value), expected);
	options_free(&opt);
}

static void command_line(void **state)
{
	struct options opt;

	assert_int_equal(PARSE(&opt, "--size", "4G", "--slab-size=1M", "--listen", "10.0.0.1:1",
			       "--listen", "[fd00::1]", "--lease", "60", "--quota", "1G",
			       "--hugepages", "2M", "--max-clients", "3",
			       "--max-queues", "9", "--control", "/tmp/x", "--insecure"),
			 COMMAND_LINE_RUN);
	assert_true(opt.size == 4ull << 30);
	assert_true(opt.slab_size == 1 << 20);
	assert_int_equal(opt.listen_count, 2);
	assert_int_equal(opt.lease, 60);
	assert_true(opt.quota == 1 << 30);
	assert_true(opt.hugepage_size == 2 << 20);
	assert_int_equal(opt.max_clients, 3);
	assert_int_equal(opt.max_queues, 9);
	assert_string_equal(opt.control, "/tmp/x");
	assert_true(opt.insecure);
	assert_false(opt.check);
	options_free(&opt);
}

/* What is free above the first size may go back to the machine. */
static void two_sizes(void **state)
{
	struct options opt;

	assert_int_equal(PARSE(&opt, "--size", "100M..1G", "--headroom", "2G", "--insecure"), COMMAND_LINE_RUN);
	assert_true(opt.size == 1 << 30);
	/* In whole slabs. */
	assert_true(opt.size - opt.spare == 96 << 20);
	assert_true(opt.headroom == 2ull << 30);
	options_free(&opt);
	assert_int_equal(PARSE(&opt, "--size", "1G..4G", "--size", "1G", "--insecure"), COMMAND_LINE_RUN);
	assert_true(opt.size == 1 << 30);
	assert_true(!opt.spare);
	options_free(&opt);
	assert_int_equal(PARSE(&opt, "--size", "0M..1G", "--insecure"), COMMAND_LINE_RUN);
	assert_true(opt.spare == 1 << 30);
	options_free(&opt);
	expect(COMMAND_LINE_EXIT_USAGE, "--size", "2G..1G");
	expect(COMMAND_LINE_EXIT_USAGE, "--size", "1G..");
	expect(COMMAND_LINE_EXIT_USAGE, "--size", "..1G");
	expect(COMMAND_LINE_EXIT_USAGE, "--size", "1G...4G");
	expect(COMMAND_LINE_EXIT_USAGE, "--headroom", "1G");	/* of what stays taken */
	/* Slabs come and go in whole huge pages. */
	assert_int_equal(PARSE(&opt, "--size", "1G..4G", "--hugepages", "2M", "--slab-size", "2M", "--insecure"),
			 COMMAND_LINE_RUN);
	options_free(&opt);
	assert_int_equal(PARSE(&opt, "--size", "1G..4G", "--hugepages", "2M", "--slab-size", "1M", "--insecure"),
			 COMMAND_LINE_EXIT_USAGE);
	options_free(&opt);
}

/* A file of a pool is memory, and has the pages of its file system. */
static void pool_files(void **state)
{
	struct options opt;

	expect(COMMAND_LINE_EXIT_USAGE, "--pool", "/proc/farmem");
	expect(COMMAND_LINE_EXIT_USAGE, "--pool", "/nowhere/farmem");
	expect(COMMAND_LINE_RUN, "--pool", "/dev/shm/farmem");
	assert_int_equal(PARSE(&opt, "--size", "1G", "--pool", "/dev/shm/farmem",
			       "--hugepages", "2M"), COMMAND_LINE_EXIT_USAGE);
	options_free(&opt);
}

/* On a kernel whose pages are of 64 KiB, say: what is small there is no huge page. */
static void a_page_of_tmpfs_is_no_huge_page(void **state)
{
	struct options opt;

	page_size = 65536;
	assert_int_equal(PARSE(&opt, "--size", "1G", "--pool", "/dev/shm/farmem", "--insecure"),
			 COMMAND_LINE_RUN);
	assert_int_equal(opt.hugepage_size, 0);
	options_free(&opt);
	page_size = 0;
}

static void metrics_are_local_unless_told(void **state)
{
	char text[ADDRESS_TEXT];
	struct options opt;

	assert_int_equal(PARSE(&opt, "--size", "1G", "--insecure"), COMMAND_LINE_RUN);
	assert_int_equal(opt.metrics.ss_family, AF_UNSPEC);
	options_free(&opt);
	assert_int_equal(PARSE(&opt, "--size", "1G", "--insecure", "--metrics", "9471"),
			 COMMAND_LINE_RUN);
	assert_string_equal(format_address((struct sockaddr *)&opt.metrics, text), "127.0.0.1:9471");
	options_free(&opt);
	assert_int_equal(PARSE(&opt, "--size", "1G", "--insecure", "--metrics", "[fd00::1]:80"),
			 COMMAND_LINE_RUN);
	assert_string_equal(format_address((struct sockaddr *)&opt.metrics, text), "[fd00::1]:80");
	options_free(&opt);
	expect(COMMAND_LINE_RUN, "--metrics", "[2001:db8:1111:2222:5054:ff:fe12:3456]:9471");
	expect(COMMAND_LINE_EXIT_USAGE, "--metrics", "10.0.0.1");
	expect(COMMAND_LINE_EXIT_USAGE, "--metrics", "0");
	expect(COMMAND_LINE_EXIT_USAGE, "--metrics", "65536");
	expect(COMMAND_LINE_EXIT_USAGE, "--metrics", "");
	expect(COMMAND_LINE_EXIT_USAGE, "--metrics", "localhost:9471");
}

static void bad_values(void **state)
{
	struct options opt;

	expect(COMMAND_LINE_EXIT_USAGE, "--slab-size", "3M");
	expect(COMMAND_LINE_EXIT_USAGE, "--slab-size", "512K");
	expect(COMMAND_LINE_EXIT_USAGE, "--slab-size", "2G");
	expect(COMMAND_LINE_EXIT_USAGE, "--hugepages", "4M");
	expect(COMMAND_LINE_EXIT_USAGE, "--max-queues", "0");
	expect(COMMAND_LINE_EXIT_USAGE, "--max-queues", "1025");
	expect(COMMAND_LINE_EXIT_USAGE, "--max-clients", "0");
	/* Its pages come from where the process may take them: numactl(8). */
	expect(COMMAND_LINE_EXIT_USAGE, "--numa-node", "1");
	expect(COMMAND_LINE_EXIT_USAGE, "--uuid", "5e5e5e5e");
	expect(COMMAND_LINE_EXIT_USAGE, "--uuid", "00000000-0000-0000-0000-000000000000");
	expect(COMMAND_LINE_RUN, "--uuid", "5e5e5e5e-0000-4000-8000-0000000000aa");
	expect(COMMAND_LINE_EXIT_USAGE, "--listen", "nowhere");
	expect(COMMAND_LINE_EXIT_USAGE, "--size", "8M");	/* less than a slab */
	expect(COMMAND_LINE_EXIT_USAGE, "--size", "65T");
	expect(COMMAND_LINE_EXIT_USAGE, "--nonsense", "1");
	expect(COMMAND_LINE_EXIT_USAGE, "stray", "1");
	assert_int_equal(PARSE(&opt, "--insecure"), COMMAND_LINE_EXIT_USAGE);	/* no size */
	options_free(&opt);
}

/* To lend memory to everybody has to be said. */
static void keys_or_insecure(void **state)
{
	struct options opt;

	assert_int_equal(PARSE(&opt, "--size", "1G"), COMMAND_LINE_EXIT_USAGE);
	options_free(&opt);
	assert_int_equal(PARSE(&opt, "--size", "1G", "--check"), COMMAND_LINE_RUN);
	options_free(&opt);
	assert_int_equal(PARSE(&opt, "--size", "1G", "--keys", "/k"), COMMAND_LINE_RUN);
	assert_string_equal(opt.keys, "/k");
	assert_false(opt.insecure);
	options_free(&opt);
}

static void size_is_whole_slabs(void **state)
{
	struct options opt;

	assert_int_equal(PARSE(&opt, "--insecure", "--size", "50M", "--slab-size", "16M"), COMMAND_LINE_RUN);
	assert_int_equal(opt.size, 48 << 20);
	options_free(&opt);
}

static void write_config(char path[], const char *text)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void config_file(void **state)
{
	char path[] = "/tmp/farmemd-test-XXXXXX";
	struct options opt;

	write_config(path, "\xef\xbb\xbf# a comment\n  \n\t# one that is indented\n[farmemd]\nsize = 2G\nlisten = 10.0.0.1\nlisten = 10.0.0.2:8\n"
		     "insecure = no\nkeys = /etc/farmem/keys\nlease=5\n[client node1]\nquota = 512M\nweight = 3\n[client node2]\nquota=1G\n[client node4]\nweight = 2\n");
	assert_int_equal(PARSE(&opt, "--config", path), COMMAND_LINE_RUN);
	assert_true(opt.size == 2ull << 30);
	assert_int_equal(opt.listen_count, 2);
	assert_int_equal(opt.lease, 5);
	assert_false(opt.insecure);
	assert_string_equal(opt.keys, "/etc/farmem/keys");
	assert_true(options_quota(&opt, "node1") == 512 << 20);
	assert_true(options_quota(&opt, "node2") == 1 << 30);
	assert_true(options_quota(&opt, "node3") == UINT64_MAX);
	assert_int_equal(options_weight(&opt, "node1"), 3);
	assert_int_equal(options_weight(&opt, "node3"), 1);
	/* Without a quota of its own it has the general one. */
	assert_int_equal(options_weight(&opt, "node4"), 2);
	assert_true(options_quota(&opt, "node4") == UINT64_MAX);
	opt.quota = 1 << 20;
	assert_true(options_quota(&opt, "node4") == 1 << 20);
	opt.quota = 0;
	options_free(&opt);
	unlink(path);
}

/* libinih reads 199 bytes of a line, then the rest as another; it keeps 49 of a section's name. */
static void config_of_long_lines(void **state)
{
	char path[] = "/tmp/farmemd-test-XXXXXX";
	char name[FARMEM_NAME_LEN], text[600];
	struct options opt;

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text), "size = 1G\n#%212s\n;%207s\n[client %s] ; one\nquota = 1G\n",
		 "insecure = yes", "quota = 1", name);
	write_config(path, text);
	options_defaults(&opt);
	assert_int_equal(config_read(&opt, path, text, sizeof(text)), 0);
	assert_false(opt.insecure);
	assert_true(options_quota(&opt, name) == 1 << 30);
	name[42] = '\0';
	assert_true(options_quota(&opt, name) == UINT64_MAX);
	options_free(&opt);
	unlink(path);
}

static void command_line_wins(void **state)
{
	char path[] = "/tmp/farmemd-test-XXXXXX";
	struct options opt;

	write_config(path, "size = 2G\ninsecure = yes\nlisten = 10.0.0.1\nlisten = 10.0.0.2\nquota = 1G\n");
	assert_int_equal(PARSE(&opt, "--size", "1G", "--listen", "10.0.0.9", "-c", path), COMMAND_LINE_RUN);
	assert_true(opt.size == 1 << 30);
	assert_int_equal(opt.listen_count, 1);
	assert_true(options_quota(&opt, "anyone") == 1 << 30);
	options_free(&opt);
	unlink(path);
}

static void expect_config_error(const char *text, const char *expected)
{
	char path[] = "/tmp/farmemd-test-XXXXXX";
	struct options opt;
	char error[256];

	write_config(path, text);
	options_defaults(&opt);
	if (!config_read(&opt, path, error, sizeof(error)))
		fail_msg("nothing is wrong, where '%s' should be", expected);
	if (!strstr(error, expected))
		fail_msg("'%s' is not in '%s'", expected, error);
	options_free(&opt);
	unlink(path);
}

static void config_errors(void **state)
{
	struct options opt;
	char error[256], *at;

	expect_config_error("size = 1G\nsiez = 2G\n", ":2: unknown key 'siez'");
	expect_config_error("\n\nsize = lots\n", ":3: size: 'lots'");
	expect_config_error("size = 1G\n[other]\nx = 1\n", ":2: unknown section; there are [farmemd]");
	expect_config_error("[client a]\nlease = 1\n", ":2: unknown key 'lease'");
	expect_config_error("[client a]\nquota = x\n", ":2: quota: 'x'");
	expect_config_error("[client ]\nquota = 1G\n", ":2:");
	/* No client can have these names. */
	expect_config_error("[client a ]\nquota = 1G\n", ":2: a client's name has 1 to 63 visible ASCII characters");
	expect_config_error("[client  a]\nquota = 1G\n", ":2: a client's name");
	expect_config_error("[client a b]\nquota = 1G\n", ":2: a client's name");
	expect_config_error("[client \xc3\xa4]\nquota = 1G\n", ":2: a client's name");
	expect_config_error("insecure = maybe\n", ":1: insecure: 'maybe'");
	expect_config_error("check = yes\n", ":1: 'check' is for the command line");
	expect_config_error("config = x\n", ":1: 'config' is for the command line");
	expect_config_error("size\n", ":1: not a section");
	/* libinih would take them for more of the line before. */
	expect_config_error("size = 1G\n  lease = 60\n", ":2: begins with a blank");
	expect_config_error("control = /tmp/x\n\tlease = 60\nbad = 1\n", ":2: begins with a blank");
	expect_config_error(" size = 1G\n", ":1: begins with a blank");
	expect_config_error("bad = 1G\n lease = 60\n", ":1: unknown key 'bad'");
	snprintf(error, sizeof(error), "size = 1G\ncontrol = %190s\n", "x");
	expect_config_error(error, ":2: is too long");
	expect_config_error("[client a]b]\nquota = 1G\n", ":1: has text after the ] that ends the section's name");
	expect_config_error("size = 1G\nlease = 1\nsize = 2G\n", ":3: 'size' is given a second time");
	expect_config_error("size = 1G\n[farmemd]\nsize = 1G\n", ":3: 'size' is given a second time");
	expect_config_error("[client a]\nquota = 1G\n[client b]\nquota = 1G\n[client a]\nquota = 2G\n",
			    ":6: 'quota' is given a second time");
	expect_config_error("size = 1\nbad = 1\nworse = 1\n", ":2: unknown key 'bad'");
	for (at = error; at < error + 17 * strlen("listen=::1\n"); at += strlen(at))
		strcpy(at, "listen=::1\n");
	expect_config_error(error, ":17: listen: '::1' is one too many");
	options_defaults(&opt);
	assert_int_not_equal(config_read(&opt, "/nonexistent", error, sizeof(error)), 0);
	assert_non_null(strstr(error, "/nonexistent: No such file"));
	options_free(&opt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_line),
		cmocka_unit_test(two_sizes),
		cmocka_unit_test(pool_files),
		cmocka_unit_test(a_page_of_tmpfs_is_no_huge_page),
		cmocka_unit_test(metrics_are_local_unless_told),
		cmocka_unit_test(bad_values),
		cmocka_unit_test(keys_or_insecure),
		cmocka_unit_test(size_is_whole_slabs),
		cmocka_unit_test(config_file),
		cmocka_unit_test(config_of_long_lines),
		cmocka_unit_test(command_line_wins),
		cmocka_unit_test(config_errors),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
