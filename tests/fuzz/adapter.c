// SPDX-License-Identifier: GPL-2.0
/*
 * adapter.c - an RDMA adapter and its CM that do what the target says, in place of
 * the libraries.
 *
 * Every object is on a list while it exists, so what is destroyed twice, left
 * behind or reached after its fence shows.  Called by the server's sources as
 * the libraries are, and by fuzz_session.c.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>

#include "adapter.h"
#include "fuzz.h"
#include "loop.h"
#include "util.h"

#define REMOTE_RW	(IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE)

struct adapter adapter;

bool adapter_fails(int error)
{
	if (!adapter.fail_in || --adapter.fail_in)
		return false;
	errno = error;
	return true;
}

static void *zeroed(size_t size)
{
	void *memory = calloc(1, size);

	REQUIRE(memory);
	return memory;
}

struct adapter_qp *adapter_qp(struct ibv_qp *qp)
{
	return container_of(qp, struct adapter_qp, qp);
}

struct adapter_cq *adapter_cq(struct ibv_cq *cq)
{
	return container_of(cq, struct adapter_cq, cq);
}

/* Verbs: what is posted and polled. */

static int post_recv(struct ibv_qp *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct adapter_qp *qp = adapter_qp(ibv);
	unsigned int i;

	*bad = wr;
	if (adapter_fails(ENOMEM))
		return ENOMEM;
	REQUIRE(wr->num_sge <= 1 && qp->recvs < ADAPTER_RECVS);
	for (i = 0; i < qp->recvs; i++)
		REQUIRE(qp->recv[i].wr_id != wr->wr_id);
	qp->recv[qp->recvs] = *wr;
	qp->recv_sge[qp->recvs++] = wr->num_sge ? *wr->sg_list : (struct ibv_sge){};
	return 0;
}

static int post_send(struct ibv_qp *ibv, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct adapter_qp *qp = adapter_qp(ibv);
	unsigned int i;

	*bad = wr;
	if (adapter_fails(ENOMEM))
		return ENOMEM;
	REQUIRE(qp->sends < ADAPTER_SENDS);
	for (i = 0; i < qp->sends; i++)
		REQUIRE(qp->send[i] != wr->wr_id);
	qp->send[qp->sends++] = wr->wr_id;
	if (wr->num_sge)
		adapter.sent(ibv, (const uint8_t *)(uintptr_t)wr->sg_list->addr,
			     wr->sg_list->length);
	return 0;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited)
{
	return adapter_fails(EIO) ? EIO : 0;
}

static int poll_cq(struct ibv_cq *ibv, int count, struct ibv_wc *wc)
{
	struct adapter_cq *cq = adapter_cq(ibv);
	int n = 0;

	while (n < count && cq->got != cq->put)
		wc[n++] = cq->wc[cq->got++ % ADAPTER_WCS];
	return n;
}

static bool put_completion(struct adapter_qp *qp, uint64_t id, uint32_t len,
			   enum ibv_wc_opcode opcode, enum ibv_wc_status status)
{
	struct adapter_cq *cq = adapter_cq(qp->qp.send_cq);

	REQUIRE(cq->put - cq->got < ADAPTER_WCS);
	cq->wc[cq->put++ % ADAPTER_WCS] =
		(struct ibv_wc){ .wr_id = id, .byte_len = len, .opcode = opcode, .status = status,
				 .qp_num = qp->qp.qp_num };
	return true;
}

bool adapter_receive(struct adapter_qp *qp, const void *data, size_t len)
{
	uint64_t id = qp->recv[0].wr_id;

	if (!qp->recvs || len > qp->recv_sge[0].length)
		return false;
	if (len)
		memcpy((void *)(uintptr_t)qp->recv_sge[0].addr, data, len);
	qp->recvs--;
	memmove(qp->recv, qp->recv + 1, qp->recvs * sizeof(*qp->recv));
	memmove(qp->recv_sge, qp->recv_sge + 1, qp->recvs * sizeof(*qp->recv_sge));
	return put_completion(qp, id, len, IBV_WC_RECV, IBV_WC_SUCCESS);
}

