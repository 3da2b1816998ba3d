// SPDX-License-Identifier: GPL-2.0
/*
 * control.c - the control messages of a session, from the client's side.
 *
 * session->lock serializes requests; the receive side (softirq) only notes
 * what arrived, under session->state_lock, and wakes session->wait.
 */
#include <linux/slab.h>

#include "arm.h"
#include "auth.h"
#include "control.h"
#include "fault.h"
#include "local.h"
#include "session.h"

#define SEND_BUF FARMEM_MSG_RECVS

static enum dma_data_direction control_direction(unsigned int i)
{
	return i == SEND_BUF ? DMA_TO_DEVICE : DMA_FROM_DEVICE;
}

static int control_post_recv(struct farmem_session *s, unsigned int i)
{
	struct farmem_control *c = &s->control;
	struct ib_sge sge = {
		.addr = c->dma[i],
		.length = FARMEM_MSG_MAX,
		.lkey = s->link.device->pd->local_dma_lkey,
	};
	struct ib_recv_wr wr = {
		.wr_id = (i << 2) | FARMEM_WR_CONTROL,
		.sg_list = &sge,
		.num_sge = 1,
	};

	ib_dma_sync_single_for_device(s->link.device->dev, c->dma[i],
				      FARMEM_MSG_MAX, DMA_FROM_DEVICE);
	return ib_post_recv(s->set.queues[0].qp, &wr, NULL);
}

int farmem_control_create(struct farmem_session *s, struct farmem_queue *q)
{
	struct farmem_control *c = &s->control;
	struct ib_device *dev = s->link.device->dev;
	unsigned int i;
	int err;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < FARMEM_CONTROL_BUFS; i++) {
		c->buf[i] = farmem_fault_alloc(kzalloc(FARMEM_MSG_MAX, GFP_KERNEL));
		if (!c->buf[i])
			return -ENOMEM;
		c->dma[i] = ib_dma_map_single(dev, c->buf[i], FARMEM_MSG_MAX,
					      control_direction(i));
		if (ib_dma_mapping_error(dev, c->dma[i])) {
			kfree(c->buf[i]);
			c->buf[i] = NULL;
			return -ENOMEM;
		}
	}
	for (i = 0; i < FARMEM_MSG_RECVS; i++) {
		err = control_post_recv(s, i);
		if (err)
			return err;
	}
	return 0;
}

void farmem_control_destroy(struct farmem_session *s)
{
	struct farmem_control *c = &s->control;
	unsigned int i;

	for (i = 0; i < FARMEM_CONTROL_BUFS; i++) {
		if (!c->buf[i])
			continue;
		ib_dma_unmap_single(s->link.device->dev, c->dma[i], FARMEM_MSG_MAX,
				    control_direction(i));
		kfree(c->buf[i]);
		c->buf[i] = NULL;
	}
}

/* The buffer may be received into again; an error is the session's end. */
static void control_done_with(struct farmem_session *s, unsigned int i)
{
	int err = control_post_recv(s, i);

	if (err)
		farmem_session_fail(s, err, "posting a receive failed (%d)",
				    err);
}

/* An answer to a request that was given up.  Under @s->state_lock. */
static bool control_is_late(const struct farmem_control *c, const struct farmem_msg *msg)
{
	s32 age = c->last_id - le32_to_cpu(msg->id);

	/* Ids start at 1: 0 was never a request's. */
	return msg->id && (age > 0 || (!age && c->given_up));
}

/* Return: false: it is late, here and nowhere else; what is noted belongs to the request. */
static bool control_note_arrival(struct farmem_session *s, unsigned int buf, u32 len, int type)
{
	struct farmem_control *c = &s->control;
	unsigned long flags;
	bool late;

	spin_lock_irqsave(&s->state_lock, flags);
	late = type >= 0 && control_is_late(c, c->buf[buf]);
	if (!late) {
		/* Never full: a buffer is posted again only after it was read. */
		c->arrived[c->tail % FARMEM_MSG_RECVS].buf = buf;
		c->arrived[c->tail % FARMEM_MSG_RECVS].len = len;
		c->tail++;
	}
	spin_unlock_irqrestore(&s->state_lock, flags);
	return !late;
}

/*
 * Late answers are dropped, and WORKING is read, as they arrive: a server that goes on
 * after a request was given up would find no receive otherwise.  Requests are answered in
 * order: work on an earlier one is work on ours.
 */
static void control_receive_message(struct farmem_session *s, unsigned int buf, u32 len)
{
	int type = farmem_message_check(s->control.buf[buf], len);

	if (type == FARMEM_MSG_GOODBYE) {
		farmem_session_fail(s, -EHOSTDOWN,
				    "the server is shutting down");
		return;
	}
	if (type == FARMEM_MSG_WORKING)
		WRITE_ONCE(s->control.working, true);
	else if (control_note_arrival(s, buf, len, type))
		return;
	/* What is found when the queue pair is gone has nowhere to go. */
	if (s->set.queues[0].qp)
		control_done_with(s, buf);
}

