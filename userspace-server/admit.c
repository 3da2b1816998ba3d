// SPDX-License-Identifier: GPL-2.0
/*
 * admit.c - the handshake: which session is let in, and as which client.
 *
 *   client                       here                                    session
 *
 *   REQ of queue 0 ------------> admit_request()
 *   (identity, count)              admit_has_room()? else REJ            NEW,
 *                                  session_open(): a queue pair          nobody's
 *   REP or REJ <---------------- connected: conn_accept(), or conn_refuse()
 *   (challenge, queues)
 *   RTU, HELLO ----------------> dialog.c:dialog_hello()
 *   (name, proof)                  the name's hash is that of the REQ?
 *                                  auth_hello(): its key is proved?
 *                                admit_hello(): admit_judge()
 *                                  ACCEPT        nobody has the name
 *                                  FENCE         the client itself is back, or takes over:
 *                                                session_close() of the former one
 *                                  PROBE         another incarnation: is the former one
 *                                                alive? wait for its answer      held
 *                                  REPLACE       the one that waits tries again
 *                                  BUSY          another one waits
 *                                     |
 *                                     +- probe answered: admit_refuse_held()
 *                                     +- former one fenced: admit_held()
 *   WELCOME <------------------- admit_let_in(): session_live()          LIVE,
 *   (proof, lease, status page)    dialog_welcome(), or dialog_refuse()  a client's
 *
 *   REQ of queue n ------------> admit_request()
 *   (token)                        auth_token_fits()? session_add_queue()
 *   REP or REJ <---------------- connected, as queue 0
 *
 * A REQ has no room for a proof, so it changes nothing for other sessions: HELLO does.  A
 * visitor is told in WELCOME what a client of its name would be told, and its session stays
 * nobody's.  Owns the wait of one session for another: session->held, session->rival.
 * The number of sessions that are nobody's is counted in the server's list of sessions,
 * which has the newest first.
 */
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "admit.h"
#include "auth.h"
#include "client.h"
#include "cm.h"
#include "conn.h"
#include "device.h"
#include "dialog.h"
#include "grant.h"
#include "lease.h"
#include "log.h"
#include "message.h"
#include "parse.h"
#include "probe.h"
#include "server.h"
#include "session.h"
#include "status.h"

#define CLEARED_AWAY	"%u sessions that ended are being cleared away"

static void __attribute__((format(printf, 3, 4)))
admit_refuse(struct session *session, enum farmem_reason reason, const char *format, ...)
{
	char detail[120];
	va_list args;

	va_start(args, format);
	vsnprintf(detail, sizeof(detail), format, args);
	va_end(args);
	dialog_refuse(session, reason, detail);
}

static void admit_forget_rival(struct session *session)
{
	if (session->rival)
		session->rival->held = NULL;
	session->rival = NULL;
}

/* The session that waits for @session; @session forgets it. */
static struct session *admit_take_held(struct session *session)
{
	struct session *held = session->held;

	if (held)
		admit_forget_rival(held);
	return held;
}

static void admit_refuse_held(struct session *session)
{
	struct session *held = admit_take_held(session);

	if (held)
		admit_refuse(held, FARMEM_ERR_BUSY_IDENTITY, "it is connected from %s", session->label);
}

static void admit_wait_for(struct session *session, struct session *rival)
{
	session->stage = DIALOG_HELD;
	session->rival = rival;
	rival->held = session;
	session_wait(session);
}

static void admit_hold(struct session *session, struct session *rival)
{
	admit_wait_for(session, rival);
	/* A rival that is over is being fenced: no probe is needed. */
	if (rival->state == SESSION_DEAD)
		return;
	peer_info(session->label, "wants the identity of %s; asking that client for a sign of life",
		  rival->label);
	probe_start(rival);
}

static void admit_let_in(struct session *session)
{
	struct server *server = session->server;
	struct client *client = client_get(server, session->identity);

	if (!client) {
		admit_refuse(session, errno == EUSERS ? FARMEM_ERR_TOO_MANY : FARMEM_ERR_RESOURCES,
			     "the server has %u clients", server->client_count);
		return;
	}
	strcpy(client->name, session->name);
	session_live(session, client);
	dialog_welcome(session);
}

/*
 * Is a queue pair left by which a former session of this name may write?  The incarnation
 * of that session has destroyed its own end before it came back, see decision 12.  Of any
 * other nothing is known: the former one may be a node that lives.
 */
