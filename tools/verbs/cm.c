// SPDX-License-Identifier: GPL-2.0
/*
 * rdma_cm finds the device that leads to an IP address and connects queue pairs over it.
 * Each step is asked for with a call that returns at once, and ends with an event:
 *
 *   client                                      server
 *                                               rdma_bind_addr, rdma_listen
 *   rdma_resolve_addr   -> ADDR_RESOLVED
 *   rdma_resolve_route  -> ROUTE_RESOLVED
 *   rdma_connect                             -> CONNECT_REQUEST
 *                                               rdma_accept
 *   ESTABLISHED <-                           -> ESTABLISHED
 *   rdma_disconnect     -> DISCONNECTED      -> DISCONNECTED
 *                       -> TIMEWAIT_EXIT
 *
 * Of datagrams there is no connection: the server's answer is ESTABLISHED at the client,
 * the server gets no event after CONNECT_REQUEST, and nobody disconnects.
 *
 * All events of an end come in one channel, and each says whose id it is: with several
 * queues the request for the next may come before the last one is ESTABLISHED, and at the
 * server's port a request may come from anybody.
 *
 * It leads a queue pair that rdma_create_qp() made through its states by itself.  A
 * request carries private data: 92 bytes in InfiniBand's message, of which rdma_cm takes
 * 36 for the IP addresses, so that 56 are left, however many the call would accept.
 */
#include "cm.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "measure.h"
#include "session.h"
#include "trouble.h"

#define MAGIC 0x46564231	/* "FVB1" */

/**
 * struct request - private data of a connection request, big-endian
 * @magic: it is ours
 * @seed: of the run: it is of this client
 * @queue: which queue
 */
struct request {
	uint32_t magic, seed, queue;
} __attribute__((packed));

_Static_assert(sizeof(struct request) <= 56, "a request carries no more");

/**
 * await() - wait until a step of the client's is over
 * @session: the session
 * @id: whose step
 * @wanted: the event that it ends with
 * @seconds: that it may take: rdma_cm alone gives up only after a minute
 *
 * Return: the event, for rdma_ack_cm_event(); NULL: there was trouble.
 */
static struct rdma_cm_event *await(struct session *session, const struct rdma_cm_id *id,
				   enum rdma_cm_event_type wanted, unsigned int seconds)
{
	uint64_t end = measure_now() + seconds * 1000000000ull;
	struct rdma_cm_event *event;
	bool late;

	while ((event = event_next(session, end, &late))) {
		if (event->id == id && event->event == wanted)
			return event;
		if (event_is_failure(event->event)) {
			event_give_up(session, event);
			return NULL;
		}
		event_pass_over(event);
	}
	if (late)
		event_too_late(wanted, seconds);
	return NULL;
}

static int await_step(struct session *session, const struct rdma_cm_id *id,
		      enum rdma_cm_event_type wanted, unsigned int seconds)
{
	struct rdma_cm_event *event = await(session, id, wanted, seconds);

	if (!event)
		return -1;
	rdma_ack_cm_event(event);
	return 0;
}

static int no_id(void)
{
	trouble_errno("rdma_create_id");
	if (errno == ENODEV || errno == ENOENT)
		trouble_advice("modprobe rdma_ucm");
	return -1;
}

static int resolve(struct session *session, struct rdma_cm_id *id,
		   struct sockaddr_storage *address)
{
	unsigned int seconds = session->options->connect_timeout;

	if (rdma_resolve_addr(id, NULL, (struct sockaddr *)address, seconds * 1000)) {
		trouble_errno("rdma_resolve_addr");
		trouble_advice("ip route get ADDRESS: does the route use the interface of an RDMA device?");
		return -1;
	}
	if (await_step(session, id, RDMA_CM_EVENT_ADDR_RESOLVED, seconds + 1))
		return -1;
	if (rdma_resolve_route(id, seconds * 1000))
		return trouble_verbs("rdma_resolve_route");
	return await_step(session, id, RDMA_CM_EVENT_ROUTE_RESOLVED, seconds + 1);
}

/*
 * An id of the client's that knows the way to @address, or one of the server's at it.  The
 * port space decides about the transport: TCP's makes RC, UDP's makes UD.
 */
