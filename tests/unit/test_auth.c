// SPDX-License-Identifier: GPL-2.0
/*
 * test_auth.c - proofs: what they are, and what is none.
 *
 * The expected bytes were computed apart from this code, by Python's hmac and struct
 * modules from the layouts in farmem-proto.h.
 */
#include <endian.h>
#include <string.h>

#include "auth.h"
#include "keys.h"
#include "stubs.h"

static const uint8_t client_proof[FARMEM_AUTH_LEN] = {
	0x2f, 0x1f, 0x64, 0xb8, 0x97, 0x30, 0x6d, 0xdc, 0x81, 0x64, 0x68, 0x35, 0x4c, 0x64, 0x86, 0x6e,
	0xee, 0xf1, 0xf4, 0x54, 0xaf, 0x5b, 0xf1, 0x8c, 0x8a, 0x39, 0x79, 0x16, 0x20, 0xeb, 0x89, 0x9d,
};

static const uint8_t server_proof[FARMEM_AUTH_LEN] = {
	0xb7, 0xd7, 0x59, 0xfa, 0xd7, 0x15, 0xfa, 0x17, 0x63, 0x48, 0x70, 0xd1, 0xcd, 0x26, 0xae, 0xe4,
	0xd6, 0x47, 0x68, 0x22, 0xba, 0x64, 0x4a, 0x7b, 0x1a, 0xe3, 0x37, 0xa6, 0x87, 0x4c, 0x2b, 0x63,
};

static const uint8_t token_1[FARMEM_ID_LEN] = {
	0x82, 0x33, 0x4e, 0x0a, 0x6f, 0x0d, 0x75, 0xd5, 0x05, 0xd0, 0xea, 0xac, 0xd7, 0x8c, 0x4f, 0xfb,
};

static struct key other, key;	/* of "node": in this order */
static struct auth auth;
static struct farmem_hello hello;

static struct farmem_msg head(unsigned int type, size_t len)
{
	return (struct farmem_msg) {
		.magic = htole32(FARMEM_MAGIC), .version = htole16(FARMEM_VERSION),
		.type = htole16(type), .length = htole32(len), .id = htole32(7),
	};
}

static int fill(void **state)
{
	struct farmem_cm_req req = {
		.magic = htole32(FARMEM_MAGIC), .version = htole16(FARMEM_VERSION),
		.flags = htole16(FARMEM_CM_TAKEOVER), .incarnation = htole64(0x1122334455667788),
		.queue_count = htole16(4), .depth = htole16(128),
	};
	struct farmem_cm_rep rep = {
		.magic = htole32(FARMEM_MAGIC), .version = htole16(FARMEM_VERSION),
		.queue_count = htole16(4), .generation = htole64(0x1234),
	};
	unsigned int i;

	(void)state;
	memset(&auth, 0, sizeof(auth));
	for (i = 0; i < sizeof(req.identity); i++)
		req.identity[i] = 0x10 + i;
	memset(rep.token, 0x55, sizeof(rep.token));
	memset(rep.challenge, 0xc5, sizeof(rep.challenge));
	auth.said.req = req;
	auth.said.rep = rep;
	hello = (struct farmem_hello) {
		.msg = head(FARMEM_MSG_HELLO, sizeof(hello)), .name = "node",
		.incarnation = req.incarnation,
	};
	memset(hello.nonce, 0xa7, sizeof(hello.nonce));
	memcpy(hello.proof, client_proof, sizeof(hello.proof));
	other = (struct key){ .next = &key, .name = "node", .len = 16 };
	key = (struct key){ .name = "node", .len = 32 };
	for (i = 0; i < key.len; i++)
		key.secret[i] = i + 1;
	return 0;
}

static enum farmem_reason judge(bool open, const char *expected)
{
	const char *why = "";
	enum farmem_reason reason = auth_hello(&auth, &hello, &other, open, &why);

	assert_string_equal(why, expected);
	return reason;
}

static struct farmem_welcome welcome(void)
{
	return (struct farmem_welcome) {
		.msg = head(FARMEM_MSG_WELCOME, sizeof(struct farmem_welcome)),
		.lease = htole32(60), .generation = htole64(0x1234), .slab_size = htole64(1 << 20),
		.capacity = htole64(16 << 20), .free = htole64(8 << 20),
	};
}

static void known_answers(void **state)
{
	struct farmem_welcome answer = welcome();

	(void)state;
	assert_int_equal(judge(false, ""), FARMEM_OK);
	assert_true(auth.keyed);
	assert_int_equal(auth_welcome(&auth, &answer), 0);
	assert_memory_equal(answer.proof, server_proof, sizeof(server_proof));
	assert_true(auth_token_fits(&auth, 1, token_1));
}

