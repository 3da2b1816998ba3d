// SPDX-License-Identifier: GPL-2.0
/* peer-auth.c - see peer-auth.h, and docs/protocol.md. */
#include <endian.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <string.h>

#include "peer-auth.h"

bool peer_auth_key(struct peer_auth *auth, const char *hex, bool derived)
{
	auth->derived = derived;
	return OPENSSL_hexstr2buf_ex(auth->key, sizeof(auth->key), &auth->key_len, hex, '\0');
}

static void hmac(const void *key, size_t key_len, const void *data, size_t len,
		 uint8_t result[FARMEM_AUTH_LEN])
{
	HMAC(EVP_sha256(), key, key_len, data, len, result, NULL);
}

/* Over the transcript's first @len bytes. */
static void prove(struct peer_auth *auth, const char *label, const uint8_t key[FARMEM_AUTH_LEN],
		  size_t len, uint8_t result[FARMEM_AUTH_LEN])
{
	memset(auth->said.label, 0, sizeof(auth->said.label));
	memcpy(auth->said.label, label, strlen(label));
	hmac(key, FARMEM_AUTH_LEN, &auth->said, len, result);
}

/* What the server should have of the key. */
static void derive(const struct peer_auth *auth, const char *as, uint8_t derived[FARMEM_AUTH_LEN])
{
	struct farmem_server_key about = { .label = FARMEM_LABEL_KEY };

	memcpy(about.server, auth->said.rep.server, sizeof(about.server));
	strncpy(about.client, as, sizeof(about.client) - 1);
	if (auth->derived)
		memcpy(derived, auth->key, FARMEM_AUTH_LEN);
	else
		hmac(auth->key, auth->key_len, &about, sizeof(about), derived);
}

void peer_auth_hello(struct peer_auth *auth, const char *as, struct farmem_hello *hello)
{
	size_t len = offsetof(struct farmem_transcript, welcome);
	uint8_t derived[FARMEM_AUTH_LEN];

	if (!auth->key_len)
		return;
	RAND_bytes(hello->nonce, sizeof(hello->nonce));
	auth->said.hello = *hello;
	derive(auth, as, derived);
	prove(auth, FARMEM_LABEL_CLIENT, derived, len, hello->proof);
	prove(auth, FARMEM_LABEL_SESSION, derived, len, auth->session_key);
}

void peer_auth_token(const struct peer_auth *auth, unsigned int index,
		     const uint8_t token[FARMEM_ID_LEN], uint8_t filled[FARMEM_ID_LEN])
{
	struct farmem_queue_token about = {
		.label = FARMEM_LABEL_QUEUE, .queue_index = htole16(index),
	};
	uint8_t full[FARMEM_AUTH_LEN];

	hmac(auth->session_key, sizeof(auth->session_key), &about, sizeof(about), full);
	memcpy(filled, auth->key_len ? full : token, FARMEM_ID_LEN);
}

const char *peer_auth_judge(struct peer_auth *auth, const struct farmem_welcome *welcome)
{
	uint8_t expected[FARMEM_AUTH_LEN];

	auth->said.welcome = *welcome;
	memset(auth->said.welcome.proof, 0, sizeof(auth->said.welcome.proof));
	prove(auth, FARMEM_LABEL_SERVER, auth->session_key, sizeof(auth->said), expected);
	return memcmp(expected, welcome->proof, sizeof(expected)) ? "unproven" : "proved";
}
