// SPDX-License-Identifier: GPL-2.0
/*
 * conn.c - queue pairs.
 *
 * Owns struct conn: a queue pair and its rdma_cm id.  Called by session.c, for each queue
 * that a client asks for and to fence, and by admit.c to refuse.
 *
 * Three workers do what may wait for the network, the adapter or the kernel's CM.  The
 * connector takes a queue pair to the state that can be accepted: there the kernel may look
 * for the peer's address for a second.  The fencer destroys queue pairs, the closer ids.
 *
 * A queue pair's states are set here instead of in librdmacm.  librdmacm takes from the
 * peer's request how often and how long to try, and the READs answered at a time.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "conn.h"
#include "device.h"
#include "explain.h"
#include "log.h"
#include "mailbox.h"
#include "message.h"
#include "parse.h"
#include "server.h"
#include "util.h"
#include "worker.h"

/* rxe never gives up at 7, and a peer that is gone must be noticed. */
#define RETRY_COUNT	6
/* The client's, from our REP, and ours, from its REQ otherwise.  At 7 it would never end. */
#define RNR_RETRY	6
/* 4.096 us * 2^16 = 0.27 s a try: under two seconds in all. */
#define ACK_TIMEOUT	16
/* 0.49 s, the encoding of IBTA table 45: a client gives up after 3.4 s. */
#define MIN_RNR_TIMER	31
/* Farewells in one step of the closer: another device waits for no more of them. */
#define PART_STEP	64
/*
 * Ids of nobody's connections that the closer may have, beside those of sessions that end
 * all at once.  The kernel has a few KiB of each, and any peer can ask for more.
 */
#define LEAVING_MAX	1024
/* Attributes that verbs.h names; older kernels ask for more. */
#define KNOWN_ATTRS	((IBV_QP_DEST_QPN << 1) - 1)

/* Any peer that reaches the port can be refused as often as it likes. */
static struct log_limit rejects = { .what = "connections refused" };
static struct log_limit pauses = { .what = "times that no connection was taken" };

static struct ibv_qp *conn_create_qp(const struct conn_group *group, uint16_t index)
{
	struct ibv_qp_init_attr attr = {
		.qp_context = group->cq->cq_context,
		.send_cq = group->cq,
		.recv_cq = group->cq,
		.qp_type = IBV_QPT_RC,
		.cap = {
			.max_send_wr = index ? 1 : CONN_SENDS,
			.max_recv_wr = index ? 1 : FARMEM_MSG_RECVS,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
	};

