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

/*
 * What sessions tell: a HELLO is answered, now or after a probe, by which the session or
 * an earlier one of its client may end.
 */
extern const struct session_ops admit_ops;

/**
 * struct admit_state - what the server knows of an identity
 * @session: it has a session
 * @incarnation: of that session
 * @held: another incarnation has said HELLO and waits for the session to be probed
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
 * @ADMIT_PROBE: let it wait, and find out whether the old client lives
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

/* Of one peer address; of all there are no more than --max-clients. */
#define UNFINISHED_MAX	8

/**
 * admit_make_room() - may one more session begin?
 * @server: the server
 * @peer: where it comes from; what the sender of the request says
 * @why: if not, room for the reason
 * @size: of @why
 *
 * At a limit the oldest session is closed for it that has not proved a key: whoever
 * sends requests in another's name can't keep that one out for as long as such
 * sessions last, nor by having them refused.
 */
bool admit_make_room(struct server *server, const struct sockaddr *peer, char *why, size_t size);

#endif /* ADMIT_H */