bool adapter_receive_token(struct adapter_qp *qp, uint32_t token)
{
	struct adapter_cq *cq = adapter_cq(qp->qp.send_cq);
	struct ibv_wc *wc = &cq->wc[cq->put % ADAPTER_WCS];

	if (!adapter_receive(qp, NULL, 0))
		return false;
	wc->wc_flags = IBV_WC_WITH_IMM;
	wc->imm_data = htonl(token);
	return true;
}

bool adapter_flush(struct adapter_qp *qp)
{
	uint64_t id = qp->recv[0].wr_id;

	if (!qp->recvs)
		return false;
	qp->recvs = 0;
	return put_completion(qp, id, 0, IBV_WC_RECV, IBV_WC_WR_FLUSH_ERR);
}

bool adapter_complete(struct adapter_qp *qp, enum ibv_wc_status status)
{
	uint64_t id = qp->send[0];

	if (!qp->sends)
		return false;
	qp->sends--;
	memmove(qp->send, qp->send + 1, qp->sends * sizeof(*qp->send));
	return put_completion(qp, id, 0, IBV_WC_SEND, status);
}

bool adapter_reachable(const struct adapter_mr *mr)
{
	const struct adapter_qp *qp;

	if (!(mr->access & IBV_ACCESS_REMOTE_WRITE))
		return false;
	LIST_FOREACH(qp, &adapter.qps, link)
		if (qp->qp.pd == mr->mr.pd)
			return true;
	return false;
}

/* Verbs: objects. */

const char *ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

const char *ibv_wc_status_str(enum ibv_wc_status status)
{
	return "a completion status";
}

const char *ibv_event_type_str(enum ibv_event_type event)
{
	return "an event";
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->max_qp = 6;
	attr->max_cq = attr->max_pd = 6;
	attr->max_mr = 64;
	attr->max_mr_size = ADAPTER_MR_SIZE;
	attr->max_qp_rd_atom = 16;
	return adapter_fails(EIO) ? EIO : 0;
}

/* The header's inline function calls this one. */
#undef ibv_query_port
int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *compat)
{
	struct ibv_port_attr *attr = (struct ibv_port_attr *)compat;

	attr->state = adapter.port_down ? IBV_PORT_DOWN : IBV_PORT_ACTIVE;
	return adapter_fails(EIO) ? EIO : 0;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	struct ibv_comp_channel *channel;

	if (adapter_fails(ENOMEM))
		return NULL;
	channel = zeroed(sizeof(*channel));
	channel->context = context;
	channel->fd = context->async_fd;
	return channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	free(channel);
	return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **context)
{
	return -1;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int count)
{
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	return -1;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct adapter_pd *pd;

	if (adapter_fails(ENOMEM))
		return NULL;
	pd = zeroed(sizeof(*pd));
	pd->pd.context = context;
	LIST_INSERT_HEAD(&adapter.pds, pd, link);
	return &pd->pd;
}

int ibv_dealloc_pd(struct ibv_pd *ibv)
{
	struct adapter_pd *pd = container_of(ibv, struct adapter_pd, pd);
	const struct adapter_mr *mr;
	const struct adapter_qp *qp;

	LIST_FOREACH(mr, &adapter.mrs, link)
		REQUIRE(mr->mr.pd != ibv);
	LIST_FOREACH(qp, &adapter.qps, link)
		if (qp->qp.pd == ibv)
			return EBUSY;
	LIST_REMOVE(pd, link);
	free(pd);
	return 0;
}

