/* SPDX-License-Identifier: GPL-2.0 */
/*
 * auth.h - proofs of a key, ours and the server's.
 *
 * A session without a key has no struct farmem_auth: all calls take NULL for it
 * and then do nothing.  All need session->lock.  None but farmem_auth_create()
 * allocates: recovery calls them.
 */
#ifndef FARMEM_AUTH_H
#define FARMEM_AUTH_H

#include "farmem-proto.h"

struct farmem_auth;

/**
 * farmem_auth_create() - read a key, and be ready to use it
 * @ref: of the key, see farmem_key_read(); not empty
 * @client: the client's name
 * @why: if there is none: what is wrong, a sentence without the key
 *
 * Context: may sleep, and do I/O; needs no lock.
 * Return: it, for farmem_auth_free(); or ERR_PTR with @why set.
 */
struct farmem_auth *farmem_auth_create(const char *ref, const char *client,
				       const char **why);

/** farmem_auth_free() - and wipe it; NULL and ERR_PTR are nothing to do. */
void farmem_auth_free(struct farmem_auth *auth);

/** farmem_auth_asked() - queue 0 was asked for, a session begins; @req as sent. */
void farmem_auth_asked(struct farmem_auth *auth, const struct farmem_cm_req *req);

/** farmem_auth_answered() - @rep as it came. */
void farmem_auth_answered(struct farmem_auth *auth, const struct farmem_cm_rep *rep);

/**
 * farmem_auth_hello() - put our proof into HELLO
 * @auth: of the connection: farmem_auth_answered() came before
 * @hello: complete but for nonce and proof
 *
 * Return: 0, or a negative errno of the kernel's HMAC.
 */
int farmem_auth_hello(struct farmem_auth *auth, struct farmem_hello *hello);

/**
 * farmem_auth_welcome() - has the server proved that it has its key of ours?
 * @auth: its HELLO was sent
 * @welcome: as it came, and no refusal
 *
 * Return: 0; -EACCES: no.
 */
int farmem_auth_welcome(struct farmem_auth *auth,
			const struct farmem_welcome *welcome);

/**
 * farmem_auth_token() - what a further queue shows
 * @auth: welcomed by the server
 * @queue: its index
 * @token: holds the token of the REP, and keeps it in a session without a key
 *
 * Return: 0, or a negative errno of the kernel's HMAC.
 */
int farmem_auth_token(struct farmem_auth *auth, u16 queue,
		      u8 token[FARMEM_ID_LEN]);

#endif /* FARMEM_AUTH_H */