static int make_id(struct session *session, struct sockaddr_storage *address, bool passive,
		   struct rdma_cm_id **id)
{
	static const enum rdma_port_space spaces[] = {
		[TRANSPORT_RC] = RDMA_PS_TCP, [TRANSPORT_UD] = RDMA_PS_UDP,
	};

	if (rdma_create_id(session->cm.channel, id, NULL, spaces[session->options->transport]))
		return no_id();
	if (!passive)
		return resolve(session, *id, address);
	return rdma_bind_addr(*id, (struct sockaddr *)address) ? trouble_verbs("rdma_bind_addr")
							       : 0;
}

static int open_channel(struct session *session)
{
	session->cm.channel = rdma_create_event_channel();
	if (session->cm.channel)
		return 0;
	trouble_errno("rdma_create_event_channel");
	trouble_advice("modprobe rdma_ucm; is /dev/infiniband/rdma_cm there, and may you open it?");
	return -1;
}

static int adopt(struct session *session, struct rdma_cm_id *id)
{
	if (!id->verbs) {
		trouble("no RDMA device has the address in use");
		trouble_advice("rdma link; name the server by an address of its RDMA network");
		return -1;
	}
	return device_adopt(&session->device, id->verbs, id->port_num,
			    &id->route.addr.addr.ibaddr.sgid);
}

/**
 * cm_find() - the client's first step: which device leads to the server?
 * @session: the session
 * @host: the server's name or address
 *
 * Return: 0 or -1.
 */