#undef ibv_reg_mr
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	struct adapter_mr *mr;

	/* No more than is needed: relaxed ordering would break what was acknowledged. */
	REQUIRE(!(access & ~(IBV_ACCESS_LOCAL_WRITE | REMOTE_RW)));
	REQUIRE(length <= ADAPTER_MR_SIZE || !(access & REMOTE_RW));
	if (adapter_fails(ENOMEM))
		return NULL;
	mr = zeroed(sizeof(*mr));
	mr->mr.context = pd->context;
	mr->mr.pd = pd;
	mr->mr.addr = addr;
	mr->mr.length = length;
	mr->mr.lkey = mr->mr.rkey = ++adapter.next_key;
	mr->access = access;
	LIST_INSERT_HEAD(&adapter.mrs, mr, link);
	return &mr->mr;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
				unsigned int access)
{
	return ibv_reg_mr(pd, addr, length, access);
}

int ibv_dereg_mr(struct ibv_mr *ibv)
{
	struct adapter_mr *mr = container_of(ibv, struct adapter_mr, mr);

	LIST_REMOVE(mr, link);
	free(mr);
	return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context,
			     struct ibv_comp_channel *channel, int vector)
{
	struct adapter_cq *cq;

	REQUIRE(cqe <= ADAPTER_WCS);
	if (adapter_fails(ENOMEM))
		return NULL;
	cq = zeroed(sizeof(*cq));
	cq->cq.context = context;
	cq->cq.cq_context = cq_context;
	cq->cq.cqe = ADAPTER_WCS;
	LIST_INSERT_HEAD(&adapter.cqs, cq, link);
	return &cq->cq;
}

int ibv_destroy_cq(struct ibv_cq *ibv)
{
	const struct adapter_qp *qp;
	struct adapter_cq *cq = adapter_cq(ibv);

	LIST_FOREACH(qp, &adapter.qps, link)
		if (qp->qp.send_cq == ibv)
			return EBUSY;
	if (adapter_fails(EBUSY)) {
		adapter.stuck = true;
		return EBUSY;
	}
	LIST_REMOVE(cq, link);
	free(cq);
	return 0;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct adapter_qp *qp;

	if (adapter_fails(ENOMEM))
		return NULL;
	REQUIRE(attr->cap.max_recv_wr <= ADAPTER_RECVS && attr->cap.max_send_wr <= ADAPTER_SENDS);
	qp = zeroed(sizeof(*qp));
	qp->qp.context = pd->context;
	qp->qp.qp_context = attr->qp_context;
	qp->qp.pd = pd;
	qp->qp.send_cq = attr->send_cq;
	qp->qp.recv_cq = attr->recv_cq;
	LIST_INSERT_HEAD(&adapter.qps, qp, link);
	return &qp->qp;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	REQUIRE(!(mask & IBV_QP_RNR_RETRY) || attr->rnr_retry < 7);
	REQUIRE(!(mask & IBV_QP_RETRY_CNT) || attr->retry_cnt < 7);
	REQUIRE(!(mask & IBV_QP_ACCESS_FLAGS) || !(attr->qp_access_flags & ~REMOTE_RW));
	return adapter_fails(EINVAL) ? EINVAL : 0;
}

/* One that fails leaves its queue pair: the peer may go on writing. */
int ibv_destroy_qp(struct ibv_qp *ibv)
{
	struct adapter_qp *qp = adapter_qp(ibv);

	if (adapter_fails(EBUSY)) {
		adapter.stuck = qp->stuck = true;
		return EBUSY;
	}
	LIST_REMOVE(qp, link);
	free(qp);
	return 0;
}

/* rdma_cm. */

struct adapter_id *adapter_connect(unsigned int device, uint8_t host)
{
	struct adapter_id *id = zeroed(sizeof(*id));
	struct sockaddr_in *peer = (struct sockaddr_in *)&id->id.route.addr.dst_addr;

	id->id.verbs = &adapter.verbs[device];
	peer->sin_family = AF_INET;
	peer->sin_port = htons(40000);
	peer->sin_addr.s_addr = htonl(0x0a000001 + host);
	LIST_INSERT_HEAD(&adapter.ids, id, link);
	return id;
}

int rdma_destroy_id(struct rdma_cm_id *rdma)
{
	struct adapter_id *id = container_of(rdma, struct adapter_id, id);

	LIST_REMOVE(id, link);
	free(id);
	return 0;
}

