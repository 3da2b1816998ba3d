// SPDX-License-Identifier: GPL-2.0
/*
 * unfinished.c - how many sessions may be nobody's yet.
 *
 * Owns no state: the server's list of sessions has the newest first.  Called by
 * session.c for each connection request of a queue 0.
 */
#include <stdio.h>

#include "conn.h"
#include "parse.h"
#include "server.h"
#include "session.h"
#include "unfinished.h"

/* The sessions that are nobody's, of one address or of all. */
struct crowd {
	unsigned int count;
	struct session *oldest;		/* of those that may go; NULL: none may */
};

/*
 * One that waits for its rival, or for its refusal to arrive, and has proved its key.
 * Whoever may be refused without a key could else hold all places of an address.
 */
static bool stays(const struct session *session)
{
	return session->auth.keyed && (session->rival || *session->parting);
}

static void add(struct crowd *crowd, struct session *session)
{
	crowd->count++;
	if (!stays(session))
		crowd->oldest = session;
}

bool unfinished_make_room(struct server *server, const struct sockaddr *peer, char *why,
			  size_t size)
{
	struct crowd all = {}, here = {};
	struct session *session, *oldest;
	char host[ADDRESS_TEXT];

	LIST_FOREACH(session, &server->sessions, link) {
		if (session->state != SESSION_NEW)
			continue;
		add(&all, session);
		if (same_host(rdma_get_peer_addr(session->conn[0]->id), peer))
			add(&here, session);
	}
	if (here.count >= UNFINISHED_MAX)
		oldest = here.oldest;
	else if (all.count >= server->opt.max_clients)
		oldest = all.oldest;
	else
		return true;
	if (oldest) {
		session_close(oldest, "no key proved yet, and a newer connection needs its place");
		return true;
	}
	if (here.count >= UNFINISHED_MAX)
		snprintf(why, size, "%u unfinished connections from %s already", here.count,
			 format_host(peer, host));
	else
		snprintf(why, size, "%u unfinished connections already", all.count);
	return false;
}
