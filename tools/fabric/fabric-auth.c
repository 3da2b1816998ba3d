// SPDX-License-Identifier: GPL-2.0
/*
 * fabric-auth.c - the client's side of the handshake, see struct farmem_transcript.
 */
#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>
#include <sys/random.h>

#include "fabric-auth.h"
#include "keys.h"

/** proof_identity() - what a client's name hashes to.  Return: 0 or -EIO. */
int proof_identity(const char *name, uint8_t identity[FARMEM_ID_LEN])
{
	static const char prefix[] = "farmem-client:";
	unsigned char text[sizeof(prefix) + FARMEM_NAME_LEN], hash[EVP_MAX_MD_SIZE];
	size_t length = strlen(prefix) + strlen(name);

	if (length > sizeof(text))
		return -EIO;
	memcpy(text, prefix, strlen(prefix));
	memcpy(text + strlen(prefix), name, strlen(name));
	if (!EVP_Digest(text, length, hash, NULL, EVP_sha256(), NULL))
		return -EIO;
	memcpy(identity, hash, FARMEM_ID_LEN);
	return 0;
}

/* Over the transcript's first @length bytes. */
static int prove(struct fabric_proof *proof, const char *label, const void *key, size_t key_len,
		 size_t length, uint8_t out[FARMEM_AUTH_LEN])
{
	unsigned int out_len = FARMEM_AUTH_LEN;

	memset(proof->said.label, 0, sizeof(proof->said.label));
	memcpy(proof->said.label, label, strlen(label));
	return HMAC(EVP_sha256(), key, key_len, (uint8_t *)&proof->said, length, out, &out_len) ?
		0 : -EIO;
}

/**
 * proof_hello() - put nonce and proof into a HELLO
 * @proof: REQ and REP are in its transcript
 * @hello: complete but for these; without a key it stays as it is
 *
 * Return: 0 or -EIO.
 */
int proof_hello(struct fabric_proof *proof, struct farmem_hello *hello)
{
	size_t length = offsetof(struct farmem_transcript, welcome);
	uint8_t key[FARMEM_AUTH_LEN];
	int ret;

	if (proof->key_len &&
	    getrandom(hello->nonce, sizeof(hello->nonce), 0) != sizeof(hello->nonce))
		return -EIO;
	proof->said.hello = *hello;
	if (!proof->key_len)
		return 0;
	ret = server_key(proof->key, proof->key_len, proof->said.rep.server, hello->name, key);
	if (!ret)
		ret = prove(proof, FARMEM_LABEL_CLIENT, key, sizeof(key), length, hello->proof);
	if (!ret)
		ret = prove(proof, FARMEM_LABEL_SESSION, key, sizeof(key), length,
			    proof->session_key);
	OPENSSL_cleanse(key, sizeof(key));
	return ret;
}

/** proof_of_server() - has the server proved that it has its key of ours? */
bool proof_of_server(struct fabric_proof *proof, const struct farmem_welcome *welcome)
{
	uint8_t expected[FARMEM_AUTH_LEN];

	proof->said.welcome = *welcome;
	memset(proof->said.welcome.proof, 0, sizeof(proof->said.welcome.proof));
	return !prove(proof, FARMEM_LABEL_SERVER, proof->session_key, sizeof(proof->session_key),
		      sizeof(proof->said), expected) &&
	       !CRYPTO_memcmp(expected, welcome->proof, sizeof(expected));
}