/* Another bit anywhere in what was said, or another nonce: no proof. */
static void every_bit_counts(void **state)
{
	uint8_t *said = (uint8_t *)&auth.said.req;
	size_t len = sizeof(auth.said.req) + sizeof(auth.said.rep), i;

	for (i = 0; i < 8 * len; i++) {
		fill(state);
		said[i / 8] ^= 1 << i % 8;
		assert_int_equal(judge(true, "its key is another one than the key file's"),
				 FARMEM_ERR_AUTH);
		assert_false(auth.keyed);
	}
	for (i = 0; i < 8 * sizeof(hello); i++) {
		/* A name that nobody has is another matter. */
		if (i / 8 >= offsetof(struct farmem_hello, name) &&
		    i / 8 < offsetof(struct farmem_hello, name) + strlen("node") + 1)
			continue;
		fill(state);
		((uint8_t *)&hello)[i / 8] ^= 1 << i % 8;
		assert_int_equal(judge(true, "its key is another one than the key file's"),
				 FARMEM_ERR_AUTH);
	}
}

/* HELLO as it was recorded, to a server whose nonce is another one. */
static void replay_proves_nothing(void **state)
{
	(void)state;
	memset(auth.said.rep.challenge, 0xc6, 1);
	assert_int_equal(judge(false, "its key is another one than the key file's"), FARMEM_ERR_AUTH);
}

static void no_key(void **state)
{
	(void)state;
	memset(hello.proof, 0, sizeof(hello.proof));
	assert_int_equal(judge(false, "it has a key, and did not use it"), FARMEM_ERR_AUTH);
	/* --insecure does not open a name that has a key. */
	assert_int_equal(judge(true, "it has a key, and did not use it"), FARMEM_ERR_AUTH);
	strcpy(hello.name, "nobody");
	assert_int_equal(judge(false, "the key file has no key for it"), FARMEM_ERR_AUTH);
}

static void insecure(void **state)
{
	struct farmem_welcome answer = welcome();
	uint8_t token[FARMEM_ID_LEN];

	(void)state;
	strcpy(hello.name, "nobody");
	assert_int_equal(judge(true, ""), FARMEM_OK);
	assert_false(auth.keyed);
	assert_int_equal(auth_welcome(&auth, &answer), 0);
	memset(token, 0, sizeof(token));
	assert_memory_equal(answer.proof, token, sizeof(token));
	memset(token, 0x55, sizeof(token));
	assert_true(auth_token_fits(&auth, 1, token));
	token[15] ^= 1;
	assert_false(auth_token_fits(&auth, 1, token));
}

/* The REP's token, another queue's, another session's. */
static void tokens(void **state)
{
	uint8_t token[FARMEM_ID_LEN];
	unsigned int i;

	(void)state;
	assert_int_equal(judge(false, ""), FARMEM_OK);
	assert_false(auth_token_fits(&auth, 1, auth.said.rep.token));
	assert_false(auth_token_fits(&auth, 2, token_1));
	for (i = 0; i < sizeof(token); i++) {
		memcpy(token, token_1, sizeof(token));
		token[i] ^= 0x80;
		assert_false(auth_token_fits(&auth, 1, token));
	}
	auth.session_key[31] ^= 1;
	assert_false(auth_token_fits(&auth, 1, token_1));
}

/* Of a session that began: its key may be taken away, or be one of several. */
static void a_key_that_goes(void **state)
{
	(void)state;
	assert_int_equal(judge(false, ""), FARMEM_OK);
	assert_true(auth_holds(&auth, &other, false));
	other.next = NULL;
	assert_false(auth_holds(&auth, &other, false));
	assert_false(auth_holds(&auth, &other, true));
	assert_false(auth_holds(&auth, NULL, true));
	assert_true(auth_holds(&auth, &key, false));
}

/* Of one that began without: its name may have been given a key since. */
static void a_key_that_comes(void **state)
{
	(void)state;
	strcpy(hello.name, "nobody");
	assert_int_equal(judge(true, ""), FARMEM_OK);
	assert_true(auth_holds(&auth, &other, true));
	assert_false(auth_holds(&auth, &other, false));
	strcpy(key.name, "nobody");
	assert_false(auth_holds(&auth, &other, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(known_answers, fill),
		cmocka_unit_test_setup(every_bit_counts, fill),
		cmocka_unit_test_setup(replay_proves_nothing, fill),
		cmocka_unit_test_setup(no_key, fill),
		cmocka_unit_test_setup(insecure, fill),
		cmocka_unit_test_setup(tokens, fill),
		cmocka_unit_test_setup(a_key_that_goes, fill),
		cmocka_unit_test_setup(a_key_that_comes, fill),
	};

	return cmocka_run_group_tests_name("auth", tests, NULL, NULL);
}
