// SPDX-License-Identifier: GPL-2.0
/*
 * dialog.c - what is said on queue 0.
 *
 * Owns session->stage: where the dialog of a session stands.  A message that comes while
 * its client has to wait stays in its buffer.
 *
 *   stage        a message from the client      what else moves it on
 *   HELLO        HELLO: admit.c judges: HELD,
 *                VISITED, REFUSED or IDLE
 *   HELD         waits                          the former session answers a probe: REFUSED,
 *                                               or is fenced: IDLE or REFUSED (admit.c)
 *   VISITED      ends the session
 *   REFUSED      waits                          the refusal has arrived: the session ends
 *   IDLE         OPEN: any stage of OPEN;
 *                CLOSE, RELEASE: ENDING, or
 *                IDLE if it is not open
 *  OPEN (grant.c), which takes the first of these that is due after each step of the worker:
 *   MENDING      waits                          the stand-in is filled, or is bad itself
 *   ZEROING      waits                          some slabs are zeroed; error: UNDOING
 *   WAITING      waits                          a dead session has fewer registrations
 *   REGISTERING  waits                          some regions are registered; error: UNDOING
 *   ANSWERING    waits                          all parts are sent: IDLE
 *   UNDOING      waits                          all is deregistered: MENDING if a slab is
 *                                               bad, or refused: IDLE
 *  CLOSE, RELEASE:
 *   ENDING       waits                          all is deregistered: answered: IDLE
 *
 * In each stage a client that breaks the protocol loses its session, see session->state.
 * So does a client of which the adapter has failed a queue pair.
 * Called by watch.c when an adapter has something to say, by main.c when the worker has
 * done something, and by admit.c to answer HELLO.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "barrier.h"
#include "beat.h"
#include "client.h"
#include "clock.h"
#include "conn.h"
#include "dialog.h"
#include "grant.h"
#include "keys.h"
#include "log.h"
#include "mailbox.h"
#include "message.h"
#include "probe.h"
#include "server.h"
#include "session.h"

#define BATCH		16
/* Between two messages to a client that waits: a fraction of its connect_timeout, 20 s. */
#define WORKING_SECONDS	2

/* The fields of WELCOME; a server that refuses tells nothing of itself. */
static void dialog_send_welcome(struct session *session, enum farmem_reason reason,
				const char *detail)
{
	struct server *server = session->server;
	struct message_welcome about = {};
	struct farmem_welcome out;
	size_t len;

	if (!reason) {
		about.lease = server->opt.lease;
		about.generation = server->pool.generation;
		about.slab_size = server->pool.slab_size;
		about.capacity = server->pool.size;
		about.free = server_free(server);
		if (beat_register(&session->beat, session->queues.pd, &about)) {
			session_close(session, "cannot register its heartbeat");
			return;
		}
	}
	len = message_build_welcome(&out, session->hello_id, reason, &about, detail);
	if (!reason && auth_welcome(&session->auth, &out))
		session_close(session, "cannot compute a proof");
	else if (mailbox_send(&session->mailbox, &out, len))
		session_close(session, "cannot send WELCOME");
}

void dialog_welcome(struct session *session)
{
	const char *key = session->auth.keyed ? ", its key is proved" : " without a key";

	session->stage = session->client ? DIALOG_IDLE : DIALOG_VISITED;
	if (session->client)
		peer_info(session->label, "session live%s, %u queues, %u volumes kept", key,
			  session->queue_count, session->client->volume_count);
	else if (conn_log_refusal())
		peer_info(session->label, "a visitor that says it is %s%s", session->name, key);
	dialog_send_welcome(session, FARMEM_OK, NULL);
}

void dialog_refuse(struct session *session, enum farmem_reason reason, const char *detail)
{
	session->stage = DIALOG_REFUSED;
	snprintf(session->close_reason, sizeof(session->close_reason), "%s", detail);
	dialog_send_welcome(session, reason, detail);
}

