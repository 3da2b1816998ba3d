/* SPDX-License-Identifier: GPL-2.0 */
/*
 * auth-example.h - a session with a key, in bytes: what server, module and tools must
 * all make of it.
 *
 * The expected bytes were computed apart from this code, by Python's hmac and struct
 * modules from the layouts in farmem-proto.h.
 */
#ifndef AUTH_EXAMPLE_H
#define AUTH_EXAMPLE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "farmem-proto.h"

#define EXAMPLE_NAME	"node"
#define EXAMPLE_KEY_LEN	32
#define EXAMPLE_NONCE	0xa7	/* each byte of the client's */

static inline void example_key(uint8_t key[EXAMPLE_KEY_LEN])
{
	unsigned int i;

	for (i = 0; i < EXAMPLE_KEY_LEN; i++)
		key[i] = i + 1;
}

static inline void example_server(uint8_t uuid[FARMEM_ID_LEN])
{
	unsigned int i;

	for (i = 0; i < FARMEM_ID_LEN; i++)
		uuid[i] = 0x90 + i;
}

/* Of the key, for that server. */
static const uint8_t example_server_key[FARMEM_AUTH_LEN] = {
	0xb5, 0x98, 0x3a, 0x98, 0x9e, 0x4f, 0xf4, 0x3d, 0x2a, 0x2b, 0xb8, 0x0c, 0x26, 0x57, 0xc0, 0xae,
	0x3e, 0x20, 0x13, 0xe5, 0xab, 0xd8, 0xc4, 0xc3, 0x90, 0x93, 0xde, 0xaa, 0x79, 0x37, 0xd3, 0xe1,
};

static const uint8_t example_client_proof[FARMEM_AUTH_LEN] = {
	0x25, 0xd8, 0x05, 0x23, 0x55, 0xbd, 0x6d, 0xfd, 0x82, 0xb2, 0x65, 0x6c, 0xea, 0xea, 0x46, 0x1a,
	0xfd, 0xbb, 0x21, 0x18, 0x9a, 0xd8, 0x14, 0xd2, 0xcc, 0xaf, 0x05, 0x28, 0x3f, 0x48, 0xf8, 0x1f,
};

/* The same, by a client that takes its key itself. */
static const uint8_t example_underived_proof[FARMEM_AUTH_LEN] = {
	0x37, 0x4d, 0x28, 0x33, 0x87, 0x09, 0xd0, 0x9c, 0xdd, 0x85, 0x23, 0x12, 0xa2, 0xeb, 0x25, 0x53,
	0x48, 0x43, 0xd7, 0x5c, 0xc4, 0x60, 0xee, 0x85, 0x3c, 0xd8, 0xe9, 0x1e, 0x27, 0x39, 0x57, 0xb7,
};

static const uint8_t example_server_proof[FARMEM_AUTH_LEN] = {
	0xea, 0x18, 0x4f, 0xdf, 0x76, 0x30, 0xa0, 0x77, 0x2a, 0x6d, 0x41, 0x70, 0xbd, 0x11, 0x41, 0xe7,
	0x8f, 0x78, 0x26, 0x24, 0x8c, 0x28, 0xf9, 0xb6, 0x98, 0x6a, 0x7f, 0x49, 0xb9, 0xc0, 0x60, 0x9d,
};

/* Of queue 1. */
static const uint8_t example_token[FARMEM_ID_LEN] = {
	0x15, 0xbe, 0xc1, 0x8e, 0x29, 0x39, 0x5d, 0x40, 0xed, 0xa6, 0xf1, 0x32, 0x59, 0xd0, 0xe1, 0xbc,
};

static inline struct farmem_msg example_head(unsigned int type, size_t len)
{
	return (struct farmem_msg) {
		.magic = htole32(FARMEM_MAGIC), .version = htole16(FARMEM_VERSION),
		.type = htole16(type), .length = htole32(len), .id = htole32(7),
	};
}

static inline struct farmem_cm_req example_req(void)
{
	struct farmem_cm_req req = {
		.magic = htole32(FARMEM_MAGIC), .version = htole16(FARMEM_VERSION),
		.flags = htole16(FARMEM_CM_TAKEOVER), .incarnation = htole64(0x1122334455667788),
		.queue_count = htole16(4), .depth = htole16(128),
	};
	unsigned int i;

	for (i = 0; i < sizeof(req.identity); i++)
		req.identity[i] = 0x10 + i;
	return req;
}

static inline struct farmem_cm_rep example_rep(void)
{
	struct farmem_cm_rep rep = {
		.magic = htole32(FARMEM_MAGIC), .version = htole16(FARMEM_VERSION),
		.queue_count = htole16(4), .generation = htole64(0x1234),
	};

	memset(rep.token, 0x55, sizeof(rep.token));
	memset(rep.challenge, 0xc5, sizeof(rep.challenge));
	example_server(rep.server);
	return rep;
}

/* Without nonce and proof. */
static inline struct farmem_hello example_hello(void)
{
	return (struct farmem_hello) {
		.msg = example_head(FARMEM_MSG_HELLO, sizeof(struct farmem_hello)),
		.name = EXAMPLE_NAME, .incarnation = htole64(0x1122334455667788),
	};
}

/* Without proof. */
static inline struct farmem_welcome example_welcome(void)
{
	return (struct farmem_welcome) {
		.msg = example_head(FARMEM_MSG_WELCOME, sizeof(struct farmem_welcome)),
		.lease = htole32(60), .generation = htole64(0x1234), .slab_size = htole64(1 << 20),
		.capacity = htole64(16 << 20), .free = htole64(8 << 20),
	};
}

#endif /* AUTH_EXAMPLE_H */
