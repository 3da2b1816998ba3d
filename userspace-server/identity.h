/* SPDX-License-Identifier: GPL-2.0 */
/* identity.h - what a HELLO of a known identity means; pure */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct identity_state - what the server knows of an identity
 * @session: it has a session
 * @incarnation: of that session
 * @held: another incarnation has said HELLO and waits for the session to be probed
 * @held_incarnation: of that one
 */
struct identity_state {
	bool session;
	uint64_t incarnation;
	bool held;
	uint64_t held_incarnation;
};

/**
 * enum identity_verdict - what to do with a HELLO
 * @IDENTITY_ACCEPT: let it in
 * @IDENTITY_FENCE: close the old session, then let this one in; refuse who waits
 * @IDENTITY_PROBE: let it wait, and find out whether the old client lives
 * @IDENTITY_REPLACE: let this one wait instead of the one that does
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
 * identity_judge() - decide about a HELLO, whose proof is right
 * @state: of the identity
 * @incarnation: that says it
 * @takeover: its connection request said FARMEM_CM_TAKEOVER
 */
enum identity_verdict identity_judge(const struct identity_state *state,
				     uint64_t incarnation, bool takeover);

#endif /* IDENTITY_H */
