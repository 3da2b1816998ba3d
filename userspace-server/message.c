// SPDX-License-Identifier: GPL-2.0
/*
 * message.c - the protocol's bytes, parsed and built.
 *
 * Pure functions on buffers, no state, no I/O.  All bytes of a peer are checked here
 * first, and only sound messages are used.  Called by admit.c and dialog.c; unit tested and
 * fuzzed.
 */
#include <endian.h>
#include <string.h>

#include "message.h"

#define OPEN_FLAGS (FARMEM_OPEN_CREATE | FARMEM_OPEN_GENERATION | FARMEM_OPEN_CONTINUE)

/* All of @len bytes are 0. */
static bool message_is_zero(const void *data, size_t len)
{
	const unsigned char *byte = data;
	unsigned char any = 0;

	while (len--)
		any |= *byte++;
	return !any;
}

/* Names end up in logs. */
bool message_is_name(const char *name, size_t size)
{
	size_t len = strnlen(name, size);
	size_t i;

	if (len == size || !message_is_zero(name + len, size - len))
		return false;
	for (i = 0; i < len; i++)
		if (name[i] <= ' ' || name[i] > '~')
			return false;
	return true;
}

/* Any bytes, with a NUL at the end: format.c:format_name() prints them. */
static void message_copy_text(char *to, const char *from, size_t size)
{
	size_t len = strnlen(from, size - 1);

	memset(to, 0, size);
	memcpy(to, from, len);
}

enum farmem_reason message_parse_request(const void *data, size_t len, struct cm_request *out)
{
	struct farmem_cm_req req;
	uint16_t version;

	if (len < sizeof(req))
		return FARMEM_ERR_MALFORMED;
	memcpy(&req, data, sizeof(req));
	if (le32toh(req.magic) != FARMEM_MAGIC)
		return FARMEM_ERR_MALFORMED;
	version = le16toh(req.version);
	if (version != FARMEM_VERSION)
		return FARMEM_ERR_VERSION;

	out->wire = req;
	out->flags = le16toh(req.flags);
	out->incarnation = le64toh(req.incarnation);
	out->queue_index = le16toh(req.queue_index);
	out->queue_count = le16toh(req.queue_count);
	out->depth = le16toh(req.depth);
	memcpy(out->identity, req.identity, sizeof(out->identity));
	memcpy(out->token, req.token, sizeof(out->token));

	/* One flag at a time: a visitor takes no memory and fences no session. */
	if ((out->flags && out->flags != FARMEM_CM_TAKEOVER && out->flags != FARMEM_CM_VISIT) ||
	    req.reserved)
		return FARMEM_ERR_MALFORMED;
	if (!out->queue_count || out->queue_count > FARMEM_QUEUES_MAX ||
	    out->queue_index >= out->queue_count)
		return FARMEM_ERR_MALFORMED;
	if (!out->depth || message_is_zero(out->identity, sizeof(out->identity)))
		return FARMEM_ERR_MALFORMED;
	if (!out->queue_index != message_is_zero(out->token, sizeof(out->token)))
		return FARMEM_ERR_MALFORMED;
	return FARMEM_OK;
}

static enum farmem_reason message_parse_hello(const void *data, size_t len, struct message *out)
{
	struct farmem_hello hello;

	if (len != sizeof(hello))
		return FARMEM_ERR_MALFORMED;
	memcpy(&hello, data, sizeof(hello));
	if (!message_is_name(hello.name, sizeof(hello.name)) || !hello.name[0])
		return FARMEM_ERR_MALFORMED;
	if (hello.reserved)
		return FARMEM_ERR_MALFORMED;
	out->hello.wire = hello;
	memcpy(out->hello.name, hello.name, sizeof(out->hello.name));
	out->hello.incarnation = le64toh(hello.incarnation);
	return FARMEM_OK;
}

static enum farmem_reason message_parse_open(const void *data, size_t len, struct message *out)
{
	struct farmem_open open;

