// SPDX-License-Identifier: GPL-2.0
/* test_text.c - sizes, names and words that a user writes, and what is none */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "text.h"

static void expect_size(const char *text, u64 want)
{
	u64 size = 0;

	assert_int_equal(farmem_text_parse_size(text, &size), 0);
	assert_true(size == want);
}

static void expect_no_size(const char *text)
{
	u64 size = 7;

	assert_int_equal(farmem_text_parse_size(text, &size), -EINVAL);
	assert_true(size == 7);
}

static void test_checksums(void **state)
{
	bool on = true;

	assert_int_equal(farmem_text_parse_checksum("none\n", &on), 0);
	assert_false(on);
	assert_int_equal(farmem_text_parse_checksum("crc32c", &on), 0);
	assert_true(on);
	assert_int_equal(farmem_text_parse_checksum("crc32", &on), -EINVAL);
	assert_int_equal(farmem_text_parse_checksum("", &on), -EINVAL);
	assert_int_equal(farmem_text_parse_checksum("crc32c none", &on), -EINVAL);
	assert_true(on);
}

static void test_sizes(void **state)
{
	expect_size("1", 1);
	expect_size("4096\n", 4096);
	expect_size("4G", 4ull << 30);
	expect_size("512m\n", 512ull << 20);
	expect_size("15E", 15ull << 60);
	expect_size("4GiB", 4ull << 30);
	expect_size("4096B", 4096);
	expect_size("1.5G\n", 3ull << 29);
	expect_size("0.1M", 102400);
	expect_size("1.3MiB", 1363148 - 1363148 % 4096);
	expect_size("15.999999999E", (15ull << 60) + 1152921503453925471 - 1152921503453925471 % 4096);
	expect_size("18446744073709551615", UINT64_MAX);
}

static void test_no_sizes(void **state)
{
	expect_no_size("");
	expect_no_size("0");
	expect_no_size("0G");
	expect_no_size("G");
	expect_no_size("-1");
	expect_no_size(" 1G");
	expect_no_size("1.5");
	expect_no_size("1.");
	expect_no_size("1.G");
	expect_no_size(".5G");
	expect_no_size("1.5B");
	expect_no_size("0.0G");
	expect_no_size("1.0000000001G");
	expect_no_size("1GB");
	expect_no_size("1Gi");
	expect_no_size("1GiBs");
	expect_no_size("1G\n\n");
	expect_no_size("1G 2G");
}

static void expect_seconds(const char *text, unsigned int want, const char *again)
{
	char shown[FARMEM_SECONDS_LEN];
	unsigned int ms = 0;

	assert_int_equal(farmem_text_parse_seconds(text, &ms), 0);
	assert_int_equal(ms, want);
	assert_string_equal(farmem_text_of_seconds(shown, ms), again);
}

static void test_seconds(void **state)
{
	static const char *const wrong[] = {
		"", "-1", " 1", "1.", ".5", "1.2345", "1s", "1 2", "1e3", "0x10", "1.5\n\n",
		"4294967", "18446744073709551617",
	};
	unsigned int ms = 7, i;

	expect_seconds("0", 0, "0");
	expect_seconds("30\n", 30000, "30");
	expect_seconds("100", 100000, "100");
	expect_seconds("0.5", 500, "0.5");
	expect_seconds("1.050\n", 1050, "1.05");
	expect_seconds("0.001", 1, "0.001");
	expect_seconds("4294966.999", 4294966999, "4294966.999");
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(farmem_text_parse_seconds(wrong[i], &ms), -EINVAL);
	assert_int_equal(ms, 7);
}

static void test_too_large(void **state)
{
	expect_no_size("16E");
	expect_no_size("18446744073709551616");
	expect_no_size("18446744073709551615K");
	expect_no_size("1111111111111111111111111111111111111111");
}

static void test_names(void **state)
{
	assert_true(farmem_text_name_valid("node-1.example"));
	assert_false(farmem_text_name_valid(""));
	assert_false(farmem_text_name_valid(".hidden"));
	assert_false(farmem_text_name_valid("a/b"));
	assert_false(farmem_text_name_valid("a b"));
	assert_false(farmem_text_name_valid("a\nb"));
	assert_false(farmem_text_name_valid("a\x1b[1m"));
	assert_false(farmem_text_name_valid("caf\xc3\xa9"));
}

static void test_words(void **state)
{
	char to[8] = "before";

	assert_int_equal(farmem_text_copy_word(to, sizeof(to), "1234567\n", 8), 0);
	assert_string_equal(to, "1234567");
	assert_int_equal(farmem_text_copy_word(to, sizeof(to), "12345678", 8), -ENAMETOOLONG);
	assert_int_equal(farmem_text_copy_word(to, sizeof(to), "a b", 3), -EINVAL);
	assert_string_equal(to, "1234567");
	assert_int_equal(farmem_text_copy_word(to, sizeof(to), "\n", 1), 0);
	assert_string_equal(to, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_checksums),
		cmocka_unit_test(test_no_sizes),
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests_name("kernel_text", tests, NULL, NULL);
}
