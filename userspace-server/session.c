// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - the life of a session, and the fence at its end.
 *
 * Owns struct session.  admit.c opens one for a connection request: its client is known,
 * and proved, when HELLO came.  The connector makes its queue pairs, see conn.c.
 *
 * A session ends in one way, by session_close().  All that stand above it call that.
 * dialog.c and grant.c: an error or a violation.  probe.c: the client is dead.  admit.c: a
 * new session comes.  watch.c: the device goes.  report.c: an administrator asks for it.
 * A queue that fails says so by conn_ops.failed().
 */
#include <errno.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "beat.h"
#include "clean.h"
#include "client.h"
#include "clock.h"
#include "conn.h"
#include "device.h"
#include "log.h"
#include "mailbox.h"
#include "server.h"
#include "session.h"
#include "status.h"
#include "util.h"
#include "volume.h"
#include "worker.h"

/* A CM message that is lost on the way comes again after 4 s and more. */
#define HELLO_USEC	(SESSION_HELLO_SECONDS * 1000000ull)
/* A probe, and a fence whose adapter is being removed, take less. */
#define HELD_SECONDS	120
/* The kernel unpins all registered memory as it removes an adapter: a TiB may take 20 s. */
#define REMOVAL_SECONDS	60
#define TEXT_OF(x)	#x
#define NUMBER_TEXT(x)	TEXT_OF(x)
#define CQ_ENTRIES	(FARMEM_MSG_RECVS + CONN_SENDS + 7)	/* and one for each queue */

static void session_reap_next(struct session *session);

static bool session_runs_overlap(struct slab_run a, struct slab_run b)
{
	return a.first < b.first + b.count && b.first < a.first + a.count;
}

bool session_reaping(const struct server *server, struct slab_run run)
{
	const struct session *session;
	const struct grant *grant;
	size_t i;

	LIST_FOREACH(session, &server->dead, link) {
		LIST_FOREACH(grant, &session->grants, link) {
			bool begun = grant == LIST_FIRST(&session->grants);

			for (i = begun ? session->reaped : 0; i < grant->regions; i++)
				if (session_runs_overlap(grant->region[i].run, run))
					return true;
		}
	}
	return false;
}

static void session_reap_region_run(struct job *job)
{
	struct session *session = container_of(job, struct session, reap);

	region_deregister(&LIST_FIRST(&session->grants)->region[session->reaped]);
}

static void session_reap_region_done(struct job *job)
{
	struct session *session = container_of(job, struct session, reap);
	struct grant *grant = LIST_FIRST(&session->grants);

	if (++session->reaped == grant->regions) {
		region_forget(grant);
		session->reaped = 0;
	}
	session_reap_next(session);
}

/* When nothing of a volume is left. */
static void session_reap_rest_run(struct job *job)
{
	struct session *session = container_of(job, struct session, reap);
	int ret;

	beat_deregister(&session->beat);
	if (session->mailbox.mr)
		ibv_dereg_mr(session->mailbox.mr);
	ret = session->queues.pd ? ibv_dealloc_pd(session->queues.pd) : 0;
	if (ret && ret != EIO)
		peer_warn(session->label, "cannot free its protection domain: %s", strerror(ret));
}

static void session_free(struct session *session)
{
	LIST_REMOVE(session, link);
	device_put(session->device);
	free(session->mailbox.buffers);
	beat_free(&session->beat);
	free(session->conn);
	free(session);
}

static void session_reap_rest_done(struct job *job)
{
	struct session *session = container_of(job, struct session, reap);

	free(session->work.wire);
	session->work.wire = NULL;
	if (!session->lingers) {
		session_free(session);
		return;
	}
	LIST_REMOVE(session, link);
	LIST_INSERT_HEAD(&session->server->lingering, session, link);
}

/* One region at a time: requests of other sessions come in between. */
static void session_reap_next(struct session *session)
{
	bool rest = LIST_EMPTY(&session->grants);

	session->reap.run = rest ? session_reap_rest_run : session_reap_region_run;
	session->reap.done = rest ? session_reap_rest_done : session_reap_region_done;
	worker_submit(session->server->worker, &session->reap);
}

/* The fence. */
static void session_fence_run(struct job *job)
{
	struct session *session = container_of(job, struct session, reap);
	unsigned int i;
	int ret;

	for (i = 0; i < session->queue_count; i++)
		if (session->conn[i])
			conn_fence(session->conn[i]);
	ret = session->queues.cq ? ibv_destroy_cq(session->queues.cq) : 0;
	if (ret == EIO) {
		session->queues.cut = true;
	} else if (ret) {
		session->lingers = true;
		peer_warn(session->label, "cannot destroy its completion queue: %s", strerror(ret));
	}
	session->queues.cq = NULL;
}

