// SPDX-License-Identifier: GPL-2.0
/*
 * test_auth.c - proofs: what they are, and what is none.
 */
#include <string.h>

#include "auth.h"
#include "auth-example.h"
#include "keys.h"
#include "stubs.h"

static struct key other, key;	/* of "node": in this order */
static struct auth auth;
static struct farmem_hello hello;

static int fill(void **state)
{
	memset(&auth, 0, sizeof(auth));
	auth.said.req = example_req();
	auth.said.rep = example_rep();
	hello = example_hello();
	memset(hello.nonce, EXAMPLE_NONCE, sizeof(hello.nonce));
	memcpy(hello.proof, example_client_proof, sizeof(hello.proof));
	other = (struct key){ .next = &key, .name = EXAMPLE_NAME, .len = 16 };
	key = (struct key){ .name = EXAMPLE_NAME, .len = sizeof(example_server_key) };
	memcpy(key.secret, example_server_key, sizeof(example_server_key));
	return 0;
}

static enum farmem_reason judge(bool open, const char *expected)
{
	const char *why = "";
	enum farmem_reason reason = auth_hello(&auth, &hello, &other, open, &why);

	assert_string_equal(why, expected);
	return reason;
}

static void known_answers(void **state)
{
	struct farmem_welcome answer = example_welcome();

	assert_int_equal(judge(false, ""), FARMEM_OK);
	assert_true(auth.keyed);
	assert_int_equal(auth_welcome(&auth, &answer), 0);
	assert_memory_equal(answer.proof, example_server_proof, sizeof(example_server_proof));
	assert_true(auth_token_fits(&auth, 1, example_token));
}

/* Another bit anywhere in what was said, or another nonce: no proof. */
static void every_bit_counts(void **state)
{
	uint8_t *said = (uint8_t *)&auth.said.req;
	size_t len = sizeof(auth.said.req) + sizeof(auth.said.rep), i;

	for (i = 0; i < 8 * len; i++) {
		fill(state);
		said[i / 8] ^= 1 << i % 8;
		assert_int_equal(judge(true, "its key differs from the key in the key file"),
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
		assert_int_equal(judge(true, "its key differs from the key in the key file"),
				 FARMEM_ERR_AUTH);
	}
}

/* No server goes by the client's key: each has what that is for it alone. */
static void the_key_itself_proves_nothing(void **state)
{
	memcpy(hello.proof, example_underived_proof, sizeof(hello.proof));
	assert_int_equal(judge(false, "its key differs from the key in the key file"), FARMEM_ERR_AUTH);
}

/* HELLO as it was recorded, to a server whose nonce is another one. */
static void replay_proves_nothing(void **state)
{
	memset(auth.said.rep.challenge, 0xc6, 1);
	assert_int_equal(judge(false, "its key differs from the key in the key file"), FARMEM_ERR_AUTH);
}

static void no_key(void **state)
{
	memset(hello.proof, 0, sizeof(hello.proof));
	assert_int_equal(judge(false, "it has a key, but did not use it"), FARMEM_ERR_AUTH);
	/* --insecure does not open a name that has a key. */
	assert_int_equal(judge(true, "it has a key, but did not use it"), FARMEM_ERR_AUTH);
	strcpy(hello.name, "nobody");
	assert_int_equal(judge(false, "the key file has no key for it"), FARMEM_ERR_AUTH);
}

static void insecure(void **state)
{
	struct farmem_welcome answer = example_welcome();
	uint8_t token[FARMEM_ID_LEN];

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

	assert_int_equal(judge(false, ""), FARMEM_OK);
	assert_false(auth_token_fits(&auth, 1, auth.said.rep.token));
	assert_false(auth_token_fits(&auth, 2, example_token));
	for (i = 0; i < sizeof(token); i++) {
		memcpy(token, example_token, sizeof(token));
		token[i] ^= 0x80;
		assert_false(auth_token_fits(&auth, 1, token));
	}
	auth.session_key[31] ^= 1;
	assert_false(auth_token_fits(&auth, 1, example_token));
}

/* Of a session that began: its key may be taken away, or be one of several. */
static void a_key_that_goes(void **state)
{
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
		cmocka_unit_test_setup(the_key_itself_proves_nothing, fill),
		cmocka_unit_test_setup(replay_proves_nothing, fill),
		cmocka_unit_test_setup(no_key, fill),
		cmocka_unit_test_setup(insecure, fill),
		cmocka_unit_test_setup(tokens, fill),
		cmocka_unit_test_setup(a_key_that_goes, fill),
		cmocka_unit_test_setup(a_key_that_comes, fill),
	};

	return cmocka_run_group_tests_name("auth", tests, NULL, NULL);
}
