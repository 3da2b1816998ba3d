// SPDX-License-Identifier: GPL-2.0
/*
 * test_directory.c - what agents write to etcd, and what stands there
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "agent/base64.h"
#include "agent/directory.h"
#include "agent/etcd.h"

static void base64_of_every_length(void **state)
{
	static const char *const pairs[][2] = {
		{ "", "" }, { "k", "aw==" }, { "ke", "a2U=" }, { "key", "a2V5" }, { "key1", "a2V5MQ==" },
		{ "key12", "a2V5MTI=" }, { "key123", "a2V5MTIz" },
	};
	size_t i, length;
	char *text;

	for (i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		text = base64_encode(pairs[i][0], i);
		assert_string_equal(text, pairs[i][1]);
		free(text);
		text = base64_decode(pairs[i][1], &length);
		assert_int_equal(length, i);
		assert_string_equal(text, pairs[i][0]);
		free(text);
	}
}

static void no_base64(void **state)
{
	static const char *const texts[] = {
		"Z", "Zg", "Zg=", "====", "Z===", "Zg==Zg==", "Zm=v", " Zg==", "Zg== ", "Zm9v\n", "Zm9\n", "Zm9v----", "Zm9-", "Z!9v", "\xc3\xa4\xc3\xa4",
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (base64_decode(texts[i], NULL))
			fail_msg("'%s' was taken", texts[i]);
}

static void a_server_is_read_as_it_was_written(void **state)
{
	const struct directory_server server = {
		.uuid = "u", .host = "h\xc3\xb6st", .domain = "rack \"1\"", .addresses = "10.0.0.1:7471 [fd00::1]:7471",
		.slab_size = 1ull << 30, .release = "0.2.0",
	};
	char *text = directory_server_text(&server);
	struct directory_server read;

	assert_true(directory_server_read(&read, "u", text));
	assert_string_equal(read.uuid, "u");
	assert_string_equal(read.host, server.host);
	assert_string_equal(read.domain, server.domain);
	assert_string_equal(read.addresses, server.addresses);
	assert_int_equal(read.slab_size, server.slab_size);
	assert_string_equal(read.release, server.release);
	directory_server_free(&read);
	free(text);
}

static void a_load_is_read_as_it_was_written(void **state)
{
	const struct directory_load load = { .size = 1ull << 46, .free = 5, .lent = 6, .wanted = 7, .cordoned = true };
	char *text = directory_load_text(&load);
	struct directory_load read;

	assert_true(directory_load_read(&read, text));
	assert_int_equal(read.size, load.size);
	assert_int_equal(read.free, load.free);
	assert_int_equal(read.lent, load.lent);
	assert_int_equal(read.wanted, load.wanted);
	assert_true(read.cordoned);
	free(text);
	/* An older agent's. */
	assert_true(directory_load_read(&read, "{\"size\":8,\"free\":5,\"cordoned\":false}"));
	assert_int_equal(read.lent, 3);
	assert_int_equal(read.wanted, 0);
}

/* A node that is taken over writes what it likes to its own keys. */
static void lies_are_not_read(void **state)
{
	static const char *const servers[] = {
		"", "null", "[]", "{}", "{\"host\":\"h\"}",
		"{\"host\":\"h\",\"domain\":\"d\",\"addresses\":\"10.0.0.1:1\",\"slab_size\":1,\"release\":\"r\"}",
		"{\"host\":\"h\",\"domain\":\"d\",\"addresses\":[],\"slab_size\":1,\"release\":\"r\"}",
		"{\"host\":\"h\",\"domain\":\"d\",\"addresses\":[\"a b\"],\"slab_size\":1,\"release\":\"r\"}",
		"{\"host\":\"h\",\"domain\":\"d\",\"addresses\":[\"a\",\"\"],\"slab_size\":1,\"release\":\"r\"}",
		"{\"host\":\"h\",\"domain\":\"d\",\"addresses\":[\"a\",1],\"slab_size\":1,\"release\":\"r\"}",
		"{\"host\":\"h\",\"domain\":\"d\",\"addresses\":[\"a\"],\"slab_size\":0,\"release\":\"r\"}",
		"{\"host\":\"h\",\"domain\":\"d\",\"addresses\":[\"a\"],\"slab_size\":-1,\"release\":\"r\"}",
		"{\"host\":1,\"domain\":\"d\",\"addresses\":[\"a\"],\"slab_size\":1,\"release\":\"r\"}",
	};
	static const char *const loads[] = {
		"", "{}", "{\"size\":1,\"free\":2,\"cordoned\":false}", "{\"size\":-1,\"free\":-2,\"cordoned\":false}",
		"{\"size\":1,\"free\":-1,\"cordoned\":false}", "{\"size\":1,\"free\":1,\"cordoned\":1}",
		"{\"size\":\"1\",\"free\":1,\"cordoned\":true}",
		"{\"size\":1,\"free\":1,\"lent\":2,\"cordoned\":true}",
		"{\"size\":1,\"free\":1,\"wanted\":2,\"cordoned\":true}",
		"{\"size\":1,\"free\":1,\"wanted\":-1,\"cordoned\":true}",
	};
	struct directory_server server;
	struct directory_load load;
	size_t i;

	for (i = 0; i < sizeof(servers) / sizeof(*servers); i++) {
		if (directory_server_read(&server, "u", servers[i]))
			fail_msg("'%s' was taken", servers[i]);
		directory_server_free(&server);
	}
	for (i = 0; i < sizeof(loads) / sizeof(*loads); i++)
		if (directory_load_read(&load, loads[i]))
			fail_msg("'%s' was taken", loads[i]);
}