static void session_park_queues(struct session *session)
{
	unsigned int i;

	for (i = 0; i < session->queue_count; i++) {
		if (session->conn[i])
			conn_park(session->conn[i], !session->client);
		session->conn[i] = NULL;
	}
	conn_disconnect_parked(session->device);
}

/* Commands to its adapter gave EIO: until the adapter is removed, its queue pairs may be left. */
static bool session_must_wait(struct session *session)
{
	if (!session->queues.cut || device_is_removed(session->device))
		return false;
	/* As farmemd ends, the kernel waits for that with the process: see main.c:main_let_go_of_pool(). */
	if (!session->server->stopping && clock_seconds() < session->removal_due)
		return true;
	peer_warn(session->label, "its RDMA device takes no commands, and the kernel has not removed it%s",
		  session->server->stopping ? " yet" : " within " NUMBER_TEXT(REMOVAL_SECONDS) " s");
	session->queues.unfenced = true;
	return false;
}

/* Nothing of the client lands any more: what it gave up may be lent again. */
static void session_settle(struct session *session)
{
	struct client *client = session->client;

	session->awaits_removal = session_must_wait(session);
	if (session->awaits_removal)
		return;
	session->lingers |= session->queues.unfenced;
	session->server->unfenced += session->queues.unfenced;
	/* A session that was nobody's had no memory. */
	if (client && session->queues.unfenced)
		client_unfenced(client);
	else if (client)
		client_fenced(client);
	session_reap_next(session);
	clean_kick(session->server);
	session->ops->fenced(session);
}

static void session_fence_done(struct job *job)
{
	struct session *session = container_of(job, struct session, reap);

	session_park_queues(session);
	session->removal_due = clock_seconds() + REMOVAL_SECONDS;
	session_settle(session);
}

/* The kernel has removed its adapter after all. */
static void session_settle_late(struct session *session)
{
	struct server *server = session->server;

	server->unfenced -= session->queues.unfenced;
	if (session->client && session->queues.unfenced)
		client_fenced_late(session->client);
	session_free(session);
	clean_kick(server);
	status_report(server);
}

void session_settle_all(struct server *server)
{
	struct session *session, *next;

	/* None leaves this list here: the worker comes first. */
	LIST_FOREACH(session, &server->dead, link)
		if (session->awaits_removal)
			session_settle(session);
	for (session = LIST_FIRST(&server->lingering); session; session = next) {
		next = LIST_NEXT(session, link);
		if (device_is_removed(session->device))
			session_settle_late(session);
	}
}

/* Waits until the connector has no queue of the session any more. */
static void session_fence(struct session *session)
{
	if (session->queues.connecting)
		return;
	session->reap.run = session_fence_run;
	session->reap.done = session_fence_done;
	if (session->client)
		worker_submit_urgent(session->server->fencer, &session->reap);
	else
		worker_submit(session->server->fencer, &session->reap);
}

/* The end of a session, by session_close() or after a failed session_open(). */
static void session_retire(struct session *session)
{
	struct server *server = session->server;
	unsigned int i;

	session->state = SESSION_DEAD;
	LIST_REMOVE(session, link);
	LIST_INSERT_HEAD(&server->dead, session, link);
	session->hello_timer = sd_event_source_disable_unref(session->hello_timer);
	session->probe_timer = sd_event_source_disable_unref(session->probe_timer);
	OPENSSL_cleanse(session->auth.session_key, sizeof(session->auth.session_key));
	for (i = 0; i < session->queue_count; i++)
		if (session->conn[i])
			conn_give_up(session->conn[i]);
	session_fence(session);
}

void session_blame(struct session *session, enum explain_kind kind, int code)
{
	session->blame = explain_find(kind, code);
}

/* A client that was refused may hang up before the refusal is known to have arrived. */
static void session_log_end(const struct session *session, const char *why)
{
	peer_info(session->label, "session closed: %s",
		  *session->close_reason ? session->close_reason : why);
	if (session->blame)
		peer_warn(session->label, "%s: check %s", session->blame->words,
			  session->blame->check);
}

void session_close(struct session *session, const char *why)
{
	struct client *client = session->client;
	struct volume *volume;

	if (session->state == SESSION_DEAD)
		return;
	/* Sessions that are nobody's may begin and end as often as a stranger likes. */
	if (client || conn_log_refusal())
		session_log_end(session, why);
	if (client) {
		client->silent_since = clock_seconds();
		LIST_FOREACH(volume, &client->volumes, link)
			volume->grant = NULL;
	}
	session->ops->ended(session);
	session_retire(session);
}

/* The first session of a device, in a state or any (SESSION_DEAD). */
static struct session *session_first_on(struct server *server, const struct device *device,
					enum session_state state)
{
	struct session *session;

	LIST_FOREACH(session, &server->sessions, link)
		if (session->device == device &&
		    (state == SESSION_DEAD || session->state == state))
			return session;
	return NULL;
}