int rdma_disconnect(struct rdma_cm_id *id)
{
	return 0;
}

int rdma_init_qp_attr(struct rdma_cm_id *id, struct ibv_qp_attr *attr, int *mask)
{
	*mask = IBV_QP_STATE;
	/* As the kernel's CM has it: atomics, too. */
	if (attr->qp_state == IBV_QPS_INIT) {
		*mask |= IBV_QP_ACCESS_FLAGS;
		attr->qp_access_flags = REMOTE_RW | IBV_ACCESS_REMOTE_ATOMIC;
	}
	/* As the peer's REQ says: without end. */
	if (attr->qp_state == IBV_QPS_RTS) {
		*mask |= IBV_QP_RNR_RETRY | IBV_QP_RETRY_CNT;
		attr->rnr_retry = attr->retry_cnt = 7;
	}
	if (!adapter_fails(EINVAL))
		return 0;
	return -1;
}

int rdma_accept(struct rdma_cm_id *rdma, struct rdma_conn_param *param)
{
	struct adapter_id *id = container_of(rdma, struct adapter_id, id);

	REQUIRE(!id->accepted && param->private_data_len <= 196);
	id->accepted = true;
	return adapter_fails(EINVAL) ? -1 : 0;
}

int rdma_reject(struct rdma_cm_id *rdma, const void *data, uint8_t len)
{
	struct adapter_id *id = container_of(rdma, struct adapter_id, id);

	REQUIRE(!id->accepted && data && len <= 148);
	return 0;
}

const char *rdma_event_str(enum rdma_cm_event_type event)
{
	return "a CM event";
}

static void open_files(struct ibv_context *verbs)
{
	verbs->async_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	verbs->cmd_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	REQUIRE(verbs->async_fd >= 0 && verbs->cmd_fd >= 0);
}

void adapter_on(void)
{
	static int files[ADAPTER_DEVICES][2];
	unsigned int i;

	memset(&adapter, 0, sizeof(adapter));
	loop_on();
	for (i = 0; i < ADAPTER_DEVICES; i++) {
		struct ibv_context *verbs = &adapter.verbs[i];

		snprintf(adapter.device[i].name, sizeof(adapter.device[i].name), "fuzz%u", i);
		snprintf(adapter.device[i].dev_name, sizeof(adapter.device[i].dev_name),
			 "nosuch%u", i);
		verbs->device = &adapter.device[i];
		verbs->ops.post_recv = post_recv;
		verbs->ops.post_send = post_send;
		verbs->ops.req_notify_cq = req_notify_cq;
		verbs->ops.poll_cq = poll_cq;
		if (!files[i][0]) {
			open_files(verbs);
			files[i][0] = verbs->async_fd;
			files[i][1] = verbs->cmd_fd;
		}
		verbs->async_fd = files[i][0];
		verbs->cmd_fd = files[i][1];
	}
}

/*
 * What hangs on a queue pair that would not go stays, as it does in the kernel, and
 * so does its session, as it does in the server.
 */
static void forget_stuck(void)
{
	struct adapter_qp *qp;
	struct adapter_cq *cq;
	struct adapter_pd *pd;

	while ((qp = LIST_FIRST(&adapter.qps))) {
		LIST_REMOVE(qp, link);
		free(qp);
	}
	while ((cq = LIST_FIRST(&adapter.cqs))) {
		LIST_REMOVE(cq, link);
		adapter.forgotten(&cq->cq);
		free(cq);
	}
	while ((pd = LIST_FIRST(&adapter.pds))) {
		LIST_REMOVE(pd, link);
		free(pd);
	}
}

void adapter_off(void)
{
	if (adapter.stuck)
		forget_stuck();
	REQUIRE(LIST_EMPTY(&adapter.qps));
	REQUIRE(LIST_EMPTY(&adapter.cqs));
	REQUIRE(LIST_EMPTY(&adapter.pds));
	REQUIRE(LIST_EMPTY(&adapter.mrs));
	REQUIRE(LIST_EMPTY(&adapter.ids));
	loop_off();
}
