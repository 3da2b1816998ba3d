/* SPDX-License-Identifier: GPL-2.0 */
/* fabric-auth.h - the proofs of a key, the client's and the server's */
#ifndef FARMEM_FABRIC_AUTH_H
#define FARMEM_FABRIC_AUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"

/**
 * struct fabric_proof - what proves the client to the server, and the server to us
 * @said: the transcript
 * @key: of the client
 * @key_len: bytes of it, up to FARMEM_KEY_MAX; 0: it has none
 * @session_key: made of it
 */
struct fabric_proof {
	struct farmem_transcript said;
	uint8_t key[FARMEM_KEY_MAX];
	size_t key_len;
	uint8_t session_key[FARMEM_AUTH_LEN];
};

int proof_identity(const char *name, uint8_t identity[FARMEM_ID_LEN]);
int proof_hello(struct fabric_proof *proof, struct farmem_hello *hello);
bool proof_of_server(struct fabric_proof *proof, const struct farmem_welcome *welcome);

#endif