void farmem_control_arrived(struct farmem_session *s, struct ib_wc *wc)
{
	struct farmem_control *c = &s->control;
	unsigned int i = wc->wr_id >> 2;

	if (i == SEND_BUF) {
		WRITE_ONCE(s->set.queues[0].sending, false);
	} else if (wc->status == IB_WC_SUCCESS) {
		ib_dma_sync_single_for_cpu(s->link.device->dev, c->dma[i],
					   FARMEM_MSG_MAX, DMA_FROM_DEVICE);
		control_receive_message(s, i, wc->byte_len);
	}
	wake_up(&s->wait);
}

static void control_fill_header(struct farmem_session *s, enum farmem_msg_type type,
				struct farmem_msg *msg, u32 len)
{
	msg->magic = cpu_to_le32(FARMEM_MAGIC);
	msg->version = cpu_to_le16(FARMEM_VERSION);
	msg->type = cpu_to_le16(type);
	msg->length = cpu_to_le32(len);
	WRITE_ONCE(s->control.working, false);
	s->control.patient = type == FARMEM_MSG_OPEN ||
			     type == FARMEM_MSG_RELEASE;
	spin_lock_irq(&s->state_lock);
	msg->id = cpu_to_le32(++s->control.last_id);
	s->control.given_up = false;
	spin_unlock_irq(&s->state_lock);
}

/*
 * Not even a kill ends it: a process that was killed while it asked for memory has yet to
 * tell the server that nobody wants it.
 */
static int control_await_send_buffer(struct farmem_session *s)
{
	long left = (long)(s->deadline - jiffies);

	wait_event_timeout(s->wait, READ_ONCE(s->abort_error) ||
			   !READ_ONCE(s->set.queues[0].sending), max(left, 1L));
	return READ_ONCE(s->abort_error) ?:
		READ_ONCE(s->set.queues[0].sending) ? -ETIMEDOUT : 0;
}

static int control_post(struct farmem_session *s, const struct farmem_msg *msg, u32 len)
{
	struct farmem_control *c = &s->control;
	struct farmem_queue *q = &s->set.queues[0];
	struct ib_sge sge = {
		.addr = c->dma[SEND_BUF],
		.length = len,
		.lkey = s->link.device->pd->local_dma_lkey,
	};
	struct ib_send_wr wr = {
		.wr_id = (SEND_BUF << 2) | FARMEM_WR_CONTROL,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IB_WR_SEND,
		.send_flags = IB_SEND_SIGNALED,
	};
	int err;

	err = control_await_send_buffer(s);
	if (err)
		return err;

	memcpy(c->buf[SEND_BUF], msg, len);
	ib_dma_sync_single_for_device(s->link.device->dev, c->dma[SEND_BUF], len,
				      DMA_TO_DEVICE);
	q->sending = true;
	err = ib_post_send(q->qp, &wr, NULL);
	if (err) {
		q->sending = false;
		return err;
	}
	/* Its failure is to be heard at once, and no answer would tell. */
	spin_lock_bh(&q->lock);
	farmem_arm_solicited(q);
	spin_unlock_bh(&q->lock);
	return 0;
}

static int control_send(struct farmem_session *s, enum farmem_msg_type type,
			struct farmem_msg *msg, u32 len)
{
	control_fill_header(s, type, msg, len);
	return control_post(s, msg, len);
}

/*
 * The server works on what is asked for.  That is worth another @connect_timeout,
 * but not that others wait longer for the session than for a server that is silent.
 */
static int control_wait_on(struct farmem_session *s)
{
	struct farmem_control *c = &s->control;

	WRITE_ONCE(c->working, false);
	/* A server that says it without end does not keep us from the clock. */
	if (!c->patient || atomic_read(&s->lock_wanted))
		return time_after(jiffies, s->deadline) ? -ETIMEDOUT : 0;
	/* Ctrl-C, and the freezer before a suspend: after such a while they count. */
	if (signal_pending(current))
		return -EINTR;
	farmem_session_restart_clock(s);
	return 0;
}

static bool control_has_arrived(const struct farmem_control *c)
{
	return READ_ONCE(c->tail) != c->head;
}

static unsigned int control_take_arrived(struct farmem_session *s, u32 *len)
{
	struct farmem_control *c = &s->control;
	unsigned int buf;

	spin_lock_irq(&s->state_lock);
	buf = c->arrived[c->head % FARMEM_MSG_RECVS].buf;
	*len = c->arrived[c->head % FARMEM_MSG_RECVS].len;
	c->head++;
	spin_unlock_irq(&s->state_lock);
	return buf;
}