static void dialog_refuse_key(struct session *session, const struct farmem_hello *hello,
			      const char *why)
{
	static const uint8_t none[FARMEM_AUTH_LEN];

	/* The client is told what it knows already; the log has the rest. */
	dialog_refuse(session, FARMEM_ERR_AUTH, memcmp(hello->proof, none, sizeof(none)) ?
		      "the server does not accept the key that the client used" :
		      "the client used no key");
	snprintf(session->close_reason, sizeof(session->close_reason), "refused, it says it is %s: %s",
		 session->name, why);
}

static void dialog_hello(struct session *session, const struct message *msg)
{
	struct server *server = session->server;
	bool open = client_is_open(server, session->identity);
	uint8_t identity[FARMEM_ID_LEN];
	const char *why;

	session->hello_id = msg->id;
	if (client_identity(msg->hello.name, identity) ||
	    memcmp(identity, session->identity, sizeof(identity)) ||
	    msg->hello.incarnation != session->incarnation) {
		dialog_refuse(session, FARMEM_ERR_MALFORMED,
			      "HELLO does not match the connection request");
		return;
	}
	strcpy(session->name, msg->hello.name);
	if (!auth_hello(&session->auth, &msg->hello.wire, server->keys, open, &why))
		session->ops->hello(session);
	else if (server->opt.insecure && !open && !keys_next(server->keys, session->name))
		dialog_refuse_key(session, &msg->hello.wire,
				  "its volumes belong to a client with a key, but the key file has no key for it");
	else
		dialog_refuse_key(session, &msg->hello.wire, why);
}

/* Why a request may not come now; NULL if it may. */
static const char *dialog_misplaced(const struct session *session, enum farmem_msg_type type)
{
	bool says_hello = type == FARMEM_MSG_HELLO;

	switch (session->stage) {
	case DIALOG_HELLO:
		return says_hello ? NULL : "a request before HELLO";
	case DIALOG_VISITED:
		return says_hello ? "a second HELLO" : "a visitor asked for memory";
	default:
		return says_hello ? "a second HELLO" : NULL;
	}
}

static void dialog_request(struct session *session, const struct message *msg)
{
	const char *wrong = dialog_misplaced(session, msg->type);

	if (wrong) {
		session_close(session, wrong);
		return;
	}
	switch (msg->type) {
	case FARMEM_MSG_HELLO:
		dialog_hello(session, msg);
		break;
	case FARMEM_MSG_OPEN:
		grant_open(session, msg);
		break;
	default:
		grant_end(session, msg);
	}
}

static void dialog_malformed(struct session *session, enum farmem_reason reason,
			     const struct message *msg)
{
	if (reason == FARMEM_ERR_VERSION)
		session_close(session, "a message of another protocol version");
	else if (session->state != SESSION_NEW || msg->type != FARMEM_MSG_HELLO)
		session_close(session, "a malformed message");
	else {
		session->hello_id = msg->id;
		dialog_refuse(session, FARMEM_ERR_MALFORMED, "a malformed HELLO");
	}
}

static void dialog_handle(struct session *session, const struct arrival *arrival)
{
	enum farmem_reason reason;
	struct message msg = {};

	reason = message_parse(mailbox_received(&session->mailbox, arrival->slot), arrival->len, &msg);
	if (mailbox_post(&session->mailbox, arrival->slot))
		session_close(session, "cannot post a receive");
	else if (reason)
		dialog_malformed(session, reason, &msg);
	else
		dialog_request(session, &msg);
}

/* A request has arrived, and none is worked on: one at a time, if it can be answered. */
static bool dialog_may_handle(const struct session *session)
{
	const struct mailbox *mailbox = &session->mailbox;
	bool listens = session->stage == DIALOG_HELLO || session->stage == DIALOG_VISITED ||
		       session->stage == DIALOG_IDLE;

	return session->state != SESSION_DEAD && listens && !session->server->stopping &&
	       mailbox->taken != mailbox->arrived && mailbox_sends(mailbox) < MAILBOX_SENDS;
}

