// SPDX-License-Identifier: GPL-2.0
/*
 * test_queue.c - a queue is made while CPUs come and go
 *
 * queue.c itself is compiled here, with a device that makes what it is asked for.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/spinlock.h>

#include "explore.h"
#include "plan.h"

/* Of queue.h. */
#define FARMEM_ARM_H
#define FARMEM_POLL_H
#define FARMEM_POST_H
#define FARMEM_QUEUE_H
#define FARMEM_REAP_H

#define FARMEM_QUEUE_DEPTH 128
#define FARMEM_MSG_RECVS 8
#define FARMEM_WR_MARK 3ul
#define BLK_STS_TRANSPORT 1
#define BLK_STS_IOERR 2

typedef u8 blk_status_t;

enum { IB_EVENT_COMM_EST, IB_SIGNAL_REQ_WR, IB_QPT_RC, IB_WR_RDMA_WRITE, IB_SEND_SIGNALED, IB_QPS_ERR,
       IB_QP_STATE };

struct work_struct {
	int unused;
};

struct delayed_work {
	struct work_struct work;
};

struct irq_poll {
	int unused;
};

struct ib_event {
	int event;
};

struct ib_device {
	int num_comp_vectors;
};

struct ib_cq {
	int vector;
};

struct ib_qp {
	int unused;
};

struct rdma_cm_id {
	struct ib_qp *qp;
};

struct ib_cq_init_attr {
	unsigned int cqe;
	int comp_vector;
};

struct ib_qp_init_attr {
	void (*event_handler)(struct ib_event *event, void *context);
	void *qp_context;
	struct ib_cq *send_cq, *recv_cq;
	struct {
		u32 max_send_wr, max_recv_wr, max_send_sge, max_recv_sge;
	} cap;
	int sq_sig_type, qp_type;
};

struct ib_qp_attr {
	int qp_state;
};

struct ib_rdma_wr {
	struct {
		u64 wr_id;
		int opcode, send_flags;
	} wr;
};

struct farmem_device {
	struct ib_device *dev;
	void *pd;
	unsigned int max_wr, max_sge;
	bool software;
};

struct farmem_session {
	int unused;
};

struct farmem_request {
	struct list_head entry;
};

enum farmem_queue_large { FARMEM_LARGE_NONE, FARMEM_LARGE_WRITE, FARMEM_LARGE_READ };

struct farmem_queue;

struct farmem_queue_ops {
	void (*failed)(struct farmem_queue *q, int err, enum farmem_queue_large large,
		       const char *fmt, ...);
};

struct farmem_queue {
	struct farmem_session *session;
	const struct farmem_queue_ops *ops;
	struct farmem_device *device;
	unsigned int index, depth;
	spinlock_t lock;
	bool live, open, stalled, flushed, sending, software;
	unsigned int credits, inflight_count, write_bytes, poll_skip, barrier;
	struct list_head inflight, waiting, hopeless;
	unsigned long succeeded, seen, still_since, armed, patience;
	int room;
	struct ib_qp *qp;
	struct ib_cq *cq;
	struct irq_poll iop;
	atomic_t pollers;
	struct delayed_work retry;
	struct rdma_cm_id *cm_id;
};

static unsigned long jiffies;
static spinlock_t cpus_lock;
static unsigned int cpus_online;

#define time_before(a, b) ((long)((a) - (b)) < 0)
#define to_delayed_work(w) container_of(w, struct delayed_work, work)
#define INIT_DELAYED_WORK(w, f) ((void)(w), (void)(f))
#define cancel_delayed_work_sync(w) ((void)(w))
#define init_waitqueue_head(queue) ((void)(queue))
#define wake_up_all(queue) ((void)(queue))
#define wait_var_event(var, condition) ((void)(condition))
#define cpus_read_trylock() spin_trylock(&cpus_lock)
#define cpus_read_unlock() spin_unlock(&cpus_lock)
#define rcu_read_lock() ((void)0)
#define rcu_read_unlock() ((void)0)
#define num_online_cpus() READ_ONCE(cpus_online)
#define ibdev_to_node(dev) ((void)(dev), -1)
#define ib_event_msg(event) ((void)(event), "")
#define ib_create_cq(dev, handler, event, q, attr) \
	((void)(dev), (void)(q), cq.vector = (attr)->comp_vector, &cq)