int cm_find(struct session *session, const char *host)
{
	struct addrinfo *found;
	struct sockaddr_storage address = { 0 };
	int rc = getaddrinfo(host, NULL, NULL, &found);

	if (rc)
		return trouble("%s: %s", host, gai_strerror(rc));
	memcpy(&address, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	if (open_channel(session) || make_id(session, &address, false, &session->cm.first))
		return -1;
	return adopt(session, session->cm.first);
}

static void set_port(struct sockaddr_storage *address, unsigned int port)
{
	if (address->ss_family == AF_INET6)
		((struct sockaddr_in6 *)address)->sin6_port = htons(port);
	else
		((struct sockaddr_in *)address)->sin_port = htons(port);
}

/**
 * cm_listen() - the server's first step
 * @session: the session
 *
 * At the address that the client has called, and a port of rdma_cm's choice, which the
 * client is told.
 *
 * Return: 0 or -1.
 */
int cm_listen(struct session *session)
{
	struct sockaddr_storage own, peer;
	struct rdma_cm_id *id;

	if (talk_addresses(session->talk, &own, &peer))
		return -1;
	set_port(&own, 0);
	if (open_channel(session) || make_id(session, &own, true, &session->cm.listener))
		return -1;
	id = session->cm.listener;
	if (adopt(session, id))
		return -1;
	if (rdma_listen(id, session->options->queues))
		return trouble_verbs("rdma_listen");
	return talk_send(session->talk, "listen port=%u", ntohs(rdma_get_src_port(id)));
}

static void fill_parameters(struct session *session, struct rdma_conn_param *param)
{
	param->responder_resources = queue_responder_resources(session);
	param->initiator_depth = queue_initiator_depth(session);
	param->retry_count = session->options->retry_count;
	param->rnr_retry_count = session->options->rnr_retry;
}

/* A datagram's queue pair learns here where to send to. */
static int established(struct session *session, struct queue *queue,
		       struct rdma_cm_event *event)
{
	struct rdma_ud_param *ud = &event->param.ud;

	if (session->options->transport != TRANSPORT_UD)
		return 0;
	queue->peer_qpn = ud->qp_num;
	queue->peer_qkey = ud->qkey;
	queue->ah = ibv_create_ah(session->pd, &ud->ah_attr);
	return queue->ah ? 0 : trouble_verbs("making an address handle for the server");
}

/* A name may have several addresses, and the control connection has taken another one. */
static int check_way(const struct session *session, const struct rdma_cm_id *id)
{
	if (id->verbs == session->device.context)
		return 0;
	trouble("rdma_cm uses %s for the address of the control connection, but this run uses %s",
		id->verbs ? ibv_get_device_name(id->verbs->device) : "no device",
		session->device.name);
	trouble_advice("name the server by one address of its RDMA network, not by a name that has several");
	return -1;
}

/* Asked for, and no more. */
static int ask(struct session *session, struct queue *queue, struct sockaddr_storage *address)
{
	struct request request = {
		.magic = htonl(MAGIC),
		.seed = htonl(session->options->seed),
		.queue = htonl(queue->index),
	};
	struct rdma_conn_param param = {
		.private_data = &request,
		.private_data_len = sizeof(request),
	};

	fill_parameters(session, &param);
	if (make_id(session, address, false, &queue->id) || check_way(session, queue->id) ||
	    queue_create(session, queue))
		return -1;
	return rdma_connect(queue->id, &param) ? trouble_verbs("rdma_connect") : 0;
}

static int connect_queue(struct session *session, struct queue *queue,
			 struct sockaddr_storage *address)
{
	struct rdma_cm_event *event;
	int rc;

	if (ask(session, queue, address))
		return -1;
	event = await(session, queue->id, RDMA_CM_EVENT_ESTABLISHED,
		      session->options->connect_timeout);
	if (!event)
		return -1;
	queue->connected = true;
	rc = established(session, queue, event);
	rdma_ack_cm_event(event);
	return rc;
}

static int server_address(struct session *session, struct sockaddr_storage *address)
{
	struct sockaddr_storage own;
	char *line = talk_expect(session->talk, "listen");
	unsigned int port;

	if (!line || talk_addresses(session->talk, &own, address))
		return -1;
	if (sscanf(line, "port=%u", &port) != 1)
		return trouble_release("the server's port is not understood: %s", line);
	set_port(address, port);
	return 0;
}

static int connect_all(struct session *session)
{
	struct sockaddr_storage server;
	unsigned int i;

	if (server_address(session, &server))
		return -1;
	for (i = 0; i < session->options->queues; i++)
		if (connect_queue(session, &session->queues[i], &server))
			return -1;
	return 0;
}

/**
 * cm_provoke() - ask for one connection that the server will refuse
 * @session: the client's, prepared
 *
 * Return: the event that came instead, or -1.
 */
int cm_provoke(struct session *session)
{
	unsigned int seconds = session->options->connect_timeout;
	struct sockaddr_storage server;
	struct rdma_cm_event *event;
	bool late;
	int came;

	if (server_address(session, &server) || ask(session, &session->queues[0], &server))
		return -1;
	event = event_next(session, measure_now() + seconds * 1000000000ull, &late);
	if (!event)
		return late ? event_too_late(RDMA_CM_EVENT_REJECTED, seconds) : -1;
	came = event->event;
	rdma_ack_cm_event(event);
	return came;
}

static struct queue *requested(struct session *session, struct rdma_cm_event *event)
{
	bool ud = session->options->transport == TRANSPORT_UD;
	const void *data = ud ? event->param.ud.private_data : event->param.conn.private_data;
	unsigned int length = ud ? event->param.ud.private_data_len
				 : event->param.conn.private_data_len;
	struct request request;

	if (length < sizeof(request))
		return NULL;
	memcpy(&request, data, sizeof(request));
	if (ntohl(request.magic) != MAGIC || ntohl(request.seed) != session->options->seed ||
	    ntohl(request.queue) >= session->options->queues)
		return NULL;
	return &session->queues[ntohl(request.queue)];
}

/*
 * What the answer says is what both ends use: so it is not to say more than was asked for.
 * The client's initiator depth is bounded by this end's responder resources, and the
 * other way round: the event has crossed them already, and tells what this end may have.
 */
static void fill_answer(struct session *session, const struct rdma_conn_param *asked,
			struct rdma_conn_param *param)
{
	fill_parameters(session, param);
	param->responder_resources = smaller(param->responder_resources, asked->responder_resources);
	param->initiator_depth = smaller(param->initiator_depth, asked->initiator_depth);
}

/* The queue's request is answered. Return: 1: nothing more is to come for it, 0, or -1. */
static int accept_queue(struct session *session, struct queue *queue, struct rdma_cm_id *id,
			const struct rdma_conn_param *asked)
{
	struct rdma_conn_param param = { 0 };

	if (session->options->show == SHOW_REJECTED) {
		event_reject(id);
		return 1;
	}
	queue->id = id;
	if (queue_create(session, queue))
		return -1;
	fill_answer(session, asked, &param);
	param.qp_num = queue->qp->qp_num;
	if (rdma_accept(id, &param))
		return trouble_verbs("rdma_accept");
	/* Nothing comes back from datagrams: their connection is an answer, no more. */
	return session->options->transport == TRANSPORT_UD;
}

static struct queue *queue_with(struct session *session, const struct rdma_cm_id *id)
{
	unsigned int i;

	for (i = 0; i < session->options->queues; i++)
		if (session->queues[i].id == id)
			return &session->queues[i];
	return NULL;
}

/* One event at the server. Return: 1: one more queue is connected, 0: none, -1: trouble. */
static int serve_event(struct session *session, struct rdma_cm_event *event)
{
	struct rdma_cm_id *id = event->id;
	struct rdma_conn_param asked;
	struct queue *queue;

	if (event_is_failure(event->event)) {
		event_give_up(session, event);
		return -1;
	}
	if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
		queue = requested(session, event);
		if (queue && !queue->id) {
			asked = event->param.conn;
			rdma_ack_cm_event(event);
			return accept_queue(session, queue, id, &asked);
		}
	} else if (event->event == RDMA_CM_EVENT_ESTABLISHED) {
		queue = queue_with(session, id);
		rdma_ack_cm_event(event);
		if (queue)
			queue->connected = true;
		return !!queue;
	}
	event_pass_over(event);
	return 0;
}