static void dialog_next(struct session *session)
{
	struct mailbox *mailbox = &session->mailbox;

	while (dialog_may_handle(session))
		dialog_handle(session, &mailbox->arrival[mailbox->taken++ % FARMEM_MSG_RECVS]);
}

/*
 * A client may give a request up and send the next: it waits in its buffer
 * until the first is answered.  The receives that are not posted meanwhile
 * hold a client back that asks faster than that.
 */
static void dialog_received(struct session *session, const struct ibv_wc *wc)
{
	struct mailbox *mailbox = &session->mailbox;

	if (wc->opcode != IBV_WC_RECV) {
		session_close(session, "a WRITE with immediate data");
		return;
	}
	if (wc->wc_flags & IBV_WC_WITH_IMM) {
		if (!barrier_heard(session, session->conn[0], ntohl(wc->imm_data)))
			session_close(session, "an unknown token");
		else if (mailbox_post(mailbox, wc->wr_id))
			session_close(session, "cannot post a receive");
		return;
	}
	/* Never full: a buffer is posted again only after it was read. */
	mailbox->arrival[mailbox->arrived++ % FARMEM_MSG_RECVS] =
		(struct arrival){ .slot = wc->wr_id, .len = wc->byte_len };
	dialog_next(session);
}

static void dialog_sent(struct session *session, unsigned int slot)
{
	mailbox_sent(&session->mailbox, slot);
	if (session->stage == DIALOG_REFUSED && !mailbox_sends(&session->mailbox)) {
		session_close(session, session->close_reason);
		return;
	}
	grant_send_parts(session);
	dialog_next(session);
}

/* The cause may also be the adapter: the message says only what it is as a rule. */
static void dialog_broke(struct session *session, unsigned int index, const char *what)
{
	char why[160];

	snprintf(why, sizeof(why),
		 "queue %u broke (%s): usually the client asked for memory that it was not granted",
		 index, what);
	session_close(session, why);
}

/* A queue pair may be in the error state before it is destroyed: what is posted is flushed. */
static bool dialog_is_dropped(const struct session *session, const struct ibv_wc *wc)
{
	const struct conn *conn = session->conn[wc->wr_id - MAILBOX_QUEUE];

	return !conn || conn->connecting || conn->qp->qp_num != wc->qp_num;
}

static void dialog_completion_failed(struct session *session, const struct ibv_wc *wc)
{
	const char *what = ibv_wc_status_str(wc->status);

	if (wc->wr_id >= MAILBOX_QUEUE && dialog_is_dropped(session, wc))
		return;
	/* The cause of a flush is elsewhere, and of a receive it is known. */
	if (wc->status != IBV_WC_WR_FLUSH_ERR && wc->wr_id >= FARMEM_MSG_RECVS)
		session_blame(session, EXPLAIN_WC, wc->status);
	if (wc->wr_id >= MAILBOX_QUEUE)
		dialog_broke(session, wc->wr_id - MAILBOX_QUEUE, what);
	else if (wc->status == IBV_WC_WR_FLUSH_ERR)
		dialog_broke(session, 0, what);
	else if (wc->wr_id >= FARMEM_MSG_RECVS)
		session_close(session, what);
	else
		/* Adapters have several words for it; soft-RoCE says local QP operation error. */
		session_close(session, "a message that is too long");
}

/* Nothing but the token that it is asked for. */
static void dialog_received_beside(struct session *session, const struct ibv_wc *wc)
{
	unsigned int index = wc->wr_id - MAILBOX_QUEUE;
	struct conn *conn = session->conn[index];

	if (dialog_is_dropped(session, wc))
		return;
	if (wc->opcode != IBV_WC_RECV || !(wc->wc_flags & IBV_WC_WITH_IMM) ||
	    !barrier_heard(session, conn, ntohl(wc->imm_data)))
		session_close(session, "a message on a queue that is for data");
	else if (mailbox_watch(conn->qp, index))
		session_close(session, "cannot post a receive");
}

