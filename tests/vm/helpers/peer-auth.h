/* SPDX-License-Identifier: GPL-2.0 */
/* peer-auth.h - what the tests' client proves with its key, and asks to be proved */
#ifndef PEER_AUTH_H
#define PEER_AUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"

/* A key, and what both sides have said. */
struct peer_auth {
	uint8_t key[FARMEM_KEY_MAX];
	size_t key_len;		/* 0: none */
	bool derived;		/* it is what the server has, not what that comes of */
	uint8_t session_key[FARMEM_AUTH_LEN];
	struct farmem_transcript said;
};

/* peer_auth_key() - of a hexadecimal text, or false */
bool peer_auth_key(struct peer_auth *auth, const char *hex, bool derived);

/* peer_auth_hello() - the proof in a message of client @as; without a key it gets none */
void peer_auth_hello(struct peer_auth *auth, const char *as, struct farmem_hello *hello);

/* peer_auth_token() - of a further queue: @token as the server gave it where there is no key */
void peer_auth_token(const struct peer_auth *auth, unsigned int index,
		     const uint8_t token[FARMEM_ID_LEN], uint8_t filled[FARMEM_ID_LEN]);

/* peer_auth_judge() - "proved" if the server knows the key, or "unproven" */
const char *peer_auth_judge(struct peer_auth *auth, const struct farmem_welcome *welcome);

#endif /* PEER_AUTH_H */
