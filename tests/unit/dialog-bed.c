// SPDX-License-Identifier: GPL-2.0
/* dialog-bed.c - a session whose adapter and worker do nothing: see dialog-bed.h */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admit.h"
#include "client.h"
#include "dialog.h"
#include "dialog-bed.h"
#include "stubs.h"

struct bed bed;

void __wrap_worker_submit(struct worker *worker, struct job *job)
{
	assert_null(bed.job);
	bed.job = job;
}

void __wrap_session_close(struct session *session, const char *why)
{
	session->state = SESSION_DEAD;
	snprintf(bed.why, sizeof(bed.why), "%s", why);
	bed.closed = bed.why;
}

int __wrap_beat_register(struct beat *beat, struct ibv_pd *pd, struct message_welcome *welcome)
{
	welcome->beat_addr = 64;
	return bed.unregistrable;
}

int __wrap_ibv_dereg_mr(struct ibv_mr *mr)
{
	bed.deregistered++;
	return bed.deregister ? bed.deregister(mr) : 0;
}

int __wrap_spread(unsigned int count, int (*run)(void *data, unsigned int i), void *data)
{
	bed.spread = count;
	return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	bed.watch = wr->num_sge ? 0 : wr->wr_id;
	bed.receives++;
	return 0;
}

static uint16_t reason_of(const void *data)
{
	const struct farmem_msg *msg = data;
	const struct farmem_grant *grant = data;
	const struct farmem_welcome *welcome = data;

	return le16toh(le16toh(msg->type) == FARMEM_MSG_GRANT ? grant->reason : welcome->reason);
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	const void *data = (const void *)(uintptr_t)wr->sg_list->addr;

	assert_true(bed.sends < SENT_MAX);
	memcpy(&bed.sent[bed.sends], data, sizeof(bed.sent[0]));
	bed.reason[bed.sends] = reason_of(data);
	bed.send_id[bed.sends++] = wr->wr_id;
	return 0;
}

static int poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *wc)
{
	if (bed.completed)
		return 0;
	*wc = bed.wc;
	bed.completed = true;
	return 1;
}

void bed_open(enum session_state state)
{
	struct session *session = &bed.session;
	unsigned int i;

	memset(&bed, 0, sizeof(bed));
	stub_context(&bed.context, &bed.adapter);
	bed.context.ops.post_recv = post_recv;
	bed.context.ops.post_send = post_send;
	bed.context.ops.poll_cq = poll_cq;
	bed.device.verbs = &bed.context;
	bed.device.limits.mr_size = UINT64_MAX;
	bed.qp.context = &bed.context;
	bed.cq.context = &bed.context;
	bed.conn.qp = &bed.qp;
	bed.conn.id = &bed.id;
	for (i = 0; i < sizeof(bed.conns) / sizeof(bed.conns[0]); i++)
		bed.conns[i] = &bed.conn;
	stub_server(&bed.server, 16, SLAB);
	bed.server.pool.base = (uint8_t *)&bed;
	assert_int_equal(client_identity("node", session->identity), 0);
	session->server = &bed.server;
	session->ops = &admit_ops;
	session->device = &bed.device;
	if (state == SESSION_LIVE) {
		session->client = client_get(&bed.server, session->identity);
		session->client->session = session;
		session->stage = DIALOG_IDLE;
	}
	session->state = state;
	session->incarnation = 5;
	session->conn = bed.conns;
	LIST_INSERT_HEAD(&bed.server.sessions, session, link);
	session->queues.cq = &bed.cq;
	assert_int_equal(beat_alloc(&session->beat, &bed.server), 0);
	session->work.session = session;
	session->mailbox.mr = &bed.mr;
	session->mailbox.qp = &bed.qp;
	session->mailbox.buffers = calloc(2 * FARMEM_MSG_RECVS, FARMEM_MSG_MAX);
	LIST_INIT(&session->grants);
}

void bed_close(void)
{
	if (bed.session.client)
		bed.session.client->session = NULL;
	free(bed.session.mailbox.buffers);
	beat_free(&bed.session.beat);
	stub_server_free(&bed.server);
}

void complete_as(uint64_t wr_id, uint32_t len, enum ibv_wc_status status)
{
	bed.wc = (struct ibv_wc){ .wr_id = wr_id, .byte_len = len, .status = status,
		.opcode = wr_id < FARMEM_MSG_RECVS ? IBV_WC_RECV : IBV_WC_SEND };
	bed.completed = false;
	dialog_completions(&bed.session);
}

void complete(uint64_t wr_id, uint32_t len)
{
	complete_as(wr_id, len, IBV_WC_SUCCESS);
}

struct farmem_msg head(unsigned int type, uint32_t id, size_t len)
{
	return (struct farmem_msg) {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.type = htole16(type),
		.length = htole32(len),
		.id = htole32(id),
	};
}

void arrive(unsigned int slot, const void *data, size_t len)
{
	memcpy(bed.session.mailbox.buffers + slot * FARMEM_MSG_MAX, data, len);
	complete(slot, len);
}

void ask_open(unsigned int slot, uint32_t id)
{
	struct farmem_open open = {
		.msg = head(FARMEM_MSG_OPEN, id, sizeof(open)),
		.uuid = { 1 },
		.capacity = htole64(bed.capacity ?: SLAB),
		.flags = htole32(FARMEM_OPEN_CREATE),
	};

	arrive(slot, &open, sizeof(open));
}

void ask_end(unsigned int slot, uint32_t id, enum farmem_msg_type type)
{
	struct farmem_volume_ref ref = {
		.msg = head(type, id, sizeof(ref)),
		.uuid = { 1 },
	};

	arrive(slot, &ref, sizeof(ref));
}

void finish_step(struct ibv_mr *mr)
{
	struct job *job = bed.job;

	assert_non_null(job);
	bed.job = NULL;
	bed.session.work.grant->region[0].data = mr;
	bed.session.work.grant->region[0].meta = mr;
	job->done(job);
	dialog_progress(&bed.server);
}

unsigned int run_step(void)
{
	unsigned int before = bed.deregistered;
	struct job *job = bed.job;

	assert_non_null(job);
	bed.job = NULL;
	job->run(job);
	job->done(job);
	dialog_progress(&bed.server);
	return bed.deregistered - before;
}

void expect_sent(unsigned int index, enum farmem_msg_type type, uint32_t id)
{
	assert_true(index < bed.sends);
	assert_int_equal(le16toh(bed.sent[index].type), type);
	assert_int_equal(le32toh(bed.sent[index].id), id);
}
