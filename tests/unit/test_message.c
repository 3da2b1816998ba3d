// SPDX-License-Identifier: GPL-2.0
/* test_message.c - the parser refuses what it must, the builders fit it */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "auth-example.h"
#include "message.h"
#include "stubs.h"

static struct farmem_cm_req good_request(void)
{
	struct farmem_cm_req req = {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.incarnation = htole64(0x1122334455667788),
		.queue_count = htole16(4),
		.depth = htole16(128),
		.identity = "identity",
	};

	return req;
}

static enum farmem_reason parse_request(const struct farmem_cm_req *req)
{
	struct cm_request out;

	return message_parse_request(req, sizeof(*req), &out);
}

static void request_good(void **state)
{
	struct farmem_cm_req req = good_request();
	unsigned char padded[sizeof(req) + 36] = {};
	struct cm_request out;

	memcpy(padded, &req, sizeof(req));
	assert_int_equal(message_parse_request(padded, sizeof(padded), &out), FARMEM_OK);
	assert_true(out.incarnation == 0x1122334455667788);
	assert_int_equal(out.queue_count, 4);
	assert_int_equal(out.depth, 128);
	assert_memory_equal(out.identity, req.identity, FARMEM_ID_LEN);

	req.queue_index = htole16(3);
	req.token[5] = 1;
	req.flags = htole16(FARMEM_CM_TAKEOVER);
	assert_int_equal(message_parse_request(&req, sizeof(req), &out), FARMEM_OK);
	assert_int_equal(out.queue_index, 3);
	assert_int_equal(out.flags, FARMEM_CM_TAKEOVER);
	req.flags = htole16(FARMEM_CM_VISIT);
	assert_int_equal(message_parse_request(&req, sizeof(req), &out), FARMEM_OK);
	assert_int_equal(out.flags, FARMEM_CM_VISIT);
	assert_memory_equal(out.token, req.token, FARMEM_ID_LEN);
}

static void request_truncated(void **state)
{
	struct farmem_cm_req req = good_request();
	struct cm_request out;
	size_t len;

	for (len = 0; len < sizeof(req); len++) {
		/* On the heap, so that reading too far is noticed. */
		void *copy = malloc(len ? len : 1);

		memcpy(copy, &req, len);
		assert_int_equal(message_parse_request(copy, len, &out), FARMEM_ERR_MALFORMED);
		free(copy);
	}
}

#define REFUSES(make, parse, field, value, reason) do {			\
	__typeof__(make()) msg_ = make();				\
	msg_.field = value;						\
	assert_int_equal(parse(&msg_), reason);				\
} while (0)

static void request_fields(void **state)
{
	struct farmem_cm_req req = good_request();

	REFUSES(good_request, parse_request, magic, 0, FARMEM_ERR_MALFORMED);
	REFUSES(good_request, parse_request, version, 0, FARMEM_ERR_VERSION);
	REFUSES(good_request, parse_request, version, htole16(2), FARMEM_ERR_VERSION);
	REFUSES(good_request, parse_request, flags, htole16(3), FARMEM_ERR_MALFORMED);
	REFUSES(good_request, parse_request, flags, htole16(4), FARMEM_ERR_MALFORMED);
	REFUSES(good_request, parse_request, flags, htole16(0x8001), FARMEM_ERR_MALFORMED);
	REFUSES(good_request, parse_request, queue_count, 0, FARMEM_ERR_MALFORMED);
	REFUSES(good_request, parse_request, queue_count, htole16(1025), FARMEM_ERR_MALFORMED);
	REFUSES(good_request, parse_request, depth, 0, FARMEM_ERR_MALFORMED);
	REFUSES(good_request, parse_request, reserved, htole16(1), FARMEM_ERR_MALFORMED);
	REFUSES(good_request, parse_request, queue_count, htole16(1024), FARMEM_OK);
	/* Queue 0 has no token; the others must have one. */
	REFUSES(good_request, parse_request, token[15], 1, FARMEM_ERR_MALFORMED);
	REFUSES(good_request, parse_request, queue_index, htole16(1), FARMEM_ERR_MALFORMED);
	req.token[0] = 1;
	req.queue_index = htole16(4);
	assert_int_equal(parse_request(&req), FARMEM_ERR_MALFORMED);
	req = good_request();
	memset(req.identity, 0, sizeof(req.identity));
	assert_int_equal(parse_request(&req), FARMEM_ERR_MALFORMED);
}

static struct farmem_msg head(unsigned int type, size_t len)
{
	return (struct farmem_msg) {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.type = htole16(type),
		.length = htole32(len),
		.id = htole32(7),
	};
}