void session_close_device(struct server *server, const struct device *device, const char *why)
{
	struct session *session;

	/* New ones first: the end of another session would let them in. */
	while ((session = session_first_on(server, device, SESSION_NEW)))
		session_close(session, why);
	while ((session = session_first_on(server, device, SESSION_DEAD)))
		session_close(session, why);
}

static int session_on_timeout(sd_event_source *source, uint64_t usec, void *data)
{
	struct session *session = data;

	(void)source;
	(void)usec;
	if (session->rival)
		session_close(session, "its client's earlier session is not fenced after "
			      NUMBER_TEXT(HELD_SECONDS) " s");
	else if (session->visitor)
		session_close(session, "a visit lasts at most "
			      NUMBER_TEXT(SESSION_HELLO_SECONDS) " s");
	else
		session_close(session, "no HELLO within " NUMBER_TEXT(SESSION_HELLO_SECONDS) " s");
	return 0;
}

void session_wait(struct session *session)
{
	sd_event_source_set_time_relative(session->hello_timer, HELD_SECONDS * 1000000ull);
}

void session_live(struct session *session, struct client *client)
{
	char peer[ADDRESS_TEXT];

	session->state = SESSION_LIVE;
	session->client = client;
	client_heard(client, session, session->incarnation);
	if (session->auth.keyed)
		volume_prove_all(client);
	session->hello_timer = sd_event_source_disable_unref(session->hello_timer);
	snprintf(session->label, sizeof(session->label), "%s (%s)",
		 format_address(rdma_get_peer_addr(session->conn[0]->id), peer),
		 session->client->name);
}

struct session *session_of(const struct client *client)
{
	struct session *session = client->session;

	return session && session->state == SESSION_LIVE ? session : NULL;
}

unsigned int session_queues(const struct session *session)
{
	unsigned int connected = 0;
	unsigned int i;

	for (i = 0; i < session->queue_count; i++)
		connected += session->conn[i] && !session->conn[i]->connecting;
	return connected;
}

/* @lacks: what could not be made, if it fails. */
static int session_make_domain(struct session *session, enum limit *lacks)
{
	struct device *device = session->device;
	int ret;

	*lacks = LIMIT_PD;
	session->queues.pd = ibv_alloc_pd(device->verbs);
	if (!session->queues.pd)
		return -errno;
	*lacks = LIMIT_CQ;
	session->queues.cq = ibv_create_cq(device->verbs, CQ_ENTRIES + session->queue_count, session,
				    device->channel, 0);
	if (!session->queues.cq)
		return -errno;
	if (ibv_req_notify_cq(session->queues.cq, 0))
		return -EIO;
	*lacks = LIMIT_MR;
	ret = mailbox_open(&session->mailbox, session->queues.pd);
	return ret ? ret : beat_alloc(&session->beat, session->server);
}

/* The REP, which is the same for each queue of the session. */
static int session_make_rep(struct session *session)
{
	uint8_t challenge[FARMEM_AUTH_LEN], token[FARMEM_ID_LEN];

	if (getrandom(challenge, sizeof(challenge), 0) != sizeof(challenge) ||
	    getrandom(token, sizeof(token), 0) != sizeof(token))
		return -EIO;
	message_build_rep(&session->auth.said.rep, session->queue_count, token,
			  session->server->pool.generation, challenge, session->server->uuid);
	return 0;
}

static void session_refuse_queue(struct session *session, struct conn *conn)
{
	unsigned int index = conn->index;

	session->conn[index] = NULL;
	conn_refuse(conn);
	if (!index)
		session_retire(session);
}

static void session_drop_queue(struct session *session, struct conn *conn)
{
	/* The queue goes with the others, or is being dropped already. */
	if (session->state == SESSION_DEAD || session->conn[conn->index] != conn)
		return;
	session->conn[conn->index] = NULL;
	conn_drop(conn);
}

/*
 * The kernel does not tell of a request that its client gave up before it was accepted.
 * To accept that request fails.
 */
static void session_not_accepted(struct session *session, struct conn *conn)
{
	if (!conn->index) {
		session_close(session, "cannot accept a queue");
		return;
	}
	peer_debug(session->label, "queue %u: cannot be accepted: %m", conn->index);
	session_drop_queue(session, conn);
}

static void session_queue_connected(struct conn_group *queues, struct conn *conn)
{
	struct session *session = container_of(queues, struct session, queues);

	if (session->conn[conn->index] != conn) {
		/* Meanwhile the client gave it up. */
		conn_drop(conn);
	} else if (session->state == SESSION_DEAD) {
		session_fence(session);
	} else if (conn->error) {
		session_refuse_queue(session, conn);
	} else if (conn_accept(conn, &session->auth.said.rep)) {
		session_not_accepted(session, conn);
	} else if (!conn->index) {
		peer_debug(session->label, "accepted, %u queues", session->queue_count);
		/* Messages may have come before. */
		session->server->ops->completed(session);
	}
}

