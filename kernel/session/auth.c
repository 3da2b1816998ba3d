// SPDX-License-Identifier: GPL-2.0
/*
 * auth.c - the client's side of authentication.
 *
 * Owns struct farmem_auth: the key and the transcript of the session that is
 * being made; session->lock guards it.  What is proved, and how, is written at
 * struct farmem_transcript.  The kernel's crypto API computes: on a stack, so
 * that a session can recover while there is no memory.
 */
#include <crypto/algapi.h>
#include <crypto/hash.h>
#include <linux/err.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "auth.h"
#include "key.h"

/**
 * struct farmem_auth - a key in use
 * @hmac: hmac(sha256)
 * @key: the client's; no server has it
 * @said: the transcript, filled as it goes on
 * @session_key: what both sides have made of these; all zero before HELLO
 */
struct farmem_auth {
	struct crypto_shash *hmac;
	struct farmem_key key;
	struct farmem_transcript said;
	u8 session_key[FARMEM_AUTH_LEN];
};

struct farmem_auth *farmem_auth_create(const char *ref, const char *client,
				       const char **why)
{
	struct farmem_auth *auth = kzalloc(sizeof(*auth), GFP_KERNEL);
	int err;

	*why = "no memory";
	if (!auth)
		return ERR_PTR(-ENOMEM);
	auth->hmac = crypto_alloc_shash("hmac(sha256)", 0, 0);
	if (IS_ERR(auth->hmac)) {
		*why = "this kernel has no hmac(sha256); modprobe hmac sha256_generic";
		err = PTR_ERR(auth->hmac);
		auth->hmac = NULL;
	} else {
		err = farmem_key_read(ref, client, &auth->key, why);
	}
	if (!err)
		return auth;
	farmem_auth_free(auth);
	return ERR_PTR(err);
}

void farmem_auth_free(struct farmem_auth *auth)
{
	if (IS_ERR_OR_NULL(auth))
		return;
	/* Wipes its copy of the key, too. */
	if (auth->hmac)
		crypto_free_shash(auth->hmac);
	kfree_sensitive(auth);
}

static int auth_hmac(struct farmem_auth *auth, const u8 *key, unsigned int key_len,
		     const void *data, unsigned int len, u8 out[FARMEM_AUTH_LEN])
{
	return crypto_shash_setkey(auth->hmac, key, key_len) ?:
	       crypto_shash_tfm_digest(auth->hmac, data, len, out);
}

/* Over the transcript's first @len bytes. */
static int auth_prove(struct farmem_auth *auth, const char *label, unsigned int len,
		      const u8 *key, unsigned int key_len, u8 out[FARMEM_AUTH_LEN])
{
	memset(auth->said.label, 0, sizeof(auth->said.label));
	memcpy(auth->said.label, label, strlen(label));
	return auth_hmac(auth, key, key_len, &auth->said, len, out);
}

void farmem_auth_asked(struct farmem_auth *auth, const struct farmem_cm_req *req)
{
	if (!auth)
		return;
	memset(&auth->said, 0, sizeof(auth->said));
	memzero_explicit(auth->session_key, sizeof(auth->session_key));
	auth->said.req = *req;
}

void farmem_auth_answered(struct farmem_auth *auth, const struct farmem_cm_rep *rep)
{
	if (auth)
		auth->said.rep = *rep;
}

/* What our key is for the server that sent the REP. */
static int auth_derive(struct farmem_auth *auth, u8 server_key[FARMEM_AUTH_LEN])
{
	struct farmem_server_key about = { .label = FARMEM_LABEL_KEY };

	memcpy(about.server, auth->said.rep.server, sizeof(about.server));
	memcpy(about.client, auth->said.hello.name, sizeof(about.client));
	return auth_hmac(auth, auth->key.bytes, auth->key.len, &about, sizeof(about),
			 server_key);
}

int farmem_auth_hello(struct farmem_auth *auth, struct farmem_hello *hello)
{
	unsigned int len = offsetof(struct farmem_transcript, welcome);
	u8 key[FARMEM_AUTH_LEN];
	int err;

	if (!auth)
		return 0;
	get_random_bytes(hello->nonce, sizeof(hello->nonce));
	auth->said.hello = *hello;
	err = auth_derive(auth, key) ?:
	      auth_prove(auth, FARMEM_LABEL_CLIENT, len, key, sizeof(key),
			 hello->proof) ?:
	      auth_prove(auth, FARMEM_LABEL_SESSION, len, key, sizeof(key),
			 auth->session_key);
	memzero_explicit(key, sizeof(key));
	return err;
}

int farmem_auth_welcome(struct farmem_auth *auth,
			const struct farmem_welcome *welcome)
{
	u8 expected[FARMEM_AUTH_LEN];

	if (!auth)
		return 0;
	auth->said.welcome = *welcome;
	memset(auth->said.welcome.proof, 0, sizeof(auth->said.welcome.proof));
	if (auth_prove(auth, FARMEM_LABEL_SERVER, sizeof(auth->said),
		       auth->session_key, sizeof(auth->session_key), expected) ||
	    crypto_memneq(expected, welcome->proof, sizeof(expected)))
		return -EACCES;
	return 0;
}

int farmem_auth_token(struct farmem_auth *auth, u16 queue,
		      u8 token[FARMEM_ID_LEN])
{
	struct farmem_queue_token about = {
		.label = FARMEM_LABEL_QUEUE,
		.queue_index = cpu_to_le16(queue),
	};
	u8 full[FARMEM_AUTH_LEN];
	int err;

	if (!auth)
		return 0;
	err = auth_hmac(auth, auth->session_key, sizeof(auth->session_key), &about,
			sizeof(about), full);
	memcpy(token, full, FARMEM_ID_LEN);
	memzero_explicit(full, sizeof(full));
	return err;
}