static struct farmem_hello good_hello(void)
{
	return (struct farmem_hello) {
		.msg = head(FARMEM_MSG_HELLO, sizeof(struct farmem_hello)),
		.name = "node-1.example",
		.incarnation = htole64(99),
	};
}

static struct farmem_open good_open(void)
{
	return (struct farmem_open) {
		.msg = head(FARMEM_MSG_OPEN, sizeof(struct farmem_open)),
		.uuid = { 1, 2, 3 },
		.name = "swap",
		.capacity = htole64(1 << 20),
		.flags = htole32(FARMEM_OPEN_CREATE),
	};
}

static struct farmem_volume_ref good_ref(void)
{
	return (struct farmem_volume_ref) {
		.msg = head(FARMEM_MSG_RELEASE, sizeof(struct farmem_volume_ref)),
		.uuid = { 9 },
	};
}

#define PARSER(name, type)						\
static enum farmem_reason name(const struct type *msg)			\
{									\
	struct message out;						\
									\
	return message_parse(msg, sizeof(*msg), &out);			\
}

PARSER(parse_hello, farmem_hello)
PARSER(parse_open, farmem_open)
PARSER(parse_ref, farmem_volume_ref)

static void messages_good(void **state)
{
	struct farmem_volume_ref ref = good_ref();
	struct farmem_hello hello = good_hello();
	struct farmem_open open = good_open();
	struct message out;

	assert_int_equal(message_parse(&hello, sizeof(hello), &out), FARMEM_OK);
	assert_int_equal(out.type, FARMEM_MSG_HELLO);
	assert_int_equal(out.id, 7);
	assert_string_equal(out.hello.name, "node-1.example");
	assert_int_equal(out.hello.incarnation, 99);

	assert_int_equal(message_parse(&open, sizeof(open), &out), FARMEM_OK);
	assert_int_equal(out.open.capacity, 1 << 20);
	assert_int_equal(out.open.flags, FARMEM_OPEN_CREATE);
	assert_string_equal(out.open.name, "swap");

	assert_int_equal(message_parse(&ref, sizeof(ref), &out), FARMEM_OK);
	assert_int_equal(out.type, FARMEM_MSG_RELEASE);
	assert_int_equal(out.ref.uuid[0], 9);
}

static void header_fields(void **state)
{
	REFUSES(good_ref, parse_ref, msg.magic, htole32(1), FARMEM_ERR_MALFORMED);
	REFUSES(good_ref, parse_ref, msg.version, htole16(2), FARMEM_ERR_VERSION);
	REFUSES(good_ref, parse_ref, msg.length, htole32(31), FARMEM_ERR_MALFORMED);
	REFUSES(good_ref, parse_ref, msg.length, htole32(UINT32_MAX), FARMEM_ERR_MALFORMED);
	REFUSES(good_ref, parse_ref, msg.type, 0, FARMEM_ERR_MALFORMED);
	/* What only a server says. */
	REFUSES(good_ref, parse_ref, msg.type, htole16(FARMEM_MSG_GRANT), FARMEM_ERR_MALFORMED);
	REFUSES(good_ref, parse_ref, msg.type, htole16(FARMEM_MSG_DONE), FARMEM_ERR_MALFORMED);
	REFUSES(good_ref, parse_ref, msg.type, htole16(UINT16_MAX), FARMEM_ERR_MALFORMED);
	/* The size of one type, the type of another. */
	REFUSES(good_ref, parse_ref, msg.type, htole16(FARMEM_MSG_HELLO), FARMEM_ERR_MALFORMED);
	REFUSES(good_ref, parse_ref, msg.type, htole16(FARMEM_MSG_OPEN), FARMEM_ERR_MALFORMED);
	REFUSES(good_open, parse_open, msg.type, htole16(FARMEM_MSG_CLOSE), FARMEM_ERR_MALFORMED);
}

static void hello_fields(void **state)
{
	struct farmem_hello hello = good_hello();

	REFUSES(good_hello, parse_hello, name[0], 0, FARMEM_ERR_MALFORMED);
	REFUSES(good_hello, parse_hello, name[1], ' ', FARMEM_ERR_MALFORMED);
	REFUSES(good_hello, parse_hello, name[1], '\n', FARMEM_ERR_MALFORMED);
	REFUSES(good_hello, parse_hello, name[1], '\x7f', FARMEM_ERR_MALFORMED);
	REFUSES(good_hello, parse_hello, name[1], '\xff', FARMEM_ERR_MALFORMED);
	REFUSES(good_hello, parse_hello, name[63], 'x', FARMEM_ERR_MALFORMED);
	REFUSES(good_hello, parse_hello, nonce[31], 1, FARMEM_OK);
	REFUSES(good_hello, parse_hello, proof[0], 1, FARMEM_OK);
	REFUSES(good_hello, parse_hello, reserved, htole64(1), FARMEM_ERR_MALFORMED);
	memset(hello.name, 'n', sizeof(hello.name));
	assert_int_equal(parse_hello(&hello), FARMEM_ERR_MALFORMED);
	hello.name[FARMEM_NAME_LEN - 1] = 0;
	assert_int_equal(parse_hello(&hello), FARMEM_OK);
}

