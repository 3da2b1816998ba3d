/* SPDX-License-Identifier: GPL-2.0 */
/* admit.h - which session is let in, and as which client */
#ifndef ADMIT_H
#define ADMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cm_event;
struct server;
struct session_ops;
struct sockaddr;

/* admit_request() - answer a connection request */
void admit_request(struct server *server, const struct cm_event *event);

/* What sessions tell admit.c: HELLOs, and when another session of the name may begin. */
extern const struct session_ops admit_ops;

/**
 * struct admit_state - what the server knows of an identity
 * @session: it has a session
 * @incarnation: of that session
 * @held: another incarnation has said HELLO, and waits while the session is probed
 * @held_incarnation: of that one
 */
struct admit_state {
	bool session;
	uint64_t incarnation;
	bool held;
	uint64_t held_incarnation;
};

/**
 * enum admit_verdict - what to do with a HELLO
 * @ADMIT_ACCEPT: let it in
 * @ADMIT_FENCE: close the old session, then let this one in; refuse the one that waits
 * @ADMIT_PROBE: let it wait, and probe whether the old client lives
 * @ADMIT_REPLACE: let this one wait instead of the one that does
 * @ADMIT_BUSY: refuse
 */
enum admit_verdict {
	ADMIT_ACCEPT,
	ADMIT_FENCE,
	ADMIT_PROBE,
	ADMIT_REPLACE,
	ADMIT_BUSY,
};

/**
 * admit_judge() - decide about a HELLO, whose proof is right
 * @state: of the identity
 * @incarnation: that says it
 * @takeover: its connection request said FARMEM_CM_TAKEOVER
 */
enum admit_verdict admit_judge(const struct admit_state *state, uint64_t incarnation,
			       bool takeover);

/* Unfinished sessions of one peer address; of all there are at most --max-clients. */
#define UNFINISHED_MAX	8

/* Dead sessions of one client that are being cleared away: for one more it is refused. */
#define CLIENT_DEAD_MAX	4

/**
 * admit_make_room() - may one more session begin?
 * @server: the server
 * @peer: the address that the request says it comes from
 * @why: if not, room for the reason
 * @size: of @why
 *
 * At a limit, the oldest session that has not proved a key is closed for it.  So a peer
 * that sends requests in a client's name does not keep that client out.
 */
bool admit_make_room(struct server *server, const struct sockaddr *peer, char *why, size_t size);

#endif /* ADMIT_H */
