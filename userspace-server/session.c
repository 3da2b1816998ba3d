// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - the life of a session, and the fence at its end.
 *
 * Owns struct session.  Opened by admit.c; closed by whoever learns that the
 * client is gone: conn.c (disconnected), dialog.c (error or violation),
 * probe.c (dead), device.c (removed), report.c (released by force).
 */
#include <errno.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "admit.h"
#include "beat.h"
#include "clean.h"
#include "client.h"
#include "conn.h"
#include "device.h"
#include "dialog.h"
#include "log.h"
#include "server.h"
#include "session.h"
#include "util.h"

/* Of one peer address; --max-clients bounds those of all. */
#define HALF_OPEN_MAX	8
#define HELLO_USEC	30000000ull
#define CQ_ENTRIES	(FARMEM_MSG_RECVS + CONN_SENDS + 7)
#define BUFFERS		(2 * FARMEM_MSG_RECVS)

static void reap_run(struct job *job)
{
	struct session *session = container_of(job, struct session, reap);
	struct grant *grant;
	int ret;

	LIST_FOREACH(grant, &session->grants, link)
		grant_deregister(grant);
	beat_deregister(session);
	if (session->buffers_mr)
		ibv_dereg_mr(session->buffers_mr);
	ret = session->pd ? ibv_dealloc_pd(session->pd) : 0;
	if (ret)
		peer_warn(session->label, "cannot free its protection domain: %s", strerror(ret));
}

static void reap_done(struct job *job)
{
	struct session *session = container_of(job, struct session, reap);
	struct grant *grant;

	while ((grant = LIST_FIRST(&session->grants))) {
		LIST_REMOVE(grant, link);
		grant_free(grant);
	}
	device_put(session->device);
	free(session->work.wire);
	free(session->buffers);
	free(session->conn);
	free(session);
}

/* The fence.  All queue pairs first: a CM's farewell may take its time. */
static void destroy_queues(struct session *session)
{
	unsigned int i;
	int ret;

	for (i = 0; i < session->queue_count; i++)
		if (session->conn[i])
			conn_fence(session->conn[i]);
	for (i = 0; i < session->queue_count; i++) {
		if (session->conn[i])
			conn_free(session->conn[i]);
		session->conn[i] = NULL;
	}
	ret = session->cq ? ibv_destroy_cq(session->cq) : 0;
	if (ret)
		peer_warn(session->label, "cannot destroy its completion queue: %s", strerror(ret));
	session->cq = NULL;
}

/* What session_close() and a failed session_open() have in common. */
static void retire(struct session *session)
{
	struct server *server = session->server;

	session->state = SESSION_DEAD;
	LIST_REMOVE(session, link);
	session->hello_timer = sd_event_source_disable_unref(session->hello_timer);
	session->probe_timer = sd_event_source_disable_unref(session->probe_timer);
	destroy_queues(session);
	if (session->unfenced)
		client_unfenced(session->client, &session->quarantine);
	else
		slab_fence(&server->slabs, &session->quarantine);
	session->reap.run = reap_run;
	session->reap.done = reap_done;
	worker_submit(server->worker, &session->reap);
	clean_kick(server);
}

void session_close(struct session *session, const char *why)
{
	struct held *held = session->held;
	struct server *server = session->server;
	struct volume *volume;

	if (session->state == SESSION_DEAD)
		return;
	peer_info(session->label, "session closed: %s", why);
	session->held = NULL;
	LIST_FOREACH(volume, &session->client->volumes, link)
		volume->grant = NULL;
	retire(session);
	client_silent(session->client);
	server_report_status(server);
	if (held)
		admit_held(server, held);
}

void session_close_device(struct server *server, const struct device *device, const char *why)
{
	struct session *session, *next;

	for (session = LIST_FIRST(&server->sessions); session; session = next) {
		next = LIST_NEXT(session, link);
		if (session->device == device)
			session_close(session, why);
	}
}

void session_drop_held(struct server *server, struct ibv_context *verbs)
{
	struct session *session;

	LIST_FOREACH(session, &server->sessions, link)
		if (session->held && admit_held_is_on(session->held, verbs))
			admit_drop_held(session);
}

static int on_hello_timeout(sd_event_source *source, uint64_t usec, void *data)
{
	(void)source;
	(void)usec;
	session_close(data, "no HELLO within 30 s");
	return 0;
}

void session_live(struct session *session)
{
	char peer[ADDRESS_TEXT];

	session->state = SESSION_LIVE;
	session->hello_timer = sd_event_source_disable_unref(session->hello_timer);
	snprintf(session->label, sizeof(session->label), "%s (%s)",
		 format_address(rdma_get_peer_addr(session->conn[0]->id), peer),
		 session->client->name);
}

struct session *session_find(struct server *server, const uint8_t token[FARMEM_ID_LEN])
{
	struct session *session;

	LIST_FOREACH(session, &server->sessions, link)
		if (!CRYPTO_memcmp(session->token, token, FARMEM_ID_LEN))
			return session;
	return NULL;
}

unsigned int session_queues(const struct session *session)
{
	unsigned int connected = 0;
	unsigned int i;

	for (i = 0; i < session->queue_count; i++)
		connected += !!session->conn[i];
	return connected;
}

int session_post_receives(struct session *session, struct ibv_qp *qp)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < FARMEM_MSG_RECVS && !ret; i++)
		ret = -dialog_post_receive(session, qp, i);
	return ret;
}