	return ibv_create_qp(group->pd, &attr);
}

/*
 * On RoCE the path's MTU is that of the peer's interface.  Packets that are larger than this
 * end's port can carry are lost.  A port that cannot be queried is no reason to refuse.
 */
static int conn_check_mtu(struct conn *conn, enum ibv_mtu path_mtu)
{
	struct ibv_port_attr port;

	if (ibv_query_port(conn->id->verbs, conn->id->port_num, &port) ||
	    path_mtu <= port.active_mtu)
		return 0;
	conn->path_mtu = path_mtu;
	conn->port_mtu = port.active_mtu;
	return -EMSGSIZE;
}

static int conn_modify(struct conn *conn, enum ibv_qp_state state, unsigned int responder_resources)
{
	struct ibv_qp_attr attr = { .qp_state = state };
	int mask;

	/* The kernel's CM does not know the request any more. */
	if (rdma_init_qp_attr(conn->id, &attr, &mask))
		return errno == EINVAL ? -ECANCELED : -errno;
	mask &= KNOWN_ATTRS;
	if (state == IBV_QPS_INIT)
		attr.qp_access_flags = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
	if (state == IBV_QPS_RTR) {
		if (conn_check_mtu(conn, attr.path_mtu))
			return -EMSGSIZE;
		attr.max_dest_rd_atomic = responder_resources;
		attr.min_rnr_timer = MIN_RNR_TIMER;
	}
	if (state == IBV_QPS_RTS) {
		attr.max_rd_atomic = 0;
		attr.retry_cnt = RETRY_COUNT;
		attr.rnr_retry = RNR_RETRY;
		attr.timeout = ACK_TIMEOUT;
	}
	return -ibv_modify_qp(conn->qp, &attr, mask);
}

static int conn_ready_to_send(struct conn *conn)
{
	int ret;

	ret = conn_modify(conn, IBV_QPS_INIT, 0);
	if (!ret)
		ret = conn->index ? -mailbox_watch(conn->qp, conn->index) :
				    mailbox_listen(conn->group->mailbox, conn->qp);
	if (!ret)
		ret = conn_modify(conn, IBV_QPS_RTR, conn->responder_resources);
	if (!ret)
		ret = conn_modify(conn, IBV_QPS_RTS, 0);
	return ret;
}

/*
 * A client adds queues while its session lives, and gives up one that takes too long.
 * Nothing was sent on that queue, and the client may ask for it again.
 */
static bool conn_is_given_up(const struct conn *conn, const struct cm_event *event)
{
	return conn->index && !conn->established &&
	       (event->type == RDMA_CM_EVENT_REJECTED ||
		event->type == RDMA_CM_EVENT_UNREACHABLE ||
		event->type == RDMA_CM_EVENT_CONNECT_ERROR ||
		event->type == RDMA_CM_EVENT_DISCONNECTED);
}

static void conn_event(struct cm_handler *handler, const struct cm_event *event)
{
	struct conn *conn = container_of(handler, struct conn, handler);
	struct conn_group *group = conn->group;

	if (conn_is_given_up(conn, event)) {
		peer_debug(group->label, "queue %u: given up (%s)", conn->index,
			   rdma_event_str(event->type));
		group->ops->given_up(group, conn);
		return;
	}
	switch (event->type) {
	case RDMA_CM_EVENT_ESTABLISHED:
		conn->established = true;
		peer_debug(group->label, "queue %u is connected", conn->index);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
		group->ops->failed(group, NULL, "disconnected by the client");
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		device_remove(conn->device);
		break;
	case RDMA_CM_EVENT_CONNECT_ERROR:
	case RDMA_CM_EVENT_UNREACHABLE:
		group->ops->failed(group, explain_find(EXPLAIN_CM, event->type),
				  "the client gave up connecting");
		break;
	case RDMA_CM_EVENT_REJECTED:
		group->ops->failed(group, NULL, "the client gave up connecting");
		break;
	case RDMA_CM_EVENT_ADDR_CHANGE:
		group->ops->failed(group, explain_find(EXPLAIN_CM, event->type),
				  "the network address moved");
		break;
	default:
		peer_debug(group->label, "%s (%d)", rdma_event_str(event->type), event->status);
	}
}

static int conn_make_qp(struct conn *conn)
{
	int ret;

	if (__atomic_load_n(&conn->given_up, __ATOMIC_RELAXED))
		return -ECANCELED;
	conn->qp = conn_create_qp(conn->group, conn->index);
	if (!conn->qp)
		return -errno;
	conn->made = true;
	ret = conn_ready_to_send(conn);
	if (ret)
		conn_fence(conn);
	return ret;
}

static void conn_connect_run(struct job *job)
{
	struct conn *conn = container_of(job, struct conn, job);

	conn->error = conn_make_qp(conn);
}

static void conn_connect_over(struct conn *conn)
{
	conn->connecting = false;
	conn->group->connecting--;
}

static void conn_connect_done(struct job *job)
{
	struct conn *conn = container_of(job, struct conn, job);

	conn_connect_over(conn);
	conn->group->ops->connected(conn->group, conn);
}

/*
 * A further queue is of a client that was welcomed, and comes before queues 0 of sessions
 * that are nobody's.  Of each session one does: no client keeps the others waiting.
 */
static void conn_connect_submit(struct conn *conn)
{
	struct worker *connector = conn->device->server->connector;

	conn->job.run = conn_connect_run;
	conn->job.done = conn_connect_done;
	if (conn->index && conn->group->connecting == 1)
		worker_submit_urgent(connector, &conn->job);
	else
		worker_submit(connector, &conn->job);
}

struct conn *conn_create(struct conn_group *group, struct device *device, struct rdma_cm_id *id,
			 uint16_t index, unsigned int responder_resources)
{
	struct conn *conn = calloc(1, sizeof(*conn));

	if (!conn)
		return NULL;
	conn->handler.event = conn_event;
	conn->group = group;
	conn->device = device;
	conn->id = id;
	conn->index = index;
	conn->responder_resources = min(responder_resources, device->limits.reads);
	conn->connecting = true;
	id->context = &conn->handler;
	device->qps++;
	group->connecting++;
	conn_connect_submit(conn);
	return conn;
}

void conn_give_up(struct conn *conn)
{
	if (!conn->connecting)
		return;
	__atomic_store_n(&conn->given_up, true, __ATOMIC_RELAXED);
	if (worker_cancel(conn->device->server->connector, &conn->job))
		conn_connect_over(conn);
}

static void conn_drop_run(struct job *job)
{
	conn_fence(container_of(job, struct conn, job));
}

static void conn_drop_done(struct job *job)
{
	struct conn *conn = container_of(job, struct conn, job);
	struct conn_group *group = conn->group;

	conn_connect_over(conn);
	conn_park(conn, false);
	group->ops->dropped(group);
}

void conn_drop(struct conn *conn)
{
	conn_give_up(conn);
	if (conn->connecting)
		return;
	conn->connecting = true;
	conn->group->connecting++;
	conn->job.run = conn_drop_run;
	conn->job.done = conn_drop_done;
	worker_submit_urgent(conn->device->server->fencer, &conn->job);
}

int conn_accept(struct conn *conn, const struct farmem_cm_rep *rep)
{
	struct rdma_conn_param param = {
		.private_data = rep,
		.private_data_len = sizeof(*rep),
		.responder_resources = conn->responder_resources,
		.initiator_depth = 0,
		.rnr_retry_count = RNR_RETRY,
		.qp_num = conn->qp->qp_num,
	};

	return rdma_accept(conn->id, &param) ? -errno : 0;
}

void conn_fence(struct conn *conn)
{
	int ret;

	if (!conn->qp)
		return;
	ret = ibv_destroy_qp(conn->qp);
	if (ret == EIO) {
		conn->group->cut = true;
	} else if (ret) {
		conn->group->unfenced = true;
		peer_warn(conn->group->label, "queue %u: cannot destroy its queue pair: %s",
			  conn->index, strerror(ret));
	}
	conn->qp = NULL;
}

static void conn_nobody_event(struct cm_handler *handler, const struct cm_event *event)
{
	(void)handler;
	(void)event;
}

static struct cm_handler nobody = { .event = conn_nobody_event };

static void conn_parked_event(struct cm_handler *handler, const struct cm_event *event)
{
	const struct conn *conn = container_of(handler, struct conn, handler);

	if (event->type == RDMA_CM_EVENT_DEVICE_REMOVAL)
		device_remove(conn->device);
}

/*
 * The closer waits until the kernel has sent what ends a connection.  That of a stuck queue
 * pair 1 is never sent, and the loop cannot wait for it: so no further connection comes in.
 */
static void conn_count_leaving(struct server *server)
{
	if (++server->leaving < LEAVING_MAX + server->opt.max_clients || server->deaf)
		return;
	cm_hear(server, false);
	if (log_limit(&pauses, clock_seconds()))
		log_err("the kernel has not sent the end of %u connections: farmemd takes no connection until it has; if that lasts, queue pair 1 of an RDMA device is stuck: make that device anew, or reload its driver",
			server->leaving);
}

static void conn_uncount_leaving(struct conn *conn)
{
	struct server *server = conn->device->server;

	server->leaving -= conn->nobodys;
	conn->nobodys = false;
	if (server->deaf && server->leaving <= LEAVING_MAX / 2) {
		cm_hear(server, true);
		log_info("farmemd takes connections again");
	}
}

static void conn_free_parked(struct conn *conn)
{
	conn_uncount_leaving(conn);
	if (conn != conn->device->keeper)
		free(conn);
}

/* The first one that is over keeps librdmacm's context, until the device is closed. */
static void conn_park_on(struct conn *conn, struct device *device, bool nobodys)
{
	conn->handler.event = conn_parked_event;
	conn->group = NULL;
	conn->device = device;
	conn->nobodys = nobodys;
	if (!device->keeper)
		device->keeper = conn;
	LIST_INSERT_HEAD(&device->parked, conn, link);
	if (nobodys)
		conn_count_leaving(device->server);
}

void conn_park(struct conn *conn, bool nobodys)
{
	struct device *device = conn->device;

	device->qps--;
	conn_park_on(conn, device, nobodys);
}

/* The states of a device's ports: each is queried once, however many wait for it. */
struct ports {
	enum { UNASKED, CAN_SEND, CANNOT_SEND } state[UINT8_MAX + 1];
};

/* A port that cannot be queried is no reason to wait. */
static bool conn_can_send(const struct conn *conn, struct ports *ports)
{
	unsigned int number = conn->id->port_num;
	struct ibv_port_attr port;

	if (ports->state[number] == UNASKED)
		ports->state[number] = ibv_query_port(conn->id->verbs, number, &port) ||
				       port.state == IBV_PORT_ACTIVE ? CAN_SEND : CANNOT_SEND;
	return ports->state[number] == CAN_SEND;
}

static void conn_say_goodbye(struct conn *conn)
{
	rdma_disconnect(conn->id);
	if (conn != conn->device->keeper)
		rdma_destroy_id(conn->id);
}

static void conn_disconnect_run(struct job *job)
{
	struct farewell *farewell = container_of(job, struct farewell, job);
	struct conn *conn, *next;
	struct ports ports = {};
	unsigned int said = 0;

	for (conn = LIST_FIRST(&farewell->waiting); conn && said < PART_STEP; conn = next) {
		next = LIST_NEXT(conn, link);
		if (!farewell->all && !conn_can_send(conn, &ports))
			continue;
		conn_say_goodbye(conn);
		LIST_REMOVE(conn, link);
		LIST_INSERT_HEAD(&farewell->said, conn, link);
		said++;
	}
	farewell->more = conn;
}

/* No port is waited for: the device goes, or farmemd ends. */
static bool conn_must_leave(const struct device *device)
{
	return device->gone || device->server->stopping;
}

static void conn_disconnect_done(struct job *job);

static void conn_disconnect_step(struct device *device)
{
	struct farewell *farewell = &device->farewell;

	farewell->all = conn_must_leave(device);
	farewell->job.run = conn_disconnect_run;
	farewell->job.done = conn_disconnect_done;
	worker_submit(device->server->closer, &farewell->job);
}

static void conn_disconnect_done(struct job *job)
{
	struct farewell *farewell = container_of(job, struct farewell, job);
	struct device *device = container_of(farewell, struct device, farewell);
	bool again = !LIST_EMPTY(&device->parked);
	struct conn *conn;

	while ((conn = LIST_FIRST(&farewell->said))) {
		LIST_REMOVE(conn, link);
		conn_free_parked(conn);
	}
	if (farewell->more) {
		conn_disconnect_step(device);
		return;
	}
	/* They wait for a port.  While that is down no request comes by it: they stay few. */
	while ((conn = LIST_FIRST(&farewell->waiting))) {
		conn_uncount_leaving(conn);
		LIST_REMOVE(conn, link);
		LIST_INSERT_HEAD(&device->parked, conn, link);
	}
	farewell->busy = false;
	/* Connections were parked meanwhile, or need not wait any more. */
	if (again || conn_must_leave(device))
		conn_disconnect_parked(device);
	device_put(device);
}

void conn_disconnect_parked(struct device *device)
{
	struct farewell *farewell = &device->farewell;
	struct conn *conn;

	if (farewell->busy || LIST_EMPTY(&device->parked))
		return;
	while ((conn = LIST_FIRST(&device->parked))) {
		LIST_REMOVE(conn, link);
		LIST_INSERT_HEAD(&farewell->waiting, conn, link);
	}
	farewell->busy = true;
	device->users++;
	conn_disconnect_step(device);
}

static void conn_let_go_run(struct job *job)
{
	rdma_destroy_id(container_of(job, struct conn, job)->id);
}

static void conn_let_go_done(struct job *job)
{
	free(container_of(job, struct conn, job));
}

void conn_let_keeper_go(struct device *device)
{
	struct conn *conn = device->keeper;

	if (!conn)
		return;
	conn->handler = nobody;
	conn->job.run = conn_let_go_run;
	conn->job.done = conn_let_go_done;
	worker_submit(device->server->closer, &conn->job);
}

void conn_disconnect_all(struct server *server)
{
	struct device *device, *next;

	for (device = LIST_FIRST(&server->devices); device; device = next) {
		next = LIST_NEXT(device, link);
		conn_disconnect_parked(device);
	}
}

bool conn_log_refusal(void)
{
	return log_limit(&rejects, clock_seconds());
}

void conn_report_rejects(void)
{
	log_limit_report(&rejects, clock_seconds());
	log_limit_report(&pauses, clock_seconds());
}

/*
 * As a connection that is over.  librdmacm has opened the device for a request that is
 * refused, too.  Without memory for that the id is left to the end of the process: the
 * loop must not wait for it.
 */
static void conn_park_refused(struct server *server, struct rdma_cm_id *id)
{
	struct device *device = device_know(server, id->verbs);
	struct conn *conn = device ? calloc(1, sizeof(*conn)) : NULL;

	if (!conn) {
		id->context = &nobody;
		return;
	}
	conn->id = id;
	id->context = &conn->handler;
	conn_park_on(conn, device, true);
	conn_disconnect_parked(device);
}

void conn_reject(struct server *server, struct rdma_cm_id *id, enum farmem_reason reason,
		 const char *format, ...)
{
	char peer[ADDRESS_TEXT], detail[sizeof(((struct farmem_cm_rej *)NULL)->detail)];
	struct farmem_cm_rej rej;
	va_list args;

	va_start(args, format);
	vsnprintf(detail, sizeof(detail), format, args);
	va_end(args);
	message_build_rej(&rej, reason, detail);
	if (conn_log_refusal())
		peer_warn(format_address(rdma_get_peer_addr(id), peer), "refused: %s", detail);
	if (rdma_reject(id, &rej, sizeof(rej)))
		log_debug("rdma_reject: %m");
	conn_park_refused(server, id);
}

void conn_refuse(struct conn *conn)
{
	struct device *device = conn->device;
	enum farmem_reason reason = FARMEM_ERR_RESOURCES;
	char why[LIMITS_TEXT], queue[24] = "";

	if (conn->error == -ECANCELED) {
		strcpy(why, "the client gave up this connection");
	} else if (conn->path_mtu) {
		reason = FARMEM_ERR_MTU;
		snprintf(why, sizeof(why), "the client sends packets of %u bytes, but %s carries %u: the MTUs differ",
			 128u << conn->path_mtu, ibv_get_device_name(conn->id->verbs->device),
			 128u << conn->port_mtu);
	} else if (conn->made) {
		snprintf(why, sizeof(why), "the server's queue pair has no path to the client's: %s",
			 strerror(-conn->error));
	} else {
		device_lacks(device, LIMIT_QP, -conn->error, why);
	}
	if (conn->index)
		snprintf(queue, sizeof(queue), "queue %u: ", conn->index);
	device->qps--;
	conn_reject(device->server, conn->id, reason, "%s%s", queue, why);
	free(conn);
}