	if (len != sizeof(open))
		return FARMEM_ERR_MALFORMED;
	memcpy(&open, data, sizeof(open));
	memcpy(out->open.uuid, open.uuid, sizeof(out->open.uuid));
	message_copy_text(out->open.name, open.name, sizeof(out->open.name));
	out->open.capacity = le64toh(open.capacity);
	out->open.generation = le64toh(open.generation);
	out->open.flags = le32toh(open.flags);

	if (message_is_zero(open.uuid, sizeof(open.uuid)))
		return FARMEM_ERR_MALFORMED;
	if (out->open.capacity > FARMEM_CAPACITY_MAX || out->open.capacity % FARMEM_PAGE_SIZE)
		return FARMEM_ERR_MALFORMED;
	if (out->open.flags & ~OPEN_FLAGS || open.reserved)
		return FARMEM_ERR_MALFORMED;
	return FARMEM_OK;
}

static enum farmem_reason message_parse_ref(const void *data, size_t len, struct message *out)
{
	struct farmem_volume_ref ref;

	if (len != sizeof(ref))
		return FARMEM_ERR_MALFORMED;
	memcpy(&ref, data, sizeof(ref));
	if (message_is_zero(ref.uuid, sizeof(ref.uuid)))
		return FARMEM_ERR_MALFORMED;
	memcpy(out->ref.uuid, ref.uuid, sizeof(out->ref.uuid));
	return FARMEM_OK;
}

enum farmem_reason message_parse(const void *data, size_t len, struct message *out)
{
	struct farmem_msg msg;

	if (len < sizeof(msg) || len > FARMEM_MSG_MAX)
		return FARMEM_ERR_MALFORMED;
	memcpy(&msg, data, sizeof(msg));
	if (le32toh(msg.magic) != FARMEM_MAGIC || le32toh(msg.length) != len)
		return FARMEM_ERR_MALFORMED;
	if (le16toh(msg.version) != FARMEM_VERSION)
		return FARMEM_ERR_VERSION;
	out->type = le16toh(msg.type);
	out->id = le32toh(msg.id);
	switch (out->type) {
	case FARMEM_MSG_HELLO:
		return message_parse_hello(data, len, out);
	case FARMEM_MSG_OPEN:
		return message_parse_open(data, len, out);
	case FARMEM_MSG_CLOSE:
	case FARMEM_MSG_RELEASE:
		return message_parse_ref(data, len, out);
	default:
		return FARMEM_ERR_MALFORMED;
	}
}

static struct farmem_msg message_header(enum farmem_msg_type type, uint32_t id, size_t len)
{
	return (struct farmem_msg) {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.type = htole16(type),
		.length = htole32(len),
		.id = htole32(id),
	};
}

/* @to is zeroed already and stays NUL-terminated. */
static void message_put_detail(char *to, size_t size, const char *detail)
{
	if (detail)
		memcpy(to, detail, strnlen(detail, size - 1));
}

void message_build_rep(struct farmem_cm_rep *out, uint16_t queue_count,
		       const uint8_t token[FARMEM_ID_LEN], uint64_t generation,
		       const uint8_t challenge[FARMEM_AUTH_LEN],
		       const uint8_t server[FARMEM_ID_LEN])
{
	memset(out, 0, sizeof(*out));
	out->magic = htole32(FARMEM_MAGIC);
	out->version = htole16(FARMEM_VERSION);
	out->queue_count = htole16(queue_count);
	memcpy(out->token, token, sizeof(out->token));
	out->generation = htole64(generation);
	memcpy(out->challenge, challenge, sizeof(out->challenge));
	memcpy(out->server, server, sizeof(out->server));
}

void message_build_rej(struct farmem_cm_rej *out, enum farmem_reason reason, const char *detail)
{
	memset(out, 0, sizeof(*out));
	out->magic = htole32(FARMEM_MAGIC);
	out->version = htole16(FARMEM_VERSION);
	out->reason = htole16(reason);
	message_put_detail(out->detail, sizeof(out->detail), detail);
}