static void note(void *data, const char *key, const char *value)
{
	char *text = data;

	sprintf(text + strlen(text), "%s=%s ", key, value);
}

static void keys_of_an_answer(void **state)
{
	/* a=b; an empty value; a key with a byte that is 0; no base64; no key; ab=b. */
	json_t *answer = json_loads("{\"kvs\":[{\"key\":\"YQ==\",\"value\":\"Yg==\"},{\"key\":\"Yw==\"},"
				    "{\"key\":\"YQBi\",\"value\":\"Yg==\"},{\"key\":\"!\",\"value\":\"Yg==\"},"
				    "{\"value\":\"Yg==\"},7,{\"key\":\"YWI=\",\"value\":\"Yg==\"}]}", 0, NULL);
	char text[64] = "";

	assert_non_null(answer);
	etcd_each(answer, "", note, text);
	assert_string_equal(text, "a=b c= ab=b ");
	*text = '\0';
	etcd_each(answer, "a", note, text);
	assert_string_equal(text, "b=b ");
	*text = '\0';
	etcd_each(answer, "b", note, text);
	assert_string_equal(text, "");
	*text = '\0';
	/* Longer than each key. */
	etcd_each(answer, "a/long/prefix", note, text);
	assert_string_equal(text, "");
	json_decref(answer);
	etcd_each(NULL, "", note, text);
	assert_string_equal(text, "");
}

static void a_range_is_a_prefix(void **state)
{
	json_t *body = etcd_range("/farmem/1/load/");
	char *end = base64_decode(json_string_value(json_object_get(body, "range_end")), NULL);

	assert_string_equal(end, "/farmem/1/load0");
	free(end);
	json_decref(body);
}

/* Only as it was read: another node may have written it since. */
static void a_transaction_compares(void **state)
{
	json_t *body = etcd_put_if("k", "v", 1ll << 40), *compare, *put;
	char *text = base64_decode("aw==", NULL);

	assert_string_equal(text, "k");
	free(text);
	compare = json_array_get(json_object_get(body, "compare"), 0);
	put = json_object_get(json_array_get(json_object_get(body, "success"), 0), "request_put");
	assert_string_equal(json_string_value(json_object_get(compare, "key")), "aw==");
	assert_string_equal(json_string_value(json_object_get(compare, "target")), "MOD");
	assert_string_equal(json_string_value(json_object_get(compare, "result")), "EQUAL");
	assert_string_equal(json_string_value(json_object_get(compare, "mod_revision")), "1099511627776");
	assert_string_equal(json_string_value(json_object_get(put, "key")), "aw==");
	assert_string_equal(json_string_value(json_object_get(put, "value")), "dg==");
	json_decref(body);
}

static void numbers_of_64_bits(void **state)
{
	json_t *answer = json_pack("{s:s, s:i}", "ID", "7587883424297857552", "TTL", 5);

	assert_int_equal(etcd_number(answer, "ID"), 7587883424297857552);
	assert_int_equal(etcd_number(answer, "TTL"), 0);
	assert_int_equal(etcd_number(answer, "none"), 0);
	assert_int_equal(etcd_number(NULL, "none"), 0);
	json_decref(answer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base64_of_every_length),
		cmocka_unit_test(no_base64),
		cmocka_unit_test(a_server_is_read_as_it_was_written),
		cmocka_unit_test(a_load_is_read_as_it_was_written),
		cmocka_unit_test(lies_are_not_read),
		cmocka_unit_test(keys_of_an_answer),
		cmocka_unit_test(a_range_is_a_prefix),
		cmocka_unit_test(a_transaction_compares),
		cmocka_unit_test(numbers_of_64_bits),
	};

	return cmocka_run_group_tests_name("directory", tests, NULL, NULL);
}
