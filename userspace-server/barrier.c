// SPDX-License-Identifier: GPL-2.0
/*
 * barrier.c - memory that a client gives up is lent again while its session lasts.
 *
 * Owns the tokens, and moves slabs out of quarantine.  A slab in quarantine has no
 * registration any more, so no request that begins now reaches it.  One that began before
 * may still be under way.  A queue pair carries requests out one behind the other (IBTA vol.
 * 1, 9.5), so a message on it proves that none is: a message that cannot have been sent before
 * the registration went, because it has a token that the client did not know.  Each
 * queue pair says it for itself.  A client that does not keeps its slabs in quarantine.
 *
 * Called by dialog.c for what arrives, and by watch.c each second.
 */
#include <sys/random.h>

#include "barrier.h"
#include "clean.h"
#include "client.h"
#include "clock.h"
#include "format.h"
#include "log.h"
#include "server.h"
#include "status.h"

/* A client that says nothing for so long is an old one, or does not want to. */
#define ANSWER_SECONDS	30

static void barrier_set(struct session *session, uint32_t token)
{
	session->barrier_before = session->barrier;
	session->barrier = token;
	session->barrier_since = clock_seconds();
	beat_ask(&session->beat, token);
}

/*
 * Can its queues prove it?  A queue pair that could not be destroyed says nothing, and a
 * registration that could not be dropped lets requests in that begin later.
 */
static bool barrier_can_prove(const struct session *session)
{
	return !session->key_left && !session->queues.cut && !session->queues.unfenced &&
	       !session->client->unfenced;
}

/*
 * Each queue's receive is posted: the client has said the last token on all of them.  So none
 * of its queues waits for farmemd, whose receive the message takes.
 */
static void barrier_ask(struct session *session)
{
	struct client *client = session->client;
	uint32_t token;

	if (session->barrier || !barrier_can_prove(session))
		return;
	if (!client->yielded.slabs) {
		client->yielded = client->quarantine;
		client->quarantine = (struct slab_list){};
	}
	if (client->yielded.slabs && getrandom(&token, sizeof(token), 0) == sizeof(token))
		barrier_set(session, token);
}

/* A queue that is not there writes nothing; one that is being made or fenced might. */
static bool barrier_is_through(const struct session *session)
{
	unsigned int i;

	for (i = 0; i < session->queue_count; i++)
		if (session->conn[i] && session->conn[i]->barrier != session->barrier)
			return false;
	return !session->queues.connecting;
}

static void barrier_settle(struct session *session)
{
	struct server *server = session->server;
	struct client *client = session->client;
	char size[SIZE_TEXT];

	if (!session->barrier || !barrier_is_through(session))
		return;
	barrier_set(session, 0);
	if (!barrier_can_prove(session))
		return;
	peer_debug(session->label, "%s that it gave up may be lent again",
		   format_size(client->yielded.slabs * server->pool.slab_size, size));
	slab_fence(&server->slabs, &client->yielded);
	clean_kick(server);
	status_report(server);
}

bool barrier_heard(struct session *session, struct conn *conn, uint32_t token)
{
	if (!token || conn->barrier == token ||
	    (token != session->barrier && token != session->barrier_before))
		return false;
	conn->barrier = token;
	barrier_settle(session);
	return true;
}

/* Slabs that will be free by themselves, and soon. */
static uint32_t barrier_coming(const struct session *session)
{
	const struct client *client = session->client;

	if (!barrier_can_prove(session) ||
	    (session->barrier && clock_seconds() - session->barrier_since >= ANSWER_SECONDS))
		return 0;
	return client->yielded.slabs + client->quarantine.slabs;
}

void barrier_look(struct server *server)
{
	struct session *session;
	uint32_t coming = 0;

	LIST_FOREACH(session, &server->sessions, link) {
		if (session->state != SESSION_LIVE)
			continue;
		barrier_settle(session);
		barrier_ask(session);
		coming += barrier_coming(session);
	}
	server->headroom.coming = coming;
}