size_t message_build_welcome(void *out, uint32_t id, enum farmem_reason reason,
			     const struct message_welcome *welcome, const char *detail)
{
	struct farmem_welcome msg = {
		.msg = message_header(FARMEM_MSG_WELCOME, id, sizeof(msg)),
		.reason = htole16(reason),
		.lease = htole32(welcome->lease),
		.generation = htole64(welcome->generation),
		.slab_size = htole64(welcome->slab_size),
		.capacity = htole64(welcome->capacity),
		.free = htole64(welcome->free),
		.status_addr = htole64(welcome->status_addr),
		.status_rkey = htole32(welcome->status_rkey),
		.beat_rkey = htole32(welcome->beat_rkey),
		.beat_addr = htole64(welcome->beat_addr),
	};

	message_put_detail(msg.detail, sizeof(msg.detail), detail);
	memcpy(out, &msg, sizeof(msg));
	return sizeof(msg);
}

size_t message_build_working(void *out, uint32_t id)
{
	struct farmem_msg msg = message_header(FARMEM_MSG_WORKING, id, sizeof(msg));

	memcpy(out, &msg, sizeof(msg));
	return sizeof(msg);
}

size_t message_build_done(void *out, enum farmem_msg_type type, uint32_t id,
			  const uint8_t *uuid, enum farmem_reason reason)
{
	struct farmem_done msg = {
		.msg = message_header(type, id, sizeof(msg)),
		.reason = htole16(reason),
	};

	if (uuid)
		memcpy(msg.uuid, uuid, sizeof(msg.uuid));
	memcpy(out, &msg, sizeof(msg));
	return sizeof(msg);
}

size_t message_build_refusal(void *out, uint32_t id, const uint8_t *uuid,
			     enum farmem_reason reason, const char *detail)
{
	struct farmem_grant msg = {
		.msg = message_header(FARMEM_MSG_GRANT, id, sizeof(msg)),
		.reason = htole16(reason),
		.parts = htole16(1),
	};

	memcpy(msg.uuid, uuid, sizeof(msg.uuid));
	message_put_detail(msg.detail, sizeof(msg.detail), detail);
	memcpy(out, &msg, sizeof(msg));
	return sizeof(msg);
}

uint16_t message_grant_parts(size_t regions)
{
	size_t parts = (regions + FARMEM_GRANT_REGIONS - 1) / FARMEM_GRANT_REGIONS;

	return parts <= UINT16_MAX ? parts : 0;
}

static void message_put_region(void *out, const struct message_region *region)
{
	struct farmem_region wire = {
		.addr = htole64(region->addr),
		.meta_addr = htole64(region->meta_addr),
		.rkey = htole32(region->rkey),
		.meta_rkey = htole32(region->meta_rkey),
		.first_slab = htole32(region->first_slab),
		.slab_count = htole32(region->slab_count),
	};

	memcpy(out, &wire, sizeof(wire));
}

size_t message_build_grant(void *out, uint32_t id, const struct message_grant *grant,
			   const struct message_region *region, size_t regions, uint16_t part)
{
	size_t first = part * FARMEM_GRANT_REGIONS;
	size_t count = regions - first;
	struct farmem_grant msg;
	size_t len, i;

	if (count > FARMEM_GRANT_REGIONS)
		count = FARMEM_GRANT_REGIONS;
	len = sizeof(msg) + count * sizeof(struct farmem_region);
	msg = (struct farmem_grant) {
		.msg = message_header(FARMEM_MSG_GRANT, id, len),
		.reason = htole16(FARMEM_OK),
		.part = htole16(part),
		.parts = htole16(message_grant_parts(regions)),
		.region_count = htole16(count),
		.generation = htole64(grant->generation),
		.capacity = htole64(grant->slabs * grant->slab_size),
		.slab_size = htole64(grant->slab_size),
		.slabs = htole32(grant->slabs),
		.flags = htole32(grant->flags),
	};
	memcpy(msg.uuid, grant->uuid, sizeof(msg.uuid));
	memcpy(out, &msg, sizeof(msg));
	for (i = 0; i < count; i++)
		message_put_region((char *)out + sizeof(msg) + i * sizeof(struct farmem_region),
				   &region[first + i]);
	return len;
}
