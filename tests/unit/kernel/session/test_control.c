// SPDX-License-Identifier: GPL-2.0
/*
 * test_control.c - what a server says of a session, while its connection ends
 *
 * control.c itself is compiled here, with as much of a session as it looks at.  Its
 * adapter sends nothing, and has received what the test says.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "explore.h"
#include "farmem-proto.h"

/* Of session.h, queue.h and their like. */
#define FARMEM_ARM_H
#define FARMEM_AUTH_H
#define FARMEM_FAULT_H
#define FARMEM_LOCAL_H
#define FARMEM_SESSION_H

#define HZ 250
#define FARMEM_WR_CONTROL 1ul

static unsigned long jiffies;

#define time_after(a, b) ((long)((b) - (a)) < 0)
#define wake_up(wait) wake_up_all(wait)
#define spin_lock_bh(lock) spin_lock(lock)
#define spin_unlock_bh(lock) spin_unlock(lock)

enum dma_data_direction { DMA_TO_DEVICE, DMA_FROM_DEVICE };
enum { IB_WR_SEND, IB_SEND_SIGNALED, IB_WC_SUCCESS = 0, IB_WC_RECV };

struct ib_device;
struct ib_qp;

struct ib_sge {
	u64 addr;
	u32 length, lkey;
};

struct ib_recv_wr {
	u64 wr_id;
	struct ib_sge *sg_list;
	int num_sge;
};

struct ib_send_wr {
	u64 wr_id;
	struct ib_sge *sg_list;
	int num_sge, opcode, send_flags;
};

struct ib_wc {
	u64 wr_id;
	int status, opcode;
	u32 byte_len;
};

#define ib_dma_map_single(dev, buf, len, way) ((void)(dev), (void)(way), (u64)(uintptr_t)(buf))
#define ib_dma_mapping_error(dev, address) false
#define ib_dma_unmap_single(dev, address, len, way) ((void)(dev), (void)(way))
#define ib_dma_sync_single_for_cpu(dev, address, len, way) ((void)(dev), (void)(address))
#define ib_dma_sync_single_for_device(dev, address, len, direction) ((void)(dev))
#define ib_post_recv(qp, wr, bad) ((void)(wr), 0)
#define ib_post_send(qp, wr, bad) ((void)(wr), hello_unsent = 0)

static int hello_unsent;

#include "control.h"

struct farmem_pd {
	u32 local_dma_lkey;
};

struct farmem_device {
	struct ib_device *dev;
	struct farmem_pd *pd;
};

struct farmem_queue {
	struct ib_qp *qp;
	spinlock_t lock;
	bool sending;
};

struct farmem_session {
	const char *name;
	char reason[160];
	spinlock_t lock, state_lock;
	wait_queue_head_t wait;
	int abort_error;
	unsigned long deadline;
	atomic_t lock_wanted;
	u64 incarnation;
	void *auth, *local;
	struct {
		const char *server, *client;
		unsigned int connect_timeout;
	} config;
	struct {
		struct farmem_queue *queues;
	} set;
	struct {
		struct farmem_device *device;
		u64 generation, slab_size, capacity, free;
		u32 lease, pressure, within;
		u64 wanted;
	} link;
	struct farmem_control control;
};

/* As session.c has them, of a session that is connecting. */
static void say(struct farmem_session *s, const char *fmt, va_list args)
{
	vsnprintf(s->reason, sizeof(s->reason), fmt, args);
}

static int farmem_session_reason(struct farmem_session *s, int err, const char *fmt, ...)
{
	va_list args;

	spin_lock(&s->state_lock);
	va_start(args, fmt);
	say(s, fmt, args);
	va_end(args);
	spin_unlock(&s->state_lock);
	return err;
}

static void farmem_session_fail(struct farmem_session *s, int err, const char *fmt, ...)
{
	va_list args;

	spin_lock(&s->state_lock);
	if (!s->abort_error) {
		va_start(args, fmt);
		say(s, fmt, args);
		va_end(args);
		s->abort_error = err;
	}
	spin_unlock(&s->state_lock);
}

static void farmem_session_ignore_reports(struct farmem_session *s, int err)
{
	spin_lock(&s->state_lock);
	if (!s->abort_error)
		s->abort_error = err;
	spin_unlock(&s->state_lock);
}

/* Its answer is there already. */
#define farmem_session_wait(s, condition) ((condition) ? READ_ONCE((s)->abort_error) : -ETIMEDOUT)
#define wait_event_timeout(wait, condition, timeout) ((void)(condition), (void)(timeout))
#define farmem_session_restart_clock(s) ((void)(s))
#define farmem_fault_alloc(p) shim_alloc(p)
#define FARMEM_GFP_MAY_FAIL GFP_KERNEL
#define farmem_auth_hello(auth, hello) ((void)(auth), (void)(hello), 0)
#define farmem_auth_welcome(auth, welcome) ((void)(auth), (void)(welcome), 0)
#define farmem_heartbeat_aim(s, info) ((void)(s), (void)(info))
#define farmem_arm_solicited(q) ((void)(q))

