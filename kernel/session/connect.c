// SPDX-License-Identifier: GPL-2.0
/*
 * connect.c - brings a queue's connection up and down by rdma_cm.
 *
 * The event handler (rdma_cm's own context) only records what happened in the
 * queue and wakes session->wait, or reports to farmem_session_fail(); ids are
 * destroyed by the holder of session->lock, never from the handler.
 */
#include <linux/sched.h>
#include <net/net_namespace.h>
#include <rdma/ib_cm.h>

#include "arm.h"
#include "auth.h"
#include "connect.h"
#include "fault.h"
#include "message.h"
#include "retry.h"
#include "session.h"

/* Milliseconds in which a neighbour answers. */
#define RESOLVE_MS	1000u

static void connect_step_done(struct farmem_queue *q, int err)
{
	q->cm_error = err;
	smp_store_release(&q->cm_done, true);
	wake_up(&q->session->wait);
}

static void connect_rejected(struct farmem_queue *q, struct rdma_cm_event *ev)
{
	struct farmem_session *s = q->session;
	struct farmem_rej_info info;
	const void *data;
	u8 len = 0;

	data = rdma_consumer_reject_data(q->cm_id, ev, &len);
	if (data && !farmem_message_parse_rej(data, len, &info)) {
		connect_step_done(q, farmem_session_reason(s,
				farmem_message_reason_errno(info.reason) ?: -EPROTO,
				"%s refuses: %s%s%s%s", s->config.server,
				farmem_reason_text(info.reason),
				*info.detail ? " (" : "", info.detail,
				*info.detail ? ")" : ""));
	} else if (ev->status == IB_CM_REJ_STALE_CONN) {
		q->failed_at = FARMEM_FAILED_STALE;
		connect_step_done(q, farmem_session_reason(s, -EAGAIN,
				"%s: an earlier connection with the same queue pair number was in the way; try again",
				s->config.server));
	} else if (ev->status == IB_CM_REJ_INVALID_SERVICE_ID) {
		connect_step_done(q, farmem_session_reason(s, -ECONNREFUSED,
				"%s: connection refused: nothing listens there; is farmemd running on that address and port?",
				s->config.server));
	} else {
		connect_step_done(q, farmem_session_reason(s, -ECONNREFUSED,
				"%s: connection rejected: %s; is that a farmemd?",
				s->config.server,
				rdma_reject_msg(q->cm_id, ev->status)));
	}
}

static void connect_established(struct farmem_queue *q, struct rdma_cm_event *ev)
{
	const struct rdma_conn_param *param = &ev->param.conn;

	memset(&q->cm_rep, 0, sizeof(q->cm_rep));
	if (param->private_data)
		memcpy(&q->cm_rep, param->private_data,
		       min_t(size_t, param->private_data_len,
			     sizeof(q->cm_rep)));
	connect_step_done(q, 0);
}

static void connect_lost(struct farmem_queue *q, const struct rdma_cm_event *ev,
			 int err, const char *why)
{
	if (farmem_queue_counts(q))
		farmem_session_fail(q->session, err, "%s: %s (%s)",
				    q->session->config.server, why,
				    rdma_event_msg(ev->event));
	if (!smp_load_acquire(&q->cm_done))
		connect_step_done(q, err);
}

static int connect_cm_event(struct rdma_cm_id *id, struct rdma_cm_event *ev)
{
	struct farmem_queue *q = id->context;
	struct farmem_session *s = q->session;
	/* In whose words farmemctl finds the explanation. */
	const char *said = rdma_event_msg(ev->event);

	if (id == READ_ONCE(q->former_id))
		return 0;
	switch (ev->event) {
	case RDMA_CM_EVENT_ADDR_RESOLVED:
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
		connect_step_done(q, 0);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		connect_established(q, ev);
		break;
	case RDMA_CM_EVENT_ADDR_ERROR:
		if (ev->status == -ETIMEDOUT)
			connect_step_done(q, -ETIMEDOUT);
		else
			connect_step_done(q, farmem_session_reason(s, ev->status ?: -EHOSTUNREACH,
				"%s: no RDMA device reaches this address (%s, %d); see 'rdma link', 'ip route get' and 'ip neigh'",
				s->config.server, said, ev->status));
		break;
	case RDMA_CM_EVENT_ROUTE_ERROR:
		connect_step_done(q, farmem_session_reason(s, ev->status ?: -ENETUNREACH,
				"%s: no route on the RDMA fabric (%s, %d)",
				s->config.server, said, ev->status));
		break;
	case RDMA_CM_EVENT_UNREACHABLE:
		connect_step_done(q, farmem_session_reason(s, -EHOSTUNREACH,
				"%s: no answer; is the memory node up, and UDP port 4791 open between the nodes? (%s)",
				s->config.server, said));
		break;
	case RDMA_CM_EVENT_CONNECT_ERROR:
		connect_step_done(q, farmem_session_reason(s, ev->status ?: -ECONNABORTED,
				"%s: connecting failed (%s, %d)", s->config.server,
				said, ev->status));
		break;
	case RDMA_CM_EVENT_REJECTED:
		connect_rejected(q, ev);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
		connect_lost(q, ev, -ECONNRESET, "the server closed the connection");
		break;
	case RDMA_CM_EVENT_ADDR_CHANGE:
		connect_lost(q, ev, -ENETRESET, "the local address moved to another device");
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		connect_lost(q, ev, -ENODEV, "the RDMA device was removed");
		break;
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
		break;
	default:
		pr_warn("%s: queue %u: unexpected event %s ignored\n",
			s->config.server, q->index, said);
	}
	return 0;
}

