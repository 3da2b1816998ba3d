/* SPDX-License-Identifier: GPL-2.0 */
/* identity.h - what a new session of a known identity means; pure */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct identity_state - what the server knows of an identity
 * @session: it has a session
 * @incarnation: of that session
 * @held: a request of another incarnation waits for the session to be probed
 * @held_incarnation: of that request
 */
struct identity_state {
	bool session;
	uint64_t incarnation;
	bool held;
	uint64_t held_incarnation;
};

/**
 * enum identity_verdict - what to do with the request
 * @IDENTITY_ACCEPT: open a session
 * @IDENTITY_FENCE: close the old session, then open one; refuse a held request
 * @IDENTITY_PROBE: hold the request and find out whether the old client lives
 * @IDENTITY_REPLACE: hold this request instead of the one that is held
 * @IDENTITY_BUSY: refuse
 */
enum identity_verdict {
	IDENTITY_ACCEPT,
	IDENTITY_FENCE,
	IDENTITY_PROBE,
	IDENTITY_REPLACE,
	IDENTITY_BUSY,
};

/**
 * identity_judge() - decide about a request to open a session
 * @state: of the identity
 * @incarnation: of the request
 * @takeover: the request says FARMEM_CM_TAKEOVER
 */
enum identity_verdict identity_judge(const struct identity_state *state,
				     uint64_t incarnation, bool takeover);

#endif /* IDENTITY_H */
