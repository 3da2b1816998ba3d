/* SPDX-License-Identifier: GPL-2.0 */
/* auth.h - proofs of a key, the client's and our own */
#ifndef AUTH_H
#define AUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"

struct key;

/**
 * struct auth - what a session knows of its own authentication
 * @said: the transcript, filled as it goes on; REQ and REP by conn.c
 * @session_key: of a session with keys, see struct farmem_transcript
 * @keyed: the client has proved a key
 */
struct auth {
	struct farmem_transcript said;
	uint8_t session_key[FARMEM_AUTH_LEN];
	bool keyed;
};

/**
 * auth_hello() - judge the client's proof
 * @auth: REQ and REP are in its transcript
 * @hello: as received
 * @keys: of all clients; those of the name in @hello count
 * @open: --insecure: a client that has no key in @keys needs none
 * @why: if it is refused, what to log
 *
 * Return: FARMEM_OK, or FARMEM_ERR_AUTH.
 */
enum farmem_reason auth_hello(struct auth *auth, const struct farmem_hello *hello,
			      const struct key *keys, bool open, const char **why);

/**
 * auth_holds() - does what auth_hello() accepted hold with other keys, too?
 * @auth: auth_hello() has accepted it
 * @keys: of all clients
 * @open: --insecure
 */
bool auth_holds(struct auth *auth, const struct key *keys, bool open);

/**
 * auth_welcome() - put our own proof into a WELCOME
 * @auth: auth_hello() has accepted it
 * @welcome: complete but for the proof; of a session without keys it stays as it is
 *
 * Return: 0 or -EIO.
 */
int auth_welcome(struct auth *auth, struct farmem_welcome *welcome);

/**
 * auth_token_fits() - does a further queue belong to this session?
 * @auth: of a live session
 * @queue_index: of the queue
 * @token: of its REQ
 *
 * Takes the same time whatever @token is.
 */
bool auth_token_fits(const struct auth *auth, uint16_t queue_index,
		     const uint8_t token[FARMEM_ID_LEN]);

#endif /* AUTH_H */