static int connect_late(struct farmem_session *s, const char *step)
{
	return farmem_session_reason(s, -ETIMEDOUT,
			"%s: no answer within %u s while %s; is the address right, the memory node up (see 'ip neigh'), and UDP port 4791 open between the nodes?",
			s->config.server, s->config.connect_timeout, step);
}

/* Wait for the handler to end the step that was just begun. */
static int connect_await_step(struct farmem_session *s, struct farmem_queue *q,
			      const char *step)
{
	int err;

	do
		err = farmem_session_wait(s, smp_load_acquire(&q->cm_done));
	while (err == -ETIMEDOUT && farmem_session_extend(s));
	if (!err)
		return q->cm_error;
	/* The caller that failed the session has said why. */
	if (err == -ETIMEDOUT && !READ_ONCE(s->abort_error))
		return connect_late(s, step);
	return err;
}

static int connect_begun(struct farmem_session *s, struct farmem_queue *q, int err,
			 const char *step)
{
	if (!err && farmem_fault(FARMEM_FAULT_CM))
		err = -ECONNABORTED;
	if (err)
		return farmem_session_reason(s, err, "%s: error %d while %s",
					     s->config.server, err, step);
	return connect_await_step(s, q, step);
}

static unsigned int connect_ms_left(struct farmem_session *s)
{
	long left = (long)((s->set.growing ? s->set.grow_until : s->deadline) - jiffies);

	return jiffies_to_msecs(max(left, 1L));
}

/*
 * In steps: a neighbour's answer that comes before the RDMA core has put its request on its list
 * (queue_req() in drivers/infiniband/core/addr.c) is seen only at the end of that request's time.
 */
static int connect_resolve_address(struct farmem_session *s, struct farmem_queue *q)
{
	static const char step[] = "resolving the address";
	struct sockaddr *src = NULL;
	unsigned int left;
	int err;

	if (s->link.source_addr.ss_family)
		src = (struct sockaddr *)&s->link.source_addr;

	do {
		left = connect_ms_left(s);
		q->cm_done = false;
		err = rdma_resolve_addr(q->cm_id, src, (struct sockaddr *)&s->link.server_addr,
					min(left, RESOLVE_MS));
		err = connect_begun(s, q, err, step);
	} while (err == -ETIMEDOUT && left > RESOLVE_MS && !READ_ONCE(s->abort_error));
	return err == -ETIMEDOUT && !READ_ONCE(s->abort_error) ? connect_late(s, step) : err;
}

static int connect_resolve(struct farmem_session *s, struct farmem_queue *q)
{
	int err = connect_resolve_address(s, q);

	if (err)
		return err;

	rdma_set_ack_timeout(q->cm_id, farmem_retry_fit(s->config.peer_timeout).ack_timeout);
	q->cm_done = false;
	err = rdma_resolve_route(q->cm_id, connect_ms_left(s));
	return connect_begun(s, q, err, "resolving the route");
}

static int connect_choose_device(struct farmem_session *s, struct farmem_queue *q)
{
	struct farmem_device *device;

	if (farmem_device_speaks_iwarp(q->cm_id->device))
		return farmem_session_reason(s, -EPROTONOSUPPORT,
				"%s: RDMA device %s speaks iWARP, which farmem does not support: a READ there needs a key for its target, and a WRITE is acknowledged before it has arrived; use RoCE or InfiniBand",
				s->config.server, dev_name(&q->cm_id->device->dev));
	if (s->link.device)
		return q->cm_id->device == s->link.device->dev ? 0 :
			farmem_session_reason(s, -ENODEV,
				"%s: its queues would use two RDMA devices; set source= to an address of one of them",
				s->config.server);
	device = farmem_device_get(q->cm_id->device, &s->link.device_user);
	if (IS_ERR(device))
		return farmem_session_reason(s, PTR_ERR(device),
				"%s: RDMA device %s is not usable; see the kernel log",
				s->config.server, dev_name(&q->cm_id->device->dev));
	s->link.device = device;
	/* A disk's limits stay as they were. */
	if (s->user_count && (device->max_sge < s->max_sge ||
			      device->max_segment < s->max_segment))
		return farmem_session_reason(s, -ENODEV,
				"%s: RDMA device %s carries less in a request than the one before; delete the volumes first",
				s->config.server, dev_name(&q->cm_id->device->dev));
	if (s->user_count)
		return 0;
	s->max_sge = device->max_sge;
	s->max_segment = device->max_segment;
	return 0;
}