static void open_fields(void **state)
{
	struct farmem_open open = good_open();

	REFUSES(good_open, parse_open, capacity, htole64(4095), FARMEM_ERR_MALFORMED);
	REFUSES(good_open, parse_open, capacity, htole64(FARMEM_CAPACITY_MAX + 4096),
		FARMEM_ERR_MALFORMED);
	REFUSES(good_open, parse_open, capacity, htole64(UINT64_MAX - 4095), FARMEM_ERR_MALFORMED);
	REFUSES(good_open, parse_open, capacity, htole64(FARMEM_CAPACITY_MAX), FARMEM_OK);
	REFUSES(good_open, parse_open, capacity, 0, FARMEM_OK);
	REFUSES(good_open, parse_open, flags, htole32(8), FARMEM_ERR_MALFORMED);
	REFUSES(good_open, parse_open, flags, htole32(0x80000000), FARMEM_ERR_MALFORMED);
	REFUSES(good_open, parse_open, reserved, htole32(1), FARMEM_ERR_MALFORMED);
	REFUSES(good_open, parse_open, name[0], 'a', FARMEM_OK);
	memset(open.uuid, 0, sizeof(open.uuid));
	assert_int_equal(parse_open(&open), FARMEM_ERR_MALFORMED);
}

/* A volume's name is never a reason to refuse, nor to print what it holds. */
static void open_names(void **state)
{
	static const char *const names[] = { "swap", "my disk", "d\xc3\xa9p\xc3\xb4t", "\033[2J", "" };
	struct farmem_open open = good_open();
	struct message out;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		memset(open.name, 0, sizeof(open.name));
		strcpy(open.name, names[i]);
		assert_int_equal(message_parse(&open, sizeof(open), &out), FARMEM_OK);
		assert_string_equal(out.open.name, names[i]);
	}
	memset(open.name, 'n', sizeof(open.name));
	assert_int_equal(message_parse(&open, sizeof(open), &out), FARMEM_OK);
	assert_int_equal(strlen(out.open.name), FARMEM_VOLUME_NAME_LEN - 1);
}

static void ref_fields(void **state)
{
	REFUSES(good_ref, parse_ref, uuid[0], 0, FARMEM_ERR_MALFORMED);
}

/* Every length but the right one is refused, and nothing is read beyond it. */
static void messages_cut(void **state)
{
	struct farmem_hello hello = good_hello();
	unsigned char big[FARMEM_MSG_MAX + 1] = {};
	struct message out;
	size_t len;

	for (len = 0; len <= sizeof(big); len++) {
		struct farmem_msg header = hello.msg;
		unsigned char *copy = malloc(len ? len : 1);

		header.length = htole32(len);
		memcpy(big, &hello, sizeof(hello));
		memcpy(big, &header, sizeof(header));
		memcpy(copy, big, len);
		assert_int_equal(message_parse(copy, len, &out),
				 len == sizeof(hello) ? FARMEM_OK : FARMEM_ERR_MALFORMED);
		free(copy);
	}
}

/* Damaged messages and plain noise: any verdict, no fault (the sanitizers watch). */
static void messages_fuzzed(void **state)
{
	struct farmem_hello hello = good_hello();
	struct farmem_open open = good_open();
	struct farmem_volume_ref ref = good_ref();
	const void *const seed[] = { &hello, &open, &ref };
	const size_t size[] = { sizeof(hello), sizeof(open), sizeof(ref) };
	struct message out;
	int round, i;

	srandom(1);
	for (round = 0; round < 200000; round++) {
		int which = random() % 3;
		unsigned char *copy = malloc(size[which]);

		memcpy(copy, seed[which], size[which]);
		for (i = random() % 4; i >= 0; i--)
			copy[random() % size[which]] ^= 1 << random() % 8;
		if (!message_parse(copy, size[which], &out) && out.type == FARMEM_MSG_HELLO)
			assert_in_range(strlen(out.hello.name), 1, FARMEM_NAME_LEN - 1);
		free(copy);
	}
}

