// SPDX-License-Identifier: GPL-2.0
/* test_parse.c - sizes, numbers, addresses, UUIDs */
#include <errno.h>
#include <string.h>

#include "format.h"
#include "parse.h"
#include "size.h"
#include "stubs.h"

static void sizes(void **state)
{
	static const char *const bad[] = {
		"", "G", "-1", "+1", " 1", "1 ", "1GB", "1Gi", "0x10", "1X", "1KK", "4 G",
		"1.5", "1.G", ".5G", "1..5G", "1.5.5G", "1,5G", "1.5B", "1.-5G", "1e9", "G1",
	};
	char text[SIZE_TEXT];
	uint64_t size;
	size_t i;

	assert_int_equal(size_parse("0", &size), 0);
	assert_int_equal(size_parse("512", &size), 0);
	assert_true(size == 512);
	assert_int_equal(size_parse("4G", &size), 0);
	assert_true(size == 4ull << 30);
	assert_int_equal(size_parse("3k", &size), 0);
	assert_true(size == 3072);
	assert_int_equal(size_parse("4GiB", &size), 0);
	assert_true(size == 4ull << 30);
	assert_int_equal(size_parse("1.5G", &size), 0);
	assert_true(size == 3ull << 29);
	assert_int_equal(size_parse("0.25TiB", &size), 0);
	assert_true(size == 1ull << 38);
	assert_int_equal(size_parse("1.0K", &size), 0);
	assert_true(size == 1024);
	/* Whole pages. */
	assert_int_equal(size_parse("1.3G", &size), 0);
	assert_true(size == 1395863552 && size % 4096 == 0);
	assert_int_equal(size_parse("15.9999999E", &size), 0);
	assert_int_equal(size_parse("16.1E", &size), -ERANGE);
	assert_int_equal(size_parse("1.99999999999999999999G", &size), -ERANGE);
	assert_int_equal(size_parse("16T", &size), 0);
	assert_true(size == 16ull << 40);
	assert_int_equal(size_parse("18446744073709551615", &size), 0);
	assert_int_equal(size_parse("18446744073709551616", &size), -ERANGE);
	assert_int_equal(size_parse("16777216T", &size), -ERANGE);
	assert_int_equal(size_parse("99999999999999999999999", &size), -ERANGE);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(size_parse(bad[i], &size), -EINVAL);

	assert_string_equal(format_size(0, text), "0");
	assert_string_equal(format_size(1536, text), "1536");
	assert_string_equal(format_size(1024, text), "1K");
	assert_string_equal(format_size(4ull << 30, text), "4G");
	assert_string_equal(format_size(48ull << 20, text), "48M");
	assert_string_equal(format_size(2048ull << 40, text), "2048T");
}

static void numbers(void **state)
{
	uint64_t number;

	assert_int_equal(parse_number("7", 1, 8, &number), 0);
	assert_int_equal(number, 7);
	assert_int_equal(parse_number("8", 1, 8, &number), 0);
	assert_int_equal(parse_number("9", 1, 8, &number), -ERANGE);
	assert_int_equal(parse_number("0", 1, 8, &number), -ERANGE);
	assert_int_equal(parse_number("7x", 1, 8, &number), -EINVAL);
	assert_int_equal(parse_number("-7", 1, 8, &number), -EINVAL);
	assert_int_equal(parse_number("", 0, 8, &number), -EINVAL);
}

static void seconds(void **state)
{
	static const char *const wrong[] = { "", ".5", "1.", "1.2345", "-1", "1s", "0x1", "9999999999" };
	uint64_t ms = 7;
	size_t i;

	assert_int_equal(parse_seconds("30", &ms), 0);
	assert_int_equal(ms, 30000);
	assert_int_equal(parse_seconds("0.5", &ms), 0);
	assert_int_equal(ms, 500);
	assert_int_equal(parse_seconds("1.005", &ms), 0);
	assert_int_equal(ms, 1005);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(parse_seconds(wrong[i], &ms), -EINVAL);
}

static void expect_address(const char *text, const char *expected)
{
	struct sockaddr_storage addr;
	char again[ADDRESS_TEXT];

	if (parse_address(text, 7471, &addr))
		fail_msg("'%s' was refused", text);
	assert_string_equal(format_address((struct sockaddr *)&addr, again), expected);
}