static bool admit_is_unsafe(const struct session *session)
{
	const struct client *client = client_find(session->server, session->identity);

	return client && client->unfenced && client->incarnation != session->incarnation;
}

static void admit_refuse_unsafe(struct session *session)
{
	admit_refuse(session, FARMEM_ERR_RESOURCES,
		     "a queue pair of its former session may be left: remove that RDMA device, or restart farmemd");
}

static void admit_held(struct session *session)
{
	admit_forget_rival(session);
	if (session->server->stopping)
		admit_refuse(session, FARMEM_ERR_SHUTTING_DOWN, "shutting down");
	else if (admit_is_unsafe(session))
		admit_refuse_unsafe(session);
	else if (!auth_holds(&session->auth, session->server->keys,
			     client_is_open(session->server, session->identity)))
		admit_refuse(session, FARMEM_ERR_AUTH, "the server no longer accepts the key that the client used");
	else
		admit_let_in(session);
}

/*
 * A visitor is told what a client of its name would be, as far as no other client has to
 * be probed for it.  Its session stays unfinished, and is bounded as those are: in number
 * (admit_make_room()) and in time (session.c).  It may do no more than read the WELCOME.
 */
static void admit_visit(struct session *session)
{
	struct server *server = session->server;

	if (!client_find(server, session->identity) &&
	    server->client_count >= server->opt.max_clients)
		admit_refuse(session, FARMEM_ERR_TOO_MANY, "the server has %u clients",
			     server->client_count);
	else
		dialog_welcome(session);
}

/*
 * An incarnation is one load of the client's module.  The same one comes back when it has
 * lost its connection, and knows that it has no other.  Another one is a reboot, a reload,
 * or a second node of the same name: only a probe of the old client tells which.
 */
enum admit_verdict admit_judge(const struct admit_state *state, uint64_t incarnation,
			       bool takeover)
{
	if (!state->session)
		return ADMIT_ACCEPT;
	if (takeover || state->incarnation == incarnation)
		return ADMIT_FENCE;
	if (!state->held)
		return ADMIT_PROBE;
	/* The client that waits has run out of patience and tries again. */
	if (state->held_incarnation == incarnation)
		return ADMIT_REPLACE;
	return ADMIT_BUSY;
}

/* Dead sessions that still have registrations: of this client. */
static unsigned int admit_count_dead(const struct server *server,
				     const uint8_t identity[FARMEM_ID_LEN])
{
	const struct session *session;
	unsigned int count = 0;

	LIST_FOREACH(session, &server->dead, link)
		count += session->client && !memcmp(session->identity, identity, FARMEM_ID_LEN);
	return count;
}

/*
 * And of nobody.  A client that has left without memory is forgotten.  Without a key it may
 * take any name next, so its session counts; with one it counts as its client's.
 */
static unsigned int admit_count_dead_strangers(struct server *server)
{
	const struct session *session;
	unsigned int count = 0;

	LIST_FOREACH(session, &server->dead, link)
		count += !session->client ||
			 (!session->auth.keyed && !client_find(server, session->identity));
	return count;
}

static void admit_hello(struct session *session)
{
	struct client *client = client_find(session->server, session->identity);
	unsigned int dead = admit_count_dead(session->server, session->identity);
	struct session *old = client ? client->session : NULL;
	struct admit_state state = { .session = old };

	if (session->visitor) {
		admit_visit(session);
		return;
	}
	if (dead >= CLIENT_DEAD_MAX) {
		admit_refuse(session, FARMEM_ERR_RESOURCES, CLEARED_AWAY, dead);
		return;
	}
	if (admit_is_unsafe(session)) {
		admit_refuse_unsafe(session);
		return;
	}
	if (old) {
		state.incarnation = old->incarnation;
		state.held = old->held;
		state.held_incarnation = old->held ? old->held->incarnation : 0;
	}
	switch (admit_judge(&state, session->incarnation, session->takeover)) {
	case ADMIT_REPLACE:
		session_close(admit_take_held(old), "the client tries again");
		/* fall through */
	case ADMIT_PROBE:
		admit_hold(session, old);
		return;
	case ADMIT_BUSY:
		admit_refuse(session, FARMEM_ERR_BUSY_IDENTITY, "it is connected from %s", old->label);
		return;
	case ADMIT_FENCE:
		admit_refuse_held(old);
		admit_wait_for(session, old);
		session_close(old, session->takeover && old->incarnation != session->incarnation ?
			      "taken over" : "the client has come back");
		return;
	case ADMIT_ACCEPT:
		admit_let_in(session);
	}
}