static void answer_to_a_request(void **state)
{
	struct farmem_cm_rep expected = example_rep(), rep;

	message_build_rep(&rep, 4, expected.token, 0x1234, expected.challenge, expected.server);
	assert_memory_equal(&rep, &expected, sizeof(rep));
}

static void grant_in_parts(void **state)
{
	enum { REGIONS = 2 * FARMEM_GRANT_REGIONS + 1 };
	struct message_grant about = { .uuid = { 5 }, .generation = 77, .slab_size = 1 << 20,
				       .slabs = REGIONS, .flags = FARMEM_GRANT_NEW };
	static struct message_region region[REGIONS];
	unsigned char buffer[FARMEM_MSG_MAX];
	struct farmem_grant grant;
	struct farmem_region wire;
	unsigned int part, i, seen = 0;
	size_t len;

	for (i = 0; i < REGIONS; i++)
		region[i] = (struct message_region){ i * 100, i * 10, i + 1, i + 2, i, 1 };
	assert_int_equal(message_grant_parts(REGIONS), 3);
	for (part = 0; part < 3; part++) {
		len = message_build_grant(buffer, 42, &about, region, REGIONS, part);
		memcpy(&grant, buffer, sizeof(grant));
		assert_int_equal(le32toh(grant.msg.length), len);
		assert_int_equal(le16toh(grant.msg.type), FARMEM_MSG_GRANT);
		assert_int_equal(le32toh(grant.msg.id), 42);
		assert_int_equal(le16toh(grant.part), part);
		assert_int_equal(le16toh(grant.parts), 3);
		assert_int_equal(le64toh(grant.capacity), (uint64_t)REGIONS << 20);
		assert_int_equal(len, sizeof(grant) + le16toh(grant.region_count) * sizeof(wire));
		for (i = 0; i < le16toh(grant.region_count); i++, seen++) {
			memcpy(&wire, buffer + sizeof(grant) + i * sizeof(wire), sizeof(wire));
			assert_int_equal(le32toh(wire.first_slab), seen);
			assert_int_equal(le64toh(wire.addr), seen * 100);
			assert_int_equal(le32toh(wire.meta_rkey), seen + 2);
		}
	}
	assert_int_equal(seen, REGIONS);
	assert_true(len <= FARMEM_MSG_MAX);
}

static void grant_part_limits(void **state)
{
	assert_int_equal(message_grant_parts(1), 1);
	assert_int_equal(message_grant_parts(FARMEM_GRANT_REGIONS), 1);
	assert_int_equal(message_grant_parts(FARMEM_GRANT_REGIONS + 1), 2);
	assert_int_equal(message_grant_parts(UINT16_MAX * FARMEM_GRANT_REGIONS), UINT16_MAX);
	assert_int_equal(message_grant_parts(UINT16_MAX * FARMEM_GRANT_REGIONS + 1), 0);
}

static void details_are_cut(void **state)
{
	unsigned char buffer[FARMEM_MSG_MAX];
	struct farmem_grant grant;
	struct farmem_cm_rej rej;
	uint8_t uuid[FARMEM_ID_LEN] = { 1 };
	char text[300];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	message_build_rej(&rej, FARMEM_ERR_QUOTA, text);
	assert_int_equal(strnlen(rej.detail, sizeof(rej.detail)), sizeof(rej.detail) - 1);
	assert_int_equal(le16toh(rej.reason), FARMEM_ERR_QUOTA);
	assert_int_equal(message_build_refusal(buffer, 3, uuid, FARMEM_ERR_NO_SPACE, text),
			 sizeof(grant));
	memcpy(&grant, buffer, sizeof(grant));
	assert_int_equal(strnlen(grant.detail, sizeof(grant.detail)), sizeof(grant.detail) - 1);
	assert_int_equal(le16toh(grant.reason), FARMEM_ERR_NO_SPACE);
	assert_int_equal(le16toh(grant.parts), 1);
	assert_int_equal(le16toh(grant.region_count), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(request_good),
		cmocka_unit_test(request_truncated),
		cmocka_unit_test(request_fields),
		cmocka_unit_test(messages_good),
		cmocka_unit_test(header_fields),
		cmocka_unit_test(hello_fields),
		cmocka_unit_test(open_fields),
		cmocka_unit_test(open_names),
		cmocka_unit_test(ref_fields),
		cmocka_unit_test(messages_cut),
		cmocka_unit_test(messages_fuzzed),
		cmocka_unit_test(answer_to_a_request),
		cmocka_unit_test(grant_in_parts),
		cmocka_unit_test(grant_part_limits),
		cmocka_unit_test(details_are_cut),
	};

	return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