static int connect_request(struct farmem_session *s, struct farmem_queue *q)
{
	/* Once: two clients that take over from each other would never end. */
	bool takeover = s->config.takeover && s->state == FARMEM_SESSION_CONNECTING;
	struct farmem_cm_req req = {
		.magic = cpu_to_le32(FARMEM_MAGIC),
		.version = cpu_to_le16(FARMEM_VERSION),
		.flags = cpu_to_le16(takeover ? FARMEM_CM_TAKEOVER : 0),
		.incarnation = cpu_to_le64(s->incarnation),
		.queue_index = cpu_to_le16(q->index),
		.queue_count = cpu_to_le16(s->set.wanted),
		.depth = cpu_to_le16(q->depth),
	};
	struct rdma_conn_param param = {
		.private_data = &req,
		.private_data_len = sizeof(req),
		.initiator_depth = s->link.device->read_depth,
		.responder_resources = 1,	/* the server's liveness probe */
		.retry_count = farmem_retry_fit(s->config.peer_timeout).count,
		/* Finite: a control message heads the writes behind it. */
		.rnr_retry_count = 6,
		.flow_control = 1,
	};
	int err;

	memcpy(req.identity, s->identity, sizeof(req.identity));
	if (q->index) {
		memcpy(req.token, s->link.token, sizeof(req.token));
		err = farmem_auth_token(s->auth, q->index, req.token);
		if (err)
			return farmem_session_reason(s, err, "hmac(sha256): %d", err);
	} else {
		farmem_auth_asked(s->auth, &req);
	}

	q->cm_done = false;
	err = rdma_connect(q->cm_id, &param);
	return connect_begun(s, q, err, "connecting");
}

static int connect_take_answer(struct farmem_session *s, struct farmem_queue *q)
{
	const struct farmem_cm_rep *rep = &q->cm_rep;
	int granted = farmem_message_parse_rep(rep, s->set.wanted);

	if (granted < 0)
		return farmem_session_reason(s, -EPROTO,
				"%s: its answer does not make sense; is that a farmemd of this version?",
				s->config.server);
	if (q->index)
		return 0;
	if (granted < s->set.wanted)
		pr_notice("%s: the server grants %u of %u queues; CPUs share them\n",
			  s->config.server, granted, s->set.wanted);
	s->set.granted = granted;
	s->link.generation = le64_to_cpu(rep->generation);
	memcpy(s->link.token, rep->token, sizeof(s->link.token));
	farmem_auth_answered(s->auth, rep);
	return farmem_session_claim(s, rep->server);
}

int farmem_connect_resolve(struct farmem_session *s, struct farmem_queue *q)
{
	int err;

	lockdep_assert_held(&s->lock);
	q->failed_at = FARMEM_FAILED_CONNECTING;
	WRITE_ONCE(q->given_up, false);
	q->cm_id = rdma_create_id(s->link.net, connect_cm_event, q, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(q->cm_id)) {
		err = PTR_ERR(q->cm_id);
		q->cm_id = NULL;
		return farmem_session_reason(s, err, "rdma_create_id: %d", err);
	}
	err = connect_resolve(s, q);
	if (!err)
		q->mtu = ib_mtu_enum_to_int(q->cm_id->route.path_rec->mtu);
	return err;
}

int farmem_connect_establish(struct farmem_session *s, struct farmem_queue *q)
{
	int err;

	lockdep_assert_held(&s->lock);
	err = connect_choose_device(s, q);
	if (err)
		return err;
	err = farmem_queue_create(q, s->link.device,
				  farmem_plan_place(s->set.granted, q->index));
	if (err) {
		q->failed_at = FARMEM_FAILED_CREATING;
		return farmem_session_reason(s, err,
				"%s: no queue pair %u of %u on %s (%d); lower queues=",
				s->config.server, q->index, s->set.granted,
				dev_name(&s->link.device->dev->dev), err);
	}
	if (!q->index) {
		err = farmem_control_create(s, q);
		if (err)
			return farmem_session_reason(s, err,
						     "no memory for control messages");
	}
	err = connect_request(s, q);
	if (err)
		return err;
	q->connected = true;
	err = connect_take_answer(s, q);
	if (!err && !q->index) {
		spin_lock_bh(&q->lock);
		farmem_arm_solicited(q);
		spin_unlock_bh(&q->lock);
	}
	return err;
}

static void connect_keep_id(struct farmem_queue *q)
{
	WARN_ON_ONCE(q->former_id);
	WRITE_ONCE(q->former_id, q->cm_id);
	/* A handler that did not see that yet is through. */
	rdma_lock_handler(q->cm_id);
	rdma_unlock_handler(q->cm_id);
}

void farmem_connect_detach(struct farmem_queue *q)
{
	if (q->connected)
		connect_keep_id(q);
	else if (q->cm_id)
		rdma_destroy_id(q->cm_id);
	q->cm_id = NULL;
	q->connected = false;
}

void farmem_connect_disconnect(struct farmem_queue *q)
{
	struct farmem_device *device = q->session->link.device;

	if (!q->former_id)
		return;
	mutex_lock(&device->disconnect_lock);
	rdma_destroy_id(q->former_id);
	mutex_unlock(&device->disconnect_lock);
	WRITE_ONCE(q->former_id, NULL);
}