#define current NULL
#define signal_pending(task) false

#define farmem_local_open(session, open, grant) (-EOPNOTSUPP)
#define farmem_local_close(session, uuid, type) ((void)0)

static bool memory_is_short;

static void *shim_alloc(void *p)
{
	if (!memory_is_short)
		return p;
	free(p);
	return NULL;
}

#include "../../../../kernel/session/control.c"

static struct farmem_session session;
static struct farmem_queue queue;
static struct farmem_pd pd;
static struct farmem_device device = { .pd = &pd };
static int ended_with;

static void begin(void)
{
	memset(&session, 0, sizeof(session));
	memset(&queue, 0, sizeof(queue));
	hello_unsent = 1;
	session.name = "default";
	session.config.server = "10.0.0.1:7471";
	session.config.client = "alpha";
	session.deadline = 20 * HZ;
	session.set.queues = &queue;
	session.link.device = &device;
	farmem_control_create(&session, &queue);
}

static void set_up(void)
{
	struct farmem_welcome welcome = {
		.msg = {
			.magic = cpu_to_le32(FARMEM_MAGIC),
			.version = cpu_to_le16(FARMEM_VERSION),
			.type = cpu_to_le16(FARMEM_MSG_WELCOME),
			.length = cpu_to_le32(sizeof(welcome)),
			.id = cpu_to_le32(1),
		},
		.reason = cpu_to_le16(FARMEM_ERR_AUTH),
	};

	begin();
	memcpy(session.control.buf[0], &welcome, sizeof(welcome));
	control_note_arrival(&session, 0, sizeof(welcome), FARMEM_MSG_WELCOME);
}

static void introduce(void *unused)
{
	ended_with = farmem_control_hello(&session);
}

/* The server has read HELLO by then. */
static void disconnect(void *unused)
{
	while (hello_unsent)
		shim_wait(&hello_unsent);
	farmem_session_fail(&session, -ECONNRESET, "the server closed the connection");
}

static const char *check(void)
{
	static const char refusal[] = "the server refuses: ";
	const char *wrong = NULL;

	if (ended_with != farmem_message_reason_errno(FARMEM_ERR_AUTH))
		wrong = "the refusal was not heard";
	else if (strncmp(session.reason, refusal, strlen(refusal)))
		wrong = "the connection's end hides the refusal";
	farmem_control_destroy(&session);
	return wrong;
}

/* A server that refuses closes the connection at once. */
static void test_refusal_outlives_connection(void **state)
{
	static struct explore e = {
		.setup = set_up,
		.thread = { introduce, disconnect },
		.check = check,
	};

	(void)state;
	explore_all(&e);
}

static const u8 uuid[FARMEM_ID_LEN] = { 7 };

/* A CLOSE that is answered or given up, and the next request. */
static void ask_twice(void *unused)
{
	struct farmem_volume_ref ref = {};

	spin_lock(&session.lock);
	farmem_control_close(&session, uuid, FARMEM_MSG_CLOSE);
	control_send(&session, FARMEM_MSG_CLOSE, &ref.msg, sizeof(ref));
	spin_unlock(&session.lock);
}

static void answer_once(void *unused)
{
	struct farmem_done done = {
		.msg = {
			.magic = cpu_to_le32(FARMEM_MAGIC),
			.version = cpu_to_le16(FARMEM_VERSION),
			.type = cpu_to_le16(FARMEM_MSG_DONE),
			.length = cpu_to_le32(sizeof(done)),
			.id = cpu_to_le32(1),
		},
	};

	while (hello_unsent)
		shim_wait(&hello_unsent);
	memcpy(done.uuid, uuid, sizeof(uuid));
	memcpy(session.control.buf[0], &done, sizeof(done));
	control_receive_message(&session, 0, sizeof(done));
}

static const char *nothing_left(void)
{
	bool left = control_has_arrived(&session.control);

	farmem_control_destroy(&session);
	return left ? "the next request finds the answer to one that was given up" : NULL;
}

static void test_late_answers_are_thrown_away(void **state)
{
	static struct explore e = {
		.setup = begin,
		.thread = { ask_twice, answer_once },
		.check = nothing_left,
	};

	(void)state;
	explore_all(&e);
}

#define SLAB (16ull << 20)

