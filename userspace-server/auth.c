// SPDX-License-Identifier: GPL-2.0
/*
 * auth.c - proofs.
 *
 * Pure functions on a session's transcript; libcrypto computes and compares.
 * What is proved, and how, is written at struct farmem_transcript.  Called by
 * dialog.c (HELLO, WELCOME), admit.c (further queues) and keyring.c (keys that go).
 */
#include <endian.h>
#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

#include "auth.h"
#include "keys.h"

static const uint8_t zeros[FARMEM_AUTH_LEN];

static int auth_hmac(const void *key, size_t key_len, const void *data, size_t len,
		     uint8_t out[FARMEM_AUTH_LEN])
{
	unsigned int out_len = FARMEM_AUTH_LEN;

	return HMAC(EVP_sha256(), key, key_len, data, len, out, &out_len) ? 0 : -EIO;
}

/* Over the transcript's first @len bytes. */
static int auth_prove(struct auth *auth, const char *label, size_t len, const void *key,
		      size_t key_len, uint8_t out[FARMEM_AUTH_LEN])
{
	memset(auth->said.label, 0, sizeof(auth->said.label));
	memcpy(auth->said.label, label, strlen(label));
	return auth_hmac(key, key_len, &auth->said, len, out);
}

/* Did the client use this key?  Then the session has one of its own. */
static bool auth_proves(struct auth *auth, const struct key *key,
			const uint8_t proof[FARMEM_AUTH_LEN])
{
	size_t len = offsetof(struct farmem_transcript, welcome);
	uint8_t expected[FARMEM_AUTH_LEN];

	if (auth_prove(auth, FARMEM_LABEL_CLIENT, len, key->secret, key->len, expected) ||
	    CRYPTO_memcmp(expected, proof, sizeof(expected)))
		return false;
	auth->keyed = !auth_prove(auth, FARMEM_LABEL_SESSION, len, key->secret, key->len,
				  auth->session_key);
	return auth->keyed;
}

enum farmem_reason auth_hello(struct auth *auth, const struct farmem_hello *hello,
			      const struct key *keys, bool open, const char **why)
{
	const struct key *key = keys_next(keys, hello->name);
	bool known = key;

	auth->said.hello = *hello;
	memset(auth->said.hello.proof, 0, sizeof(auth->said.hello.proof));
	for (; key; key = keys_next(key->next, hello->name))
		if (auth_proves(auth, key, hello->proof))
			return FARMEM_OK;
	if (!known && open)
		return FARMEM_OK;
	if (!known)
		*why = "the key file has no key for it";
	else if (!memcmp(hello->proof, zeros, sizeof(zeros)))
		*why = "it has a key, but did not use it";
	else
		*why = "its key differs from the key in the key file";
	return FARMEM_ERR_AUTH;
}

/* The session's key can be made again only from the key that was proved. */
bool auth_holds(struct auth *auth, const struct key *keys, bool open)
{
	const char *name = auth->said.hello.name;
	const struct key *key = keys_next(keys, name);
	size_t len = offsetof(struct farmem_transcript, welcome);
	uint8_t again[FARMEM_AUTH_LEN];
	bool holds = false;

	if (!auth->keyed)
		return open && !key;
	for (; key && !holds; key = keys_next(key->next, name))
		holds = !auth_prove(auth, FARMEM_LABEL_SESSION, len, key->secret, key->len,
				    again) &&
			!CRYPTO_memcmp(again, auth->session_key, sizeof(again));
	OPENSSL_cleanse(again, sizeof(again));
	return holds;
}

int auth_welcome(struct auth *auth, struct farmem_welcome *welcome)
{
	if (!auth->keyed)
		return 0;
	auth->said.welcome = *welcome;
	return auth_prove(auth, FARMEM_LABEL_SERVER, sizeof(auth->said), auth->session_key,
			  sizeof(auth->session_key), welcome->proof);
}

bool auth_token_fits(const struct auth *auth, uint16_t queue_index,
		     const uint8_t token[FARMEM_ID_LEN])
{
	struct farmem_queue_token about = {
		.label = FARMEM_LABEL_QUEUE,
		.queue_index = htole16(queue_index),
	};
	uint8_t expected[FARMEM_AUTH_LEN];

	if (!auth->keyed)
		return !CRYPTO_memcmp(auth->said.rep.token, token, FARMEM_ID_LEN);
	return !auth_hmac(auth->session_key, sizeof(auth->session_key), &about, sizeof(about),
			  expected) &&
	       !CRYPTO_memcmp(expected, token, FARMEM_ID_LEN);
}