static void addresses(void **state)
{
	static const char *const bad[] = {
		"", ":7471", "10.0.0.1:", "10.0.0.1:0", "10.0.0.1:65536", "10.0.0.1:http",
		"10.0.0", "10.0.0.256", "example.com", "[fd00::1", "[fd00::1]7471", "[fd00::1]:",
		"[]", "fd00::zz", "10.0.0.1:1:2", "10.0.0.1 ", "[fd00::1]:-1",
		"1111111111111111111111111111111111111111111111111111111111111111111111111111111",
	};
	struct sockaddr_storage addr;
	size_t i;

	expect_address("10.0.0.1", "10.0.0.1:7471");
	expect_address("10.0.0.1:8000", "10.0.0.1:8000");
	expect_address("[fd00::1]:8000", "[fd00::1]:8000");
	expect_address("[fd00::1]", "[fd00::1]:7471");
	expect_address("fd00::1", "[fd00::1]:7471");
	expect_address("[::]", "[::]:7471");
	expect_address("[10.0.0.1]:8000", "10.0.0.1:8000");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!parse_address(bad[i], 7471, &addr))
			fail_msg("'%s' was accepted", bad[i]);
}

static void uuids(void **state)
{
	static const char text[] = "00112233-4455-6677-8899-aabbccddeeff";
	uint8_t uuid[16];
	char again[UUID_TEXT];

	assert_int_equal(parse_uuid(text, uuid), 0);
	assert_string_equal(format_uuid(uuid, again), text);
	assert_int_equal(parse_uuid("00112233445566778899AABBCCDDEEFF", uuid), 0);
	assert_string_equal(format_uuid(uuid, again), text);
	assert_int_equal(parse_uuid("", uuid), -EINVAL);
	assert_int_equal(parse_uuid("00112233-4455-6677-8899-aabbccddeef", uuid), -EINVAL);
	assert_int_equal(parse_uuid("00112233-4455-6677-8899-aabbccddeeff0", uuid), -EINVAL);
	assert_int_equal(parse_uuid("0-0112233445566778899aabbccddeeff", uuid), -EINVAL);
	assert_int_equal(parse_uuid("g0112233445566778899aabbccddeeff", uuid), -EINVAL);
}

/* Two that differ look different, and none controls a terminal. */
static void names(void **state)
{
	char text[NAME_TEXT], longest[FARMEM_VOLUME_NAME_LEN];

	assert_string_equal(format_name("swap", text), "swap");
	assert_string_equal(format_name("", text), "");
	assert_string_equal(format_name("d\xc3\xa9p\xc3\xb4t", text), "d\\xc3\\xa9p\\xc3\\xb4t");
	assert_string_equal(format_name("my disk\033[2J\x7f", text), "my\\x20disk\\x1b[2J\\x7f");
	assert_string_equal(format_name("\n", text), "\\x0a");
	assert_string_equal(format_name("\\x0a", text), "\\x5cx0a");
	memset(longest, 0xff, sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(strlen(format_name(longest, text)), 4 * (sizeof(longest) - 1));
}

static bool same(const char *a, const char *b)
{
	struct sockaddr_storage left, right;

	assert_int_equal(parse_address(a, 1, &left), 0);
	assert_int_equal(parse_address(b, 2, &right), 0);
	return same_host((struct sockaddr *)&left, (struct sockaddr *)&right);
}

static void hosts(void **state)
{
	struct sockaddr_storage addr;
	char text[ADDRESS_TEXT];

	assert_true(same("10.0.0.1", "10.0.0.1:99"));
	assert_false(same("10.0.0.1", "10.0.0.2"));
	assert_true(same("fd00::1", "[fd00::1]:99"));
	assert_false(same("fd00::1", "fd00::2"));
	assert_false(same("::", "0.0.0.0"));
	assert_int_equal(parse_address("[fd00::1]:99", 1, &addr), 0);
	assert_string_equal(format_host((struct sockaddr *)&addr, text), "fd00::1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(numbers),
		cmocka_unit_test(seconds),
		cmocka_unit_test(addresses),
		cmocka_unit_test(uuids),
		cmocka_unit_test(names),
		cmocka_unit_test(hosts),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