/* A part of a GRANT of six slabs: two regions of one slab each, from @first_slab on. */
static void grant_arrives(u16 part, u32 first_slab)
{
	const u32 len = sizeof(struct farmem_grant) + 2 * sizeof(struct farmem_region);
	struct farmem_grant *grant = session.control.buf[part];
	unsigned int i;

	memset(grant, 0, len);
	grant->msg.magic = cpu_to_le32(FARMEM_MAGIC);
	grant->msg.version = cpu_to_le16(FARMEM_VERSION);
	grant->msg.type = cpu_to_le16(FARMEM_MSG_GRANT);
	grant->msg.length = cpu_to_le32(len);
	grant->msg.id = cpu_to_le32(1);
	memcpy(grant->uuid, uuid, sizeof(uuid));
	grant->part = cpu_to_le16(part);
	grant->parts = cpu_to_le16(3);
	grant->region_count = cpu_to_le16(2);
	grant->generation = cpu_to_le64(9);
	grant->capacity = cpu_to_le64(6 * SLAB);
	grant->slab_size = cpu_to_le64(SLAB);
	grant->slabs = cpu_to_le32(6);
	grant->flags = cpu_to_le32(FARMEM_GRANT_NEW);
	for (i = 0; i < 2; i++) {
		grant->region[i].first_slab = cpu_to_le32(first_slab + i);
		grant->region[i].slab_count = cpu_to_le32(1);
		grant->region[i].addr = cpu_to_le64((first_slab + i + 1) * SLAB);
		grant->region[i].meta_addr = cpu_to_le64(first_slab + i + 1);
	}
	control_note_arrival(&session, part, len, FARMEM_MSG_GRANT);
}

static int open_volume(struct farmem_grant_regions *grant)
{
	struct farmem_open open = { .capacity = cpu_to_le64(6 * SLAB) };
	int err;

	session.link.generation = 9;
	session.link.slab_size = SLAB;
	memcpy(open.uuid, uuid, sizeof(uuid));
	spin_lock(&session.lock);
	err = farmem_control_open(&session, &open, grant);
	spin_unlock(&session.lock);
	farmem_control_destroy(&session);
	return err;
}

static void test_parts_become_one_grant(void **state)
{
	struct farmem_grant_regions grant = {};
	unsigned int i;

	(void)state;
	begin();
	for (i = 0; i < 3; i++)
		grant_arrives(i, 2 * i);
	assert_int_equal(open_volume(&grant), 0);
	assert_int_equal(grant.count, 6);
	assert_int_equal(grant.slabs, 6);
	assert_int_equal(grant.slab_size, SLAB);
	assert_int_equal(grant.flags, FARMEM_GRANT_NEW);
	for (i = 0; i < 6; i++) {
		assert_int_equal(le32_to_cpu(grant.regions[i].first_slab), i);
		assert_int_equal(le64_to_cpu(grant.regions[i].addr), (i + 1) * SLAB);
	}
	kvfree(grant.regions);
}

/* Recovery asks for what the volume has, at the worst time for memory. */
static void test_the_same_is_granted_without_memory(void **state)
{
	struct farmem_grant_regions grant = {};
	unsigned int i, times;

	(void)state;
	for (times = 0; times < 2; times++) {
		begin();
		for (i = 0; i < 3; i++)
			grant_arrives(i, 2 * i);
		memory_is_short = times;
		assert_int_equal(open_volume(&grant), 0);
		memory_is_short = false;
		assert_int_equal(grant.count, 6);
		assert_int_equal(le32_to_cpu(grant.regions[5].first_slab), 5);
	}
	kvfree(grant.regions);
}

/* The second part has the first one's slabs again. */
static void test_parts_that_overlap_are_refused(void **state)
{
	struct farmem_grant_regions grant = {};

	(void)state;
	begin();
	grant_arrives(0, 0);
	grant_arrives(1, 0);
	assert_int_equal(open_volume(&grant), -EPROTO);
	kvfree(grant.regions);
}

/* Where others wait for the session, WORKING is not worth another connect_timeout. */
static void test_working_ends_with_the_clock(void **state)
{
	(void)state;
	begin();
	jiffies = session.deadline;
	assert_int_equal(control_wait_on(&session), 0);
	jiffies = session.deadline + 1;
	assert_int_equal(control_wait_on(&session), -ETIMEDOUT);
	session.control.patient = true;
	assert_int_equal(control_wait_on(&session), 0);
	atomic_inc(&session.lock_wanted);
	assert_int_equal(control_wait_on(&session), -ETIMEDOUT);
	farmem_control_destroy(&session);
	jiffies = 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusal_outlives_connection),
		cmocka_unit_test(test_late_answers_are_thrown_away),
		cmocka_unit_test(test_parts_become_one_grant),
		cmocka_unit_test(test_the_same_is_granted_without_memory),
		cmocka_unit_test(test_parts_that_overlap_are_refused),
		cmocka_unit_test(test_working_ends_with_the_clock),
	};

	return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