#define ib_destroy_cq(cq) ((void)(cq))
#define ib_modify_qp(qp, attr, mask) ((void)(qp), (void)(attr), 0)
#define ib_post_send(qp, wr, bad) ((void)(qp), (void)(wr))
#define rdma_create_qp(id, pd, attr) ((void)(pd), (void)(attr), (id)->qp = &qp, 0)
#define rdma_destroy_qp(id) ((void)(id))
#define irq_poll_init(iop, budget, handler) ((void)(iop))
#define irq_poll_disable(iop) ((void)(iop))
#define farmem_queue_counts(q) ((void)(q), true)
#define farmem_post_waiting(q, arm) ((void)(q))
#define farmem_reap_completions(q, budget) ((void)(q), 0)
#define farmem_request_complete(req, status) ((void)(req))

static struct ib_cq cq;
static struct ib_qp qp;

/* As Linux 6.1 has it. */
static unsigned int cpumask_local_spread(unsigned int i, int node)
{
	unsigned int cpu;

	(void)node;
	i %= READ_ONCE(cpus_online);
	for (cpu = 0; cpu < READ_ONCE(cpus_online); cpu++)
		if (!i--)
			return cpu;
	explore_fault("BUG() in cpumask_local_spread()");
	return 0;
}

void farmem_queue_init(struct farmem_queue *q, struct farmem_session *session,
		       const struct farmem_queue_ops *ops, unsigned int index);
int farmem_queue_create(struct farmem_queue *q, struct farmem_device *device, unsigned int cpu);
void farmem_queue_start(struct farmem_queue *q, unsigned long patience);
void farmem_queue_open(struct farmem_queue *q);
void farmem_queue_stop(struct farmem_queue *q);
void farmem_queue_drain(struct farmem_queue *q, unsigned long deadline);
void farmem_queue_destroy(struct farmem_queue *q);

#include "../../../../kernel/queue/queue.c"

static struct ib_device dev = { .num_comp_vectors = 8 };
static struct farmem_device device = { .dev = &dev, .max_wr = 4096, .max_sge = 32 };
static struct farmem_session session;
static struct rdma_cm_id id;
static struct farmem_queue queue;

static void begin(void)
{
	memset(&queue, 0, sizeof(queue));
	memset(&cpus_lock, 0, sizeof(cpus_lock));
	cpus_online = 3;
	cq.vector = -1;
	/* Of a CPU that is offline: all are looked at. */
	farmem_queue_init(&queue, &session, NULL, 5);
	queue.cm_id = &id;
}

static void make(void *nothing)
{
	(void)nothing;
	farmem_queue_create(&queue, &device, 5);
}

static void cpu_goes(void *nothing)
{
	(void)nothing;
	spin_lock(&cpus_lock);
	WRITE_ONCE(cpus_online, 2);
	spin_unlock(&cpus_lock);
}

static const char *made(void)
{
	return cq.vector == 5 ? NULL : "a queue of an offline CPU has another vector than its number's";
}

static void test_cpu_goes_meanwhile(void **state)
{
	struct explore e = {
		.setup = begin,
		.thread = { make, cpu_goes },
		.check = made,
	};

	(void)state;
	explore_all(&e);
}

/* What is held for so long is not waited for. */
static void test_hotplug_is_not_waited_for(void **state)
{
	(void)state;
	begin();
	cpus_lock.held = 1;
	assert_int_equal(farmem_queue_create(&queue, &device, 5), 0);
	assert_int_equal(cq.vector, 5);
	assert_int_equal(cpus_lock.held, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpu_goes_meanwhile),
		cmocka_unit_test(test_hotplug_is_not_waited_for),
	};

	return cmocka_run_group_tests_name("kernel_queue", tests, NULL, NULL);
}
