// SPDX-License-Identifier: GPL-2.0
/* test_fabric_auth.c - what the tools make of a client's key, and what they prove by it */
#include <string.h>
#include <sys/random.h>

#include "auth-example.h"
#include "fabric-auth.h"
#include "keys.h"
#include "stubs.h"

ssize_t __wrap_getrandom(void *at, size_t bytes, unsigned int flags);

ssize_t __wrap_getrandom(void *at, size_t bytes, unsigned int flags)
{
	memset(at, EXAMPLE_NONCE, bytes);
	return bytes;
}

static void derive(const uint8_t server[FARMEM_ID_LEN], const char *client,
		   uint8_t out[FARMEM_AUTH_LEN])
{
	uint8_t key[EXAMPLE_KEY_LEN];

	example_key(key);
	assert_int_equal(server_key(key, sizeof(key), server, client, out), 0);
}

/* Each server has another key of a client, and each client's is another. */
static void derived(void **state)
{
	uint8_t server[FARMEM_ID_LEN], key[FARMEM_AUTH_LEN];

	example_server(server);
	derive(server, EXAMPLE_NAME, key);
	assert_memory_equal(key, example_server_key, sizeof(key));
	derive(server, EXAMPLE_NAME "2", key);
	assert_memory_not_equal(key, example_server_key, sizeof(key));
	server[0] ^= 1;
	derive(server, EXAMPLE_NAME, key);
	assert_memory_not_equal(key, example_server_key, sizeof(key));
}

static void proofs(void **state)
{
	struct farmem_welcome welcome = example_welcome();
	struct farmem_hello hello = example_hello();
	struct fabric_proof proof = {
		.said = { .req = example_req(), .rep = example_rep() },
		.key_len = EXAMPLE_KEY_LEN,
	};

	example_key(proof.key);
	assert_int_equal(proof_hello(&proof, &hello), 0);
	assert_memory_equal(hello.proof, example_client_proof, sizeof(hello.proof));
	memcpy(welcome.proof, example_server_proof, sizeof(welcome.proof));
	assert_true(proof_of_server(&proof, &welcome));
	welcome.proof[0] ^= 1;
	assert_false(proof_of_server(&proof, &welcome));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(derived),
		cmocka_unit_test(proofs),
	};

	return cmocka_run_group_tests_name("fabric_auth", tests, NULL, NULL);
}