static void session_queue_given_up(struct conn_group *queues, struct conn *conn)
{
	session_drop_queue(container_of(queues, struct session, queues), conn);
}

static void session_queue_dropped(struct conn_group *queues)
{
	struct session *session = container_of(queues, struct session, queues);

	conn_disconnect_parked(session->device);
	if (session->state == SESSION_DEAD)
		session_fence(session);
}

static void session_queue_failed(struct conn_group *queues, const struct explain *blame,
				 const char *why)
{
	struct session *session = container_of(queues, struct session, queues);

	if (blame)
		session->blame = blame;
	session_close(session, why);
}

static const struct conn_ops queue_ops = {
	.connected = session_queue_connected,
	.given_up = session_queue_given_up,
	.dropped = session_queue_dropped,
	.failed = session_queue_failed,
};

static int session_make(struct session *session, struct rdma_cm_id *id, unsigned int reads,
			enum limit *lacks)
{
	int ret;

	session->conn = calloc(session->queue_count, sizeof(*session->conn));
	if (!session->conn) {
		session->queue_count = 0;
		return -ENOMEM;
	}
	ret = session_make_rep(session);
	if (!ret)
		ret = session_make_domain(session, lacks);
	if (ret)
		return ret;
	ret = sd_event_add_time_relative(session->server->event, &session->hello_timer,
					 CLOCK_MONOTONIC, HELLO_USEC, 0, session_on_timeout,
					 session);
	if (ret < 0)
		return ret;
	*lacks = LIMIT_QP;
	session->conn[0] = conn_create(&session->queues, session->device, id, 0, reads);
	return session->conn[0] ? 0 : -errno;
}

/* A session that is on the server's list, but has no queue yet. */
static struct session *session_new(struct server *server, const struct session_ops *ops,
				   struct device *device, const struct cm_request *req)
{
	struct session *session = calloc(1, sizeof(*session));
	uint64_t most = device->limits.most[LIMIT_QP];
	uint64_t spare = most - min(device->qps, most);

	if (!session)
		return NULL;
	session->server = server;
	session->ops = ops;
	session->device = device;
	session->queues.ops = &queue_ops;
	session->queues.label = session->label;
	session->queues.mailbox = &session->mailbox;
	session->work.session = session;
	memcpy(session->identity, req->identity, sizeof(session->identity));
	session->incarnation = req->incarnation;
	session->takeover = req->flags & FARMEM_CM_TAKEOVER;
	session->visitor = req->flags & FARMEM_CM_VISIT;
	session->auth.said.req = req->wire;
	session->queue_count = min(min(req->queue_count, server->opt.max_queues), spare);
	LIST_INIT(&session->grants);
	LIST_INSERT_HEAD(&server->sessions, session, link);
	return session;
}

void session_open(struct server *server, const struct session_ops *ops, struct device *device,
		  struct rdma_cm_id *id, const struct cm_request *req,
		  unsigned int responder_resources)
{
	struct session *session = session_new(server, ops, device, req);
	enum limit lacks = LIMIT_QP;
	char why[LIMITS_TEXT];
	int ret;

	if (!session) {
		conn_reject(server, id, FARMEM_ERR_RESOURCES, "the server cannot take a session: %s",
			    strerror(ENOMEM));
		device_put(device);
		return;
	}
	format_address(rdma_get_peer_addr(id), session->label);
	ret = session->queue_count ?
		session_make(session, id, responder_resources, &lacks) : -ENOSPC;
	if (ret) {
		conn_reject(server, id, FARMEM_ERR_RESOURCES, "%s",
			    device_lacks(device, lacks, -ret, why));
		session_retire(session);
	}
}

void session_add_queue(struct session *session, struct rdma_cm_id *id,
		       const struct cm_request *req, unsigned int responder_resources)
{
	struct conn **conn = &session->conn[req->queue_index];
	char why[LIMITS_TEXT];

	if (req->queue_index >= session->queue_count) {
		conn_reject(session->server, id, FARMEM_ERR_QUEUE_LIMIT, "queue %u, but %u were granted",
			    req->queue_index, session->queue_count);
		return;
	}
	if (*conn) {
		conn_reject(session->server, id, FARMEM_ERR_MALFORMED, "queue %u is connected already",
			    req->queue_index);
		return;
	}
	*conn = conn_create(&session->queues, session->device, id, req->queue_index, responder_resources);
	if (!*conn)
		conn_reject(session->server, id, FARMEM_ERR_RESOURCES, "queue %u: %s", req->queue_index,
			    device_lacks(session->device, LIMIT_QP, errno, why));
}