static void control_give_up(struct farmem_session *s)
{
	u32 len;

	spin_lock_irq(&s->state_lock);
	s->control.given_up = true;
	spin_unlock_irq(&s->state_lock);
	while (control_has_arrived(&s->control))
		control_done_with(s, control_take_arrived(s, &len));
}

/* The next message in the inbox; what came before an abort still counts. */
static int control_next_arrived(struct farmem_session *s, unsigned int *i, u32 *len)
{
	struct farmem_control *c = &s->control;
	int err;

	for (;;) {
		err = farmem_session_wait(s, control_has_arrived(c) ||
					     READ_ONCE(c->working));
		if (control_has_arrived(c))
			break;
		if (!err)
			err = control_wait_on(s);
		if (err)
			return err;
	}
	*i = control_take_arrived(s, len);
	return 0;
}

/*
 * Wait for a @want that answers the last request.  Its buffer (*@i) is the
 * caller's until control_done_with().
 */
static int control_await(struct farmem_session *s, enum farmem_msg_type want,
			 unsigned int *i, u32 *len)
{
	const struct farmem_msg *msg;
	int err;

	err = control_next_arrived(s, i, len);
	if (err)
		return err;
	msg = s->control.buf[*i];
	if (farmem_message_check(msg, *len) == want && le32_to_cpu(msg->id) == s->control.last_id)
		return 0;
	control_done_with(s, *i);
	return -EPROTO;
}

static int control_receive(struct farmem_session *s, enum farmem_msg_type want,
			   unsigned int *i, u32 *len)
{
	int err = control_await(s, want, i, len);

	if (err)
		control_give_up(s);
	return err;
}

/* A refusal, as an errno, with what the server says about it. */
static int control_refused(struct farmem_session *s, unsigned int reason,
			   const char *detail)
{
	if (reason == FARMEM_OK)
		return 0;
	return farmem_session_reason(s, farmem_message_reason_errno(reason),
				     "the server refuses: %s%s%s%s",
				     farmem_reason_text(reason),
				     *detail ? " (" : "", detail,
				     *detail ? ")" : "");
}

static int control_malformed(struct farmem_session *s, const char *what)
{
	return farmem_session_reason(s, -EPROTO,
				     "the server's %s does not make sense; is it a farmemd of this version?",
				     what);
}

static int control_no_answer(struct farmem_session *s, int err, const char *to)
{
	/* The caller that failed the session has said why. */
	if (READ_ONCE(s->abort_error))
		return err;
	if (err == -EPROTO)
		return control_malformed(s, to);
	if (err == -ETIMEDOUT)
		return farmem_session_reason(s, err,
				atomic_read(&s->lock_wanted) ?
				"the server takes longer than connect_timeout (%s), and other commands wait for the session; try again" :
				"the server is connected but does not answer (%s); is farmemd stopped, or does its adapter hang? see its log",
				to);
	return err;
}

/* This client's name, and the proof of it. */
static int control_say_hello(struct farmem_session *s)
{
	struct farmem_hello hello = {};
	int err;

	memcpy(hello.name, s->config.client, strnlen(s->config.client, FARMEM_NAME_LEN - 1));
	hello.incarnation = cpu_to_le64(s->incarnation);
	control_fill_header(s, FARMEM_MSG_HELLO, &hello.msg, sizeof(hello));
	err = farmem_auth_hello(s->auth, &hello);
	if (err)
		return farmem_session_reason(s, err, "hmac(sha256): %d", err);
	return control_post(s, &hello.msg, sizeof(hello));
}

/* A server that refuses proves nothing: that is to be told to the user anyway. */
static int control_judge_welcome(struct farmem_session *s, const void *buf, u32 len,
				 struct farmem_welcome_info *info)
{
	int err;

	if (farmem_message_parse_welcome(buf, len, info))
		return control_malformed(s, "WELCOME");
	/* A server that refuses closes the connection next. */
	if (info->reason != FARMEM_OK)
		farmem_session_ignore_reports(s, farmem_message_reason_errno(info->reason));
	err = control_refused(s, info->reason, info->detail);
	if (err)
		return err;
	err = farmem_auth_welcome(s->auth, buf);
	if (err)
		return farmem_session_reason(s, err,
				"%s does not prove that it has this client's key: another program answers there, or farmemd runs without --keys, or its file has no line for this client",
				s->config.server);
	return info->generation == s->link.generation ? 0 : control_malformed(s, "WELCOME");
}

