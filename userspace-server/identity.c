// SPDX-License-Identifier: GPL-2.0
/*
 * identity.c - the table of who may take over whose identity.
 *
 * Pure; called by admit.c.  An incarnation is one load of the client's module:
 * the same one coming back has lost its connection and knows that it has no
 * other; another one is a reboot, a reload, or a second node of the same name,
 * and only asking the old client tells which.
 */
#include "identity.h"

enum identity_verdict identity_judge(const struct identity_state *state,
				     uint64_t incarnation, bool takeover)
{
	if (!state->session)
		return IDENTITY_ACCEPT;
	if (takeover || state->incarnation == incarnation)
		return IDENTITY_FENCE;
	if (!state->held)
		return IDENTITY_PROBE;
	/* The held client has run out of patience and tries again. */
	if (state->held_incarnation == incarnation)
		return IDENTITY_REPLACE;
	return IDENTITY_BUSY;
}
