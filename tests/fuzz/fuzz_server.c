// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_server.c - farmemd's parsers (userspace-server/message.c), against any client.
 *
 * The first byte picks a connection request, a control message, or the plan of
 * a GRANT to build.  What was accepted must say again what was received: the
 * messages have but one spelling.
 */
#include <endian.h>

#include "fuzz.h"
#include "message.h"

static bool is_name(const char *name, size_t size)
{
	size_t len = strnlen(name, size);

	return len && is_printable(name, size) && !strchr(name, ' ') &&
	       all_zero(name + len, size - len);
}

static void request(const uint8_t *data, size_t len)
{
	struct farmem_cm_req again = {};
	enum farmem_reason reason;
	struct cm_request req;

	memset(&req, 0xaa, sizeof(req));
	reason = message_parse_request(data, len, &req);
	REQUIRE(reason == FARMEM_OK || reason == FARMEM_ERR_VERSION ||
		reason == FARMEM_ERR_MALFORMED);
	if (reason)
		return;
	REQUIRE(len >= sizeof(again));
	REQUIRE(req.queue_count >= 1 && req.queue_count <= FARMEM_QUEUES_MAX);
	REQUIRE(req.queue_index < req.queue_count);
	REQUIRE(req.depth);
	REQUIRE(!req.flags || req.flags == FARMEM_CM_TAKEOVER || req.flags == FARMEM_CM_VISIT);
	REQUIRE(!all_zero(req.identity, sizeof(req.identity)));
	REQUIRE(all_zero(req.token, sizeof(req.token)) == !req.queue_index);
	again.magic = htole32(FARMEM_MAGIC);
	again.version = htole16(FARMEM_VERSION);
	again.flags = htole16(req.flags);
	memcpy(again.identity, req.identity, sizeof(again.identity));
	again.incarnation = htole64(req.incarnation);
	again.queue_index = htole16(req.queue_index);
	again.queue_count = htole16(req.queue_count);
	again.depth = htole16(req.depth);
	memcpy(again.token, req.token, sizeof(again.token));
	REQUIRE(!memcmp(&again, data, sizeof(again)));
}

static struct farmem_msg head(const struct message *msg, size_t len)
{
	return (struct farmem_msg) {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.type = htole16(msg->type),
		.length = htole32(len),
		.id = htole32(msg->id),
	};
}

static void check_hello(const struct message *msg, const uint8_t *data, size_t len)
{
	struct farmem_hello again = { .msg = head(msg, sizeof(again)) };

	REQUIRE(len == sizeof(again));
	REQUIRE(is_name(msg->hello.name, sizeof(msg->hello.name)));
	memcpy(again.name, msg->hello.name, sizeof(again.name));
	again.incarnation = htole64(msg->hello.incarnation);
	/* Any bytes, which auth.c judges; and it judges HELLO as it was received. */
	memcpy(again.nonce, msg->hello.wire.nonce, sizeof(again.nonce));
	memcpy(again.proof, msg->hello.wire.proof, sizeof(again.proof));
	REQUIRE(!memcmp(&again, data, len));
	REQUIRE(!memcmp(&msg->hello.wire, data, len));
}

static void check_open(const struct message *msg, const uint8_t *data, size_t len)
{
	struct farmem_open again = { .msg = head(msg, sizeof(again)) };

	REQUIRE(len == sizeof(again));
	REQUIRE(strnlen(msg->open.name, sizeof(msg->open.name)) < sizeof(msg->open.name));
	REQUIRE(!all_zero(msg->open.uuid, FARMEM_ID_LEN));
	REQUIRE(msg->open.capacity <= FARMEM_CAPACITY_MAX);
	REQUIRE(!(msg->open.capacity % FARMEM_PAGE_SIZE));
	REQUIRE(!(msg->open.flags & ~7u));
	memcpy(again.uuid, msg->open.uuid, sizeof(again.uuid));
	/* For people: a longer one was cut. */
	memcpy(again.name, data + offsetof(struct farmem_open, name), sizeof(again.name));
	again.capacity = htole64(msg->open.capacity);
	again.generation = htole64(msg->open.generation);
	again.flags = htole32(msg->open.flags);
	REQUIRE(!memcmp(&again, data, len));
}

static void check_ref(const struct message *msg, const uint8_t *data, size_t len)
{
	struct farmem_volume_ref again = { .msg = head(msg, sizeof(again)) };

	REQUIRE(len == sizeof(again));
	REQUIRE(!all_zero(msg->ref.uuid, FARMEM_ID_LEN));
	memcpy(again.uuid, msg->ref.uuid, sizeof(again.uuid));
	REQUIRE(!memcmp(&again, data, len));
}

static void message(const uint8_t *data, size_t len)
{
	enum farmem_reason reason;
	struct message msg;

	memset(&msg, 0xaa, sizeof(msg));
	reason = message_parse(data, len, &msg);
	REQUIRE(reason == FARMEM_OK || reason == FARMEM_ERR_VERSION ||
		reason == FARMEM_ERR_MALFORMED);
	if (reason)
		return;
	switch (msg.type) {
	case FARMEM_MSG_HELLO:
		check_hello(&msg, data, len);
		break;
	case FARMEM_MSG_OPEN:
		check_open(&msg, data, len);
		break;
	case FARMEM_MSG_CLOSE:
	case FARMEM_MSG_RELEASE:
		check_ref(&msg, data, len);
		break;
	default:
		REQUIRE(!"a type that clients do not send");
	}
}

/* Whatever the regions: every one is told once, and no part is too long. */
static void build(struct input *in)
{
	size_t regions = 1 + take_word(in) % 1000, told = 0, i;
	struct message_region *region = calloc(regions, sizeof(*region));
	struct message_grant grant = {};
	uint16_t parts = message_grant_parts(regions), part;

	REQUIRE(region && parts);
	take(in, &grant, sizeof(grant));
	for (i = 0; i < regions; i++)
		take(in, &region[i], sizeof(*region));
	for (part = 0; part < parts; part++) {
		void *out = malloc(FARMEM_MSG_MAX);
		struct farmem_grant *msg = out;
		size_t len;

		REQUIRE(out);
		len = message_build_grant(out, 7, &grant, region, regions, part);
		REQUIRE(len <= FARMEM_MSG_MAX && len == le32toh(msg->msg.length));
		REQUIRE(len == sizeof(*msg) + le16toh(msg->region_count) * sizeof(*msg->region));
		REQUIRE(le16toh(msg->part) == part && le16toh(msg->parts) == parts);
		for (i = 0; i < le16toh(msg->region_count); i++, told++) {
			REQUIRE(told < regions);
			REQUIRE(le64toh(msg->region[i].addr) == region[told].addr);
			REQUIRE(le32toh(msg->region[i].slab_count) == region[told].slab_count);
		}
		free(out);
	}
	REQUIRE(told == regions);
	free(region);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .data = data, .left = size };
	uint8_t how = take_byte(&in);
	size_t len = in.left;
	uint8_t *copy;

	if (how % 3 == 2) {
		build(&in);
		return 0;
	}
	copy = take_copy(&in, &len);
	if (how % 3 == 1)
		message(copy, len);
	else
		request(copy, len);
	free(copy);
	return 0;
}
