// SPDX-License-Identifier: GPL-2.0
/*
 * test_auth.c - what the module proves, and what it takes for a server's proof
 *
 * auth.c itself is compiled here; libcrypto computes in place of the kernel.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../../auth-example.h"

static void get_random_bytes(void *at, size_t bytes)
{
	memset(at, EXAMPLE_NONCE, bytes);
}

#include "auth.c"

int farmem_key_read(const char *ref, const char *client, struct farmem_key *key,
		    const char **why)
{
	assert_string_equal(ref, "/key");
	assert_string_equal(client, EXAMPLE_NAME);
	example_key(key->bytes);
	key->len = EXAMPLE_KEY_LEN;
	*why = "";
	return 0;
}

static struct farmem_auth *auth;
static struct farmem_hello hello;

/* HELLO to a server of that REP. */
static void greet(const struct farmem_cm_rep *rep)
{
	struct farmem_cm_req req = example_req();

	farmem_auth_asked(auth, &req);
	farmem_auth_answered(auth, rep);
	hello = example_hello();
	assert_int_equal(farmem_auth_hello(auth, &hello), 0);
}

static int begin(void **state)
{
	struct farmem_cm_rep rep = example_rep();
	const char *why;

	(void)state;
	auth = farmem_auth_create("/key", EXAMPLE_NAME, &why);
	assert_false(IS_ERR_OR_NULL(auth));
	greet(&rep);
	return 0;
}

static int end(void **state)
{
	(void)state;
	farmem_auth_free(auth);
	return 0;
}

static void known_answers(void **state)
{
	struct farmem_welcome welcome = example_welcome();
	u8 token[FARMEM_ID_LEN];

	(void)state;
	assert_memory_equal(hello.proof, example_client_proof, sizeof(hello.proof));
	memcpy(welcome.proof, example_server_proof, sizeof(welcome.proof));
	assert_int_equal(farmem_auth_welcome(auth, &welcome), 0);
	assert_int_equal(farmem_auth_token(auth, 1, token), 0);
	assert_memory_equal(token, example_token, sizeof(token));
}

/* A server that says it is another gets the proof of a key that it has not. */
static void a_key_for_each_server(void **state)
{
	struct farmem_transcript said = { .label = FARMEM_LABEL_CLIENT, .req = example_req() };
	struct farmem_cm_rep rep = example_rep();
	u8 of_first[FARMEM_AUTH_LEN];

	(void)state;
	rep.server[FARMEM_ID_LEN - 1] ^= 1;
	greet(&rep);
	said.rep = rep;
	said.hello = hello;
	memset(said.hello.proof, 0, sizeof(said.hello.proof));
	HMAC(EVP_sha256(), example_server_key, sizeof(example_server_key), (u8 *)&said,
	     offsetof(struct farmem_transcript, welcome), of_first, NULL);
	assert_memory_not_equal(hello.proof, of_first, sizeof(of_first));
}

static void every_bit_of_the_server_counts(void **state)
{
	struct farmem_welcome welcome = example_welcome();
	size_t i;

	(void)state;
	memcpy(welcome.proof, example_server_proof, sizeof(welcome.proof));
	for (i = 0; i < 8 * sizeof(welcome); i++) {
		((u8 *)&welcome)[i / 8] ^= 1 << i % 8;
		assert_int_equal(farmem_auth_welcome(auth, &welcome), -EACCES);
		((u8 *)&welcome)[i / 8] ^= 1 << i % 8;
	}
	assert_int_equal(farmem_auth_welcome(auth, &welcome), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(known_answers, begin, end),
		cmocka_unit_test_setup_teardown(a_key_for_each_server, begin, end),
		cmocka_unit_test_setup_teardown(every_bit_of_the_server_counts, begin, end),
	};

	return cmocka_run_group_tests_name("kernel_auth", tests, NULL, NULL);
}