static int accept_all(struct session *session)
{
	unsigned int seconds = session->options->timeout, connected = 0;
	struct rdma_cm_event *event;
	uint64_t end = 0;
	bool late;

	while (connected < session->options->queues) {
		int more;

		/* Anybody may ask; only what is of this client is progress. */
		if (!end)
			end = measure_now() + seconds * 1000000000ull;
		event = event_next(session, end, &late);
		if (!event)
			return late ? event_too_late(RDMA_CM_EVENT_CONNECT_REQUEST, seconds) : -1;
		more = serve_event(session, event);
		if (more < 0)
			return -1;
		if (more)
			end = 0;
		connected += more;
	}
	return 0;
}

/**
 * cm_connect() - make the queue pairs, and connect them
 * @session: with all but its queue pairs
 *
 * Return: 0 or -1.
 */
int cm_connect(struct session *session)
{
	return session->server ? accept_all(session) : connect_all(session);
}

/**
 * cm_look() - has a connection ended meanwhile?
 * @session: connected
 *
 * Return: 0, or -1: it has, and why is said.
 */
int cm_look(struct session *session)
{
	struct pollfd look = { .events = POLLIN };
	struct rdma_cm_event *event;

	if (!session->cm.channel)
		return 0;
	look.fd = session->cm.channel->fd;
	while (poll(&look, 1, 0) == 1 && !rdma_get_cm_event(session->cm.channel, &event)) {
		if (event_is_failure(event->event)) {
			event_give_up(session, event);
			return -1;
		}
		event_pass_over(event);
	}
	return 0;
}

/**
 * cm_disconnect() - say goodbye on every queue
 * @session: connected by rdma_cm, or not
 *
 * The event that answers is not worth waiting for long.
 */
void cm_disconnect(struct session *session)
{
	struct pollfd look = { .events = POLLIN };
	struct rdma_cm_event *event;
	unsigned int i;

	if (!session->cm.channel)
		return;
	for (i = 0; i < session->options->queues; i++)
		if (session->queues[i].connected && session->options->transport != TRANSPORT_UD)
			rdma_disconnect(session->queues[i].id);
	look.fd = session->cm.channel->fd;
	while (poll(&look, 1, 0) == 1 && !rdma_get_cm_event(session->cm.channel, &event))
		event_pass_over(event);
}

/**
 * cm_close() - let go of all ids, and of the channel that they report to
 * @session: without queue pairs by now
 */
void cm_close(struct session *session)
{
	unsigned int i;

	for (i = 0; i < QUEUES_MAX; i++) {
		if (session->queues[i].id)
			rdma_destroy_id(session->queues[i].id);
		session->queues[i].id = NULL;
	}
	if (session->cm.first)
		rdma_destroy_id(session->cm.first);
	if (session->cm.listener)
		rdma_destroy_id(session->cm.listener);
	if (session->cm.channel)
		rdma_destroy_event_channel(session->cm.channel);
	memset(&session->cm, 0, sizeof(session->cm));
}