static void admit_ended(struct session *session)
{
	admit_forget_rival(session);
	grant_abandon(session);
}

/* The client's memory is kept for as long as its lease, and its next session may begin. */
static void admit_fenced(struct session *session)
{
	if (session->client) {
		lease_begin(session->client);
		status_report(session->server);
	}
	if (session->held)
		admit_held(session->held);
}

const struct session_ops admit_ops = {
	.hello = admit_hello,
	.alive = admit_refuse_held,
	.ended = admit_ended,
	.fenced = admit_fenced,
};

/* The sessions that are nobody's, of one address or of all. */
struct crowd {
	unsigned int count;
	struct session *oldest;		/* of those that may go; NULL: none may */
};

/*
 * A session stays that has proved its key, and waits for its rival or for its refusal to
 * arrive.  Without a key such sessions could hold all places of an address.
 */
static bool admit_stays(const struct session *session)
{
	return session->auth.keyed &&
	       (session->stage == DIALOG_HELD || session->stage == DIALOG_REFUSED);
}

static void admit_count(struct crowd *crowd, struct session *session)
{
	crowd->count++;
	if (!admit_stays(session))
		crowd->oldest = session;
}

bool admit_make_room(struct server *server, const struct sockaddr *peer, char *why, size_t size)
{
	struct crowd all = {}, here = {};
	struct session *session, *oldest;
	char host[ADDRESS_TEXT];

	LIST_FOREACH(session, &server->sessions, link) {
		if (session->state != SESSION_NEW)
			continue;
		admit_count(&all, session);
		if (same_host(rdma_get_peer_addr(session->conn[0]->id), peer))
			admit_count(&here, session);
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

/* May another session begin?  If not, its request is refused. */
static bool admit_has_room(struct server *server, struct rdma_cm_id *id)
{
	unsigned int dead = admit_count_dead_strangers(server);
	char why[120];

	if (!admit_make_room(server, rdma_get_peer_addr(id), why, sizeof(why))) {
		conn_reject(server, id, FARMEM_ERR_RESOURCES, "%s", why);
		return false;
	}
	/*
	 * Strangers' sessions begin and end faster than the worker clears them away.  Those of
	 * clients are judged at HELLO: a client that lost its connection has a dead one.
	 */
	if (dead >= server->opt.max_clients) {
		conn_reject(server, id, FARMEM_ERR_RESOURCES, CLEARED_AWAY, dead);
		return false;
	}
	return true;
}

static void admit_session(struct server *server, const struct cm_event *event,
			  const struct cm_request *req)
{
	const char *why;
	struct device *device = device_get(server, event->id->verbs, &why);

	if (!device)
		conn_reject(server, event->id, FARMEM_ERR_RESOURCES,
			    "the RDMA device does not work: %s", why);
	else if (admit_has_room(server, event->id))
		session_open(server, &admit_ops, device, event->id, req,
			     event->responder_resources);
	else
		device_put(device);
}

static void admit_queue(struct server *server, const struct cm_event *event,
			const struct cm_request *req)
{
	struct client *client = client_find(server, req->identity);
	struct session *session = client ? session_of(client) : NULL;

	if (!session || session->incarnation != req->incarnation ||
	    !auth_token_fits(&session->auth, req->queue_index, req->token))
		conn_reject(server, event->id, FARMEM_ERR_NO_SESSION, "queue %u of an unknown session",
			    req->queue_index);
	else if (session->device->verbs != event->id->verbs)
		conn_reject(server, event->id, FARMEM_ERR_RESOURCES,
			    "queue %u came through %s, but its session uses %s", req->queue_index,
			    ibv_get_device_name(event->id->verbs->device),
			    ibv_get_device_name(session->device->verbs->device));
	else
		session_add_queue(session, event->id, req, event->responder_resources);
}

void admit_request(struct server *server, const struct cm_event *event)
{
	enum farmem_reason reason;
	struct cm_request req;

	reason = message_parse_request(event->data, event->len, &req);
	if (reason == FARMEM_ERR_VERSION)
		conn_reject(server, event->id, reason, "this farmemd speaks protocol version %d only",
			    FARMEM_VERSION);
	else if (reason)
		conn_reject(server, event->id, reason, "the connection request is malformed");
	else if (server->stopping)
		conn_reject(server, event->id, FARMEM_ERR_SHUTTING_DOWN, "shutting down");
	else if (req.queue_index)
		admit_queue(server, event, &req);
	else
		admit_session(server, event, &req);
}
