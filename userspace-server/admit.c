// SPDX-License-Identifier: GPL-2.0
/*
 * admit.c - connection requests.
 *
 * Owns struct held: a request that waits until it is known whether the client
 * that has its identity is alive.  Called by cm.c for each request, and by
 * probe.c and session.c when the wait is over.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "admit.h"
#include "client.h"
#include "conn.h"
#include "device.h"
#include "identity.h"
#include "log.h"
#include "message.h"
#include "parse.h"
#include "probe.h"
#include "server.h"
#include "session.h"
#include "util.h"

/* Hangs off the session in its way; @handler serves @id meanwhile. */
struct held {
	struct cm_handler handler;
	struct session *session;
	struct rdma_cm_id *id;
	struct cm_request req;
	unsigned int responder_resources;
};

static struct held *take_held(struct session *session)
{
	struct held *held = session->held;

	session->held = NULL;
	return held;
}

void admit_drop_held(struct session *session)
{
	struct held *held = take_held(session);

	if (!held)
		return;
	rdma_destroy_id(held->id);
	free(held);
}

void admit_refuse_held(struct session *session)
{
	struct held *held = take_held(session);

	if (!held)
		return;
	conn_reject(held->id, FARMEM_ERR_BUSY_IDENTITY, "it is connected from %s",
		    session->label);
	free(held);
}

bool admit_held_is_on(const struct held *held, const struct ibv_context *verbs)
{
	return held->id->verbs == verbs;
}

/* Whoever waits may give up waiting; anything else ends it likewise. */
static void held_event(struct cm_handler *handler, const struct cm_event *event)
{
	struct held *held = container_of(handler, struct held, handler);

	peer_debug(held->session->label, "held request: %s", rdma_event_str(event->type));
	admit_drop_held(held->session);
}

static void hold(struct session *session, struct rdma_cm_id *id, const struct cm_request *req,
		 unsigned int responder_resources)
{
	struct held *held = calloc(1, sizeof(*held));
	char peer[ADDRESS_TEXT];

	if (!held) {
		conn_reject(id, FARMEM_ERR_RESOURCES, "out of memory");
		return;
	}
	held->handler.event = held_event;
	held->session = session;
	held->id = id;
	held->req = *req;
	held->responder_resources = responder_resources;
	id->context = &held->handler;
	session->held = held;
	peer_info(format_address(rdma_get_peer_addr(id), peer),
		  "wants the identity of %s; asking that one for a sign of life", session->label);
	probe_start(session);
}

static void open_session(struct server *server, struct rdma_cm_id *id,
			 const struct cm_request *req, unsigned int responder_resources)
{
	struct device *device = device_get(server, id->verbs);
	struct client *client;

	if (!device) {
		conn_reject(id, FARMEM_ERR_RESOURCES, "the RDMA device does not work: %s",
			    strerror(errno));
		return;
	}
	client = client_get(server, req->identity);
	if (!client) {
		conn_reject(id, errno == EUSERS ? FARMEM_ERR_TOO_MANY : FARMEM_ERR_RESOURCES,
			    "the server has %u clients", server->client_count);
		device_put(device);
		return;
	}
	session_open(server, device, client, id, req, responder_resources);
}

void admit_held(struct server *server, struct held *held)
{
	if (server->stopping)
		conn_reject(held->id, FARMEM_ERR_SHUTTING_DOWN, "shutting down");
	else
		open_session(server, held->id, &held->req, held->responder_resources);
	free(held);
}

static void admit_session(struct server *server, const struct cm_event *event,
			  const struct cm_request *req)
{
	struct client *client = client_find(server, req->identity);
	struct session *old = client ? client->session : NULL;
	bool takeover = req->flags & FARMEM_CM_TAKEOVER;
	struct identity_state state = { .session = old };

	if (old) {
		state.incarnation = old->incarnation;
		state.held = old->held;
		state.held_incarnation = old->held ? old->held->req.incarnation : 0;
	}
	switch (identity_judge(&state, req->incarnation, takeover)) {
	case IDENTITY_REPLACE:
		admit_drop_held(old);
		/* fall through */
	case IDENTITY_PROBE:
		hold(old, event->id, req, event->responder_resources);
		return;
	case IDENTITY_BUSY:
		conn_reject(event->id, FARMEM_ERR_BUSY_IDENTITY, "it is connected from %s",
			    old->label);
		return;
	case IDENTITY_FENCE:
		admit_refuse_held(old);
		session_close(old, takeover && old->incarnation != req->incarnation ?
			      "taken over" : "the client has come back");
		/* fall through */
	case IDENTITY_ACCEPT:
		open_session(server, event->id, req, event->responder_resources);
	}
}

static void admit_queue(struct server *server, const struct cm_event *event,
			const struct cm_request *req)
{
	struct session *session = session_find(server, req->token);

	if (!session || session->incarnation != req->incarnation ||
	    memcmp(session->client->identity, req->identity, FARMEM_ID_LEN))
		conn_reject(event->id, FARMEM_ERR_NO_SESSION, "queue %u of an unknown session",
			    req->queue_index);
	else if (session->device->verbs != event->id->verbs)
		conn_reject(event->id, FARMEM_ERR_RESOURCES,
			    "queue %u came through %s, its session is on %s", req->queue_index,
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
		conn_reject(event->id, reason, "this farmemd speaks protocol version %d only",
			    FARMEM_VERSION);
	else if (reason)
		conn_reject(event->id, reason, "the connection request is malformed");
	else if (server->stopping)
		conn_reject(event->id, FARMEM_ERR_SHUTTING_DOWN, "shutting down");
	else if (req.queue_index)
		admit_queue(server, event, &req);
	else
		admit_session(server, event, &req);
}