static void dialog_completed(struct session *session, const struct ibv_wc *wc)
{
	if (wc->wr_id == MAILBOX_PROBE && wc->status != IBV_WC_WR_FLUSH_ERR)
		probe_completed(session, wc->status);
	else if (wc->status)
		dialog_completion_failed(session, wc);
	else if (wc->wr_id >= MAILBOX_QUEUE)
		dialog_received_beside(session, wc);
	else if (wc->wr_id < FARMEM_MSG_RECVS)
		dialog_received(session, wc);
	else
		dialog_sent(session, wc->wr_id - MAILBOX_SEND);
}

void dialog_completions(struct session *session)
{
	struct ibv_wc wc[BATCH];
	int count, i, all = 0;

	/* A queue pair that could not be destroyed may complete without end. */
	if (session->state == SESSION_DEAD || session->conn[0]->connecting)
		return;
	/* Armed before it is drained, so nothing is missed in between. */
	if (ibv_req_notify_cq(session->queues.cq, 0)) {
		session_close(session, "cannot arm its completion queue");
		return;
	}
	do {
		count = ibv_poll_cq(session->queues.cq, BATCH, wc);
		all += count;
		for (i = 0; i < count; i++) {
			dialog_completed(session, &wc[i]);
			if (session->state == SESSION_DEAD)
				return;
		}
		/* More than it can hold: some came after it was armed, and an event follows. */
	} while (count == BATCH && all <= session->queues.cq->cqe);
	if (count < 0)
		session_close(session, "cannot poll its completion queue");
}

static unsigned int dialog_queue_of(const struct session *session, const struct ibv_qp *qp)
{
	unsigned int i;

	for (i = 0; i < session->queue_count; i++)
		if (session->conn[i] && !session->conn[i]->connecting &&
		    session->conn[i]->qp == qp)
			return i;
	return 0;
}

void dialog_failed(struct session *session, const struct ibv_async_event *event)
{
	const char *what = ibv_event_type_str(event->event_type);

	/* The queues of a dead session are the fencer's. */
	if (session->state == SESSION_DEAD)
		return;
	session_blame(session, EXPLAIN_ASYNC, event->event_type);
	/* The adapter's words for a request that it refused. */
	if (event->event_type == IBV_EVENT_QP_REQ_ERR ||
	    event->event_type == IBV_EVENT_QP_ACCESS_ERR)
		dialog_broke(session, dialog_queue_of(session, event->element.qp), what);
	else
		session_close(session, what);
}

static void dialog_tell_working(struct session *session, uint64_t now)
{
	struct work *work = &session->work;
	struct farmem_msg out;

	if (!session_is_asked(session) || now - work->reported < WORKING_SECONDS)
		return;
	work->reported = now;
	/* An answer is on its way, or the client has not taken the last message. */
	if (mailbox_sends(&session->mailbox))
		return;
	if (mailbox_send(&session->mailbox, &out, message_build_working(&out, work->id)))
		peer_debug(session->label, "cannot send WORKING");
}

/* A request may end another session than its own, so the list is looked through anew. */
static void dialog_handle_waiting(struct server *server)
{
	struct session *session;

	do {
		LIST_FOREACH(session, &server->sessions, link)
			if (dialog_may_handle(session))
				break;
		if (session)
			dialog_next(session);
	} while (session);
}

void dialog_progress(struct server *server)
{
	uint64_t now = clock_seconds();
	struct session *session;

	grant_resume(server);
	dialog_handle_waiting(server);
	LIST_FOREACH(session, &server->sessions, link)
		dialog_tell_working(session, now);
}

void dialog_goodbye(struct session *session)
{
	struct farmem_done out;
	size_t len = message_build_done(&out, FARMEM_MSG_GOODBYE, 0, NULL,
					FARMEM_ERR_SHUTTING_DOWN);

	if (session->state == SESSION_LIVE && mailbox_send(&session->mailbox, &out, len))
		peer_debug(session->label, "cannot send GOODBYE");
}