static int make_buffers(struct session *session)
{
	session->buffers = aligned_alloc(FARMEM_MSG_MAX, BUFFERS * FARMEM_MSG_MAX + BEAT_BYTES);
	if (!session->buffers)
		return -ENOMEM;
	memset(session->buffers, 0, BUFFERS * FARMEM_MSG_MAX + BEAT_BYTES);
	session->beat = (uint64_t *)(session->buffers + BUFFERS * FARMEM_MSG_MAX);
	session->buffers_mr = ibv_reg_mr(session->pd, session->buffers,
					 BUFFERS * FARMEM_MSG_MAX, IBV_ACCESS_LOCAL_WRITE);
	return session->buffers_mr ? 0 : -errno;
}

static int make_domain(struct session *session)
{
	struct device *device = session->device;

	session->pd = ibv_alloc_pd(device->verbs);
	if (!session->pd)
		return -errno;
	session->cq = ibv_create_cq(device->verbs, CQ_ENTRIES, session, device->channel, 0);
	if (!session->cq)
		return -errno;
	if (ibv_req_notify_cq(session->cq, 0))
		return -EIO;
	return make_buffers(session);
}

static int make_session(struct session *session, struct rdma_cm_id *id, unsigned int reads)
{
	int ret;

	session->conn = calloc(session->queue_count, sizeof(*session->conn));
	if (!session->conn) {
		session->queue_count = 0;
		return -ENOMEM;
	}
	if (getrandom(session->token, sizeof(session->token), 0) != sizeof(session->token))
		return -EIO;
	ret = make_domain(session);
	if (ret)
		return ret;
	ret = sd_event_add_time_relative(session->server->event, &session->hello_timer,
					 CLOCK_MONOTONIC, HELLO_USEC, 0, on_hello_timeout, session);
	if (ret < 0)
		return ret;
	session->conn[0] = conn_create(session, id, 0, reads);
	return session->conn[0] ? 0 : -errno;
}

/* A session that is on the server's list, but has no queue yet. */
static struct session *new_session(struct server *server, struct device *device,
				   struct client *client, const struct cm_request *req)
{
	struct session *session = calloc(1, sizeof(*session));
	unsigned int spare = device->max_qp - min(device->qps, device->max_qp);

	if (!session)
		return NULL;
	session->server = server;
	session->device = device;
	session->client = client;
	session->work.session = session;
	session->incarnation = req->incarnation;
	session->queue_count = min(min(req->queue_count, server->opt.max_queues), spare);
	LIST_INIT(&session->grants);
	LIST_INSERT_HEAD(&server->sessions, session, link);
	return session;
}

/* Sessions of this peer's address that have not said HELLO. */
static unsigned int half_open(const struct server *server, const struct sockaddr *peer)
{
	const struct session *session;
	unsigned int count = 0;

	LIST_FOREACH(session, &server->sessions, link)
		if (session->state == SESSION_NEW &&
		    same_host(rdma_get_peer_addr(session->conn[0]->id), peer))
			count++;
	return count;
}

static struct session *refuse_session(struct device *device, struct client *client)
{
	device_put(device);
	client_drop_idle(client);
	return NULL;
}

/* The session that a request becomes; NULL if it was refused instead. */
static struct session *begin_session(struct server *server, struct device *device,
				     struct client *client, struct rdma_cm_id *id,
				     const struct cm_request *req)
{
	unsigned int count = half_open(server, rdma_get_peer_addr(id));
	struct session *session;
	char host[ADDRESS_TEXT];

	if (count >= HALF_OPEN_MAX) {
		conn_reject(id, FARMEM_ERR_RESOURCES, "%u unfinished connections from %s already",
			    count, format_host(rdma_get_peer_addr(id), host));
		return refuse_session(device, client);
	}
	session = new_session(server, device, client, req);
	if (!session) {
		conn_reject(id, FARMEM_ERR_RESOURCES, "the server cannot take a session: %s",
			    strerror(ENOMEM));
		return refuse_session(device, client);
	}
	return session;
}

void session_open(struct server *server, struct device *device, struct client *client,
		  struct rdma_cm_id *id, const struct cm_request *req,
		  unsigned int responder_resources)
{
	struct session *session = begin_session(server, device, client, id, req);
	int ret;

	if (!session)
		return;
	format_address(rdma_get_peer_addr(id), session->label);
	ret = session->queue_count ? make_session(session, id, responder_resources) : -ENOSPC;
	if (ret) {
		conn_reject(id, FARMEM_ERR_RESOURCES, "no queue pair for a session: %s",
			    strerror(-ret));
		retire(session);
		client_drop_idle(client);
		return;
	}
	client_heard(client, session);
	ret = conn_accept(session->conn[0]);
	if (ret)
		session_close(session, strerror(-ret));
	else
		peer_debug(session->label, "accepted, %u of %u queues", session->queue_count,
			   req->queue_count);
}

void session_add_queue(struct session *session, struct rdma_cm_id *id,
		       const struct cm_request *req, unsigned int responder_resources)
{
	struct conn *conn;

	if (req->queue_index >= session->queue_count) {
		conn_reject(id, FARMEM_ERR_QUEUE_LIMIT, "queue %u, but %u were granted",
			    req->queue_index, session->queue_count);
		return;
	}
	if (session->conn[req->queue_index]) {
		conn_reject(id, FARMEM_ERR_MALFORMED, "queue %u is connected already",
			    req->queue_index);
		return;
	}
	conn = conn_create(session, id, req->queue_index, responder_resources);
	if (!conn) {
		conn_reject(id, FARMEM_ERR_RESOURCES, "no queue pair for queue %u: %s",
			    req->queue_index, strerror(errno));
		return;
	}
	session->conn[req->queue_index] = conn;
	if (conn_accept(conn))
		session_close(session, "cannot accept a queue");
}
