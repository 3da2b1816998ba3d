/* SPDX-License-Identifier: GPL-2.0 */
/* message.h - bytes from and to a peer; the only code that reads a peer's bytes */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"

/**
 * struct cm_request - a connection request, in host byte order and checked
 * @wire: all of the request, as received
 * @flags: 0, FARMEM_CM_TAKEOVER or FARMEM_CM_VISIT
 * @identity: of the client, not all zero
 * @incarnation: of the client's session, random
 * @queue_index: below @queue_count; 0 opens a session
 * @queue_count: queues that the client would like, 1..FARMEM_QUEUES_MAX
 * @depth: send queue depth of the client's queue pair in work requests, at least 1
 * @token: names the session; all zero for queue 0, and for that alone
 */
struct cm_request {
	struct farmem_cm_req wire;
	uint16_t flags;
	uint8_t identity[FARMEM_ID_LEN];
	uint64_t incarnation;
	uint16_t queue_index;
	uint16_t queue_count;
	uint16_t depth;
	uint8_t token[FARMEM_ID_LEN];
};

/**
 * struct message - a control message, in host byte order and checked
 * @type: FARMEM_MSG_HELLO, _OPEN, _CLOSE or _RELEASE
 * @id: to be repeated in the answer
 * @hello: of a FARMEM_MSG_HELLO: the client
 * @open: of a FARMEM_MSG_OPEN: the volume; @capacity in bytes
 * @ref: of a FARMEM_MSG_CLOSE or _RELEASE: the volume
 *
 * Names are NUL-terminated.  HELLO's is not empty, visible ASCII, and exactly what
 * was sent; OPEN's is any bytes, see format_name().  The proof in HELLO is over all
 * of it as received, which is @wire.
 */
struct message {
	enum farmem_msg_type type;
	uint32_t id;
	union {
		struct {
			struct farmem_hello wire;
			char name[FARMEM_NAME_LEN];
			uint64_t incarnation;
		} hello;
		struct {
			uint8_t uuid[FARMEM_ID_LEN];
			char name[FARMEM_VOLUME_NAME_LEN];
			uint64_t capacity;
			uint64_t generation;
			uint32_t flags;
		} open;
		struct {
			uint8_t uuid[FARMEM_ID_LEN];
		} ref;
	};
};

/**
 * message_is_name() - a name as messages carry them
 * @name: the field
 * @size: its bytes
 *
 * Return: true for visible ASCII with nothing but NULs behind it, at least one; true
 * for no character at all, too.
 */
bool message_is_name(const char *name, size_t size);

/**
 * message_parse_request() - check the private data of a connection request
 * @data: the bytes
 * @len: how many; transports may pad, so more than the struct are allowed
 * @out: result; garbage unless FARMEM_OK
 *
 * Return: FARMEM_OK, FARMEM_ERR_VERSION or FARMEM_ERR_MALFORMED.
 */
enum farmem_reason message_parse_request(const void *data, size_t len, struct cm_request *out);

/**
 * message_parse() - check a control message from a client
 * @data: the bytes, any alignment
 * @len: exactly what was received
 * @out: result; garbage unless FARMEM_OK, but for @type and @id, which are set
 *	if the header is sound
 *
 * Return: FARMEM_OK, FARMEM_ERR_VERSION or FARMEM_ERR_MALFORMED.
 */
enum farmem_reason message_parse(const void *data, size_t len, struct message *out);

/* The server, as WELCOME describes it. */
struct message_welcome {
	uint32_t lease;
	uint64_t generation;
	uint64_t slab_size;
	uint64_t capacity;
	uint64_t free;
	uint64_t status_addr;
	uint64_t beat_addr;
	uint32_t status_rkey;
	uint32_t beat_rkey;
};

/* What every part of a GRANT repeats. */
struct message_grant {
	uint8_t uuid[FARMEM_ID_LEN];
	uint64_t generation;
	uint64_t slab_size;
	uint32_t slabs;
	uint32_t flags;
};

/* One region of a GRANT, in host byte order. */
struct message_region {
	uint64_t addr;
	uint64_t meta_addr;
	uint32_t rkey;
	uint32_t meta_rkey;
	uint32_t first_slab;
	uint32_t slab_count;
};

/*
 * Builders: each fills @out, which has room for FARMEM_MSG_MAX bytes (or is the
 * struct), and returns the message's length.  @detail may be NULL and is cut to
 * the field.
 */
void message_build_rep(struct farmem_cm_rep *out, uint16_t queue_count,
		       const uint8_t token[FARMEM_ID_LEN], uint64_t generation,
		       const uint8_t challenge[FARMEM_AUTH_LEN],
		       const uint8_t server[FARMEM_ID_LEN]);
void message_build_rej(struct farmem_cm_rej *out, enum farmem_reason reason, const char *detail);
size_t message_build_welcome(void *out, uint32_t id, enum farmem_reason reason,
			     const struct message_welcome *welcome, const char *detail);
size_t message_build_working(void *out, uint32_t id);
size_t message_build_done(void *out, enum farmem_msg_type type, uint32_t id,
			  const uint8_t *uuid, enum farmem_reason reason);
size_t message_build_refusal(void *out, uint32_t id, const uint8_t *uuid,
			     enum farmem_reason reason, const char *detail);

/**
 * message_grant_parts() - how many parts a grant of so many regions has
 * @regions: at least 1; FARMEM_GRANT_REGIONS fit in a part
 *
 * Return: 1..65535, 0 when the protocol cannot say it.
 */
uint16_t message_grant_parts(size_t regions);

/**
 * message_build_grant() - one part
 * @out: FARMEM_MSG_MAX bytes
 * @id: of the OPEN
 * @grant: what every part repeats
 * @region: all regions of the grant
 * @regions: how many, at least 1
 * @part: which part, below message_grant_parts(@regions)
 *
 * Return: the part's length.
 */
size_t message_build_grant(void *out, uint32_t id, const struct message_grant *grant,
			   const struct message_region *region, size_t regions, uint16_t part);

#endif /* MESSAGE_H */