int farmem_control_hello(struct farmem_session *s)
{
	struct farmem_welcome_info info;
	unsigned int i;
	u32 len;
	int err;

	err = control_say_hello(s);
	if (!err)
		err = control_receive(s, FARMEM_MSG_WELCOME, &i, &len);
	if (err)
		return control_no_answer(s, err, "WELCOME");

	err = control_judge_welcome(s, s->control.buf[i], len, &info);
	control_done_with(s, i);
	if (err)
		return err;

	s->link.slab_size = info.slab_size;
	s->link.lease = info.lease;
	s->link.capacity = info.capacity;
	s->link.free = info.free;
	s->link.pressure = 0;
	s->link.wanted = 0;
	s->link.within = 0;
	farmem_heartbeat_aim(s, &info);
	return 0;
}

static int control_check_grant(struct farmem_session *s, const struct farmem_open *open,
			       const void *buf, u32 len, unsigned int part,
			       struct farmem_grant_info *info)
{
	int err;

	err = farmem_message_parse_grant(buf, len, open->uuid, info);
	if (err)
		return control_malformed(s, "GRANT");
	err = control_refused(s, info->reason, info->detail);
	if (err)
		return err;
	if (info->part != part || info->slab_size != s->link.slab_size ||
	    info->generation != s->link.generation ||
	    info->capacity < le64_to_cpu(open->capacity))
		return control_malformed(s, "GRANT");
	return 0;
}

static int control_make_room(struct farmem_grant_regions *grant, unsigned int count)
{
	unsigned int room = max(2 * grant->room, count);
	struct farmem_region *more;

	if (count <= grant->room)
		return 0;
	more = farmem_fault_alloc(kvcalloc(room, sizeof(*more), FARMEM_GFP_MAY_FAIL));
	if (!more)
		return -ENOMEM;
	if (grant->count)
		memcpy(more, grant->regions, grant->count * sizeof(*more));
	kvfree(grant->regions);
	grant->regions = more;
	grant->room = room;
	return 0;
}

static int control_keep_regions(struct farmem_session *s, struct farmem_grant_regions *grant,
				const struct farmem_grant_info *info)
{
	if (control_make_room(grant, grant->count + info->region_count))
		return farmem_session_reason(s, -ENOMEM, "no memory for the list of regions");
	memcpy(grant->regions + grant->count, info->region,
	       info->region_count * sizeof(*info->region));
	grant->count += info->region_count;
	grant->part++;
	grant->parts = info->parts;
	grant->flags = info->flags;
	grant->slab_size = info->slab_size;
	grant->slabs = info->slabs;
	return 0;
}

static int control_take_grant(struct farmem_session *s, const struct farmem_open *open,
			      const void *buf, u32 len, struct farmem_grant_regions *grant)
{
	struct farmem_grant_info info;
	int err = control_check_grant(s, open, buf, len, grant->part, &info);

	if (err)
		return err;
	grant->covered = farmem_message_grant_covers(&info, grant->covered);
	if (grant->covered < 0 || (grant->part && info.slabs != grant->slabs))
		return control_malformed(s, "GRANT");
	return control_keep_regions(s, grant, &info);
}

static int control_take_grants(struct farmem_session *s, const struct farmem_open *open,
			       struct farmem_grant_regions *grant)
{
	unsigned int i;
	u32 len;
	int err;

	do {
		err = control_receive(s, FARMEM_MSG_GRANT, &i, &len);
		if (err)
			return control_no_answer(s, err, "GRANT");
		err = control_take_grant(s, open, s->control.buf[i], len, grant);
		control_done_with(s, i);
		if (err) {
			control_give_up(s);
			return err;
		}
	} while (grant->part < grant->parts);
	return grant->covered == grant->slabs ? 0 : control_malformed(s, "GRANT");
}

int farmem_control_open(struct farmem_session *s, struct farmem_open *open,
			struct farmem_grant_regions *grant)
{
	int err;

	lockdep_assert_held(&s->lock);
	grant->count = 0;
	grant->part = 0;
	grant->covered = 0;
	if (s->local)
		return farmem_local_open(s, open, grant);
	err = control_send(s, FARMEM_MSG_OPEN, &open->msg, sizeof(*open));
	if (err)
		return control_no_answer(s, err, "OPEN");
	return control_take_grants(s, open, grant);
}

int farmem_control_close(struct farmem_session *s, const u8 *uuid,
			 enum farmem_msg_type type)
{
	struct farmem_volume_ref ref = {};
	unsigned int i;
	u32 len;
	int err;

	lockdep_assert_held(&s->lock);
	if (s->local) {
		farmem_local_close(s, uuid, type);
		return 0;
	}
	memcpy(ref.uuid, uuid, FARMEM_ID_LEN);
	err = control_send(s, type, &ref.msg, sizeof(ref));
	if (!err)
		err = control_receive(s, FARMEM_MSG_DONE, &i, &len);
	if (err)
		return control_no_answer(s, err, "DONE");
	err = farmem_message_parse_done(s->control.buf[i], len, uuid);
	control_done_with(s, i);
	return err < 0 ? control_malformed(s, "DONE") : control_refused(s, err, "");
}
