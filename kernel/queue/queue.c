// SPDX-License-Identifier: GPL-2.0
/*
 * queue.c - the queue pairs: made, started, fenced.  post.c fills them, reap.c
 * empties them.
 *
 * A queue has a CQ of its own, made with ib_create_cq() so that it can be left
 * unarmed while somebody polls it: a polled request then costs no interrupt.
 *
 * The CQ may be used by: posters, under q->lock and only while q->live; pollers,
 * counted in q->pollers while it is live and leaving when it is not; irq_poll,
 * until irq_poll_disable() and a grace period.  farmem_queue_drain() and its
 * caller wait for each before farmem_queue_destroy().
 */
#include <linux/cpu.h>
#include <linux/delay.h>

#include "fault.h"
#include "poll.h"
#include "post.h"
#include "queue.h"
#include "reap.h"

/* Completions that are handled before other softirqs get their turn. */
#define REAP_BUDGET 64

/* The session's error path knows more than an async event; it only tells. */
static void queue_qp_event(struct ib_event *event, void *context)
{
	struct farmem_queue *q = context;

	if (event->event == IB_EVENT_COMM_EST || !farmem_queue_counts(q))
		return;
	q->ops->failed(q, -EIO, FARMEM_LARGE_NONE, "queue %u: async event %s",
		       q->index, ib_event_msg(event->event));
}

static void queue_retry_work(struct work_struct *work)
{
	struct farmem_queue *q = container_of(to_delayed_work(work),
					      struct farmem_queue, retry);

	struct farmem_request *req, *next;
	LIST_HEAD(hopeless);

	spin_lock_bh(&q->lock);
	farmem_post_waiting(q, true);
	list_splice_init(&q->hopeless, &hopeless);
	spin_unlock_bh(&q->lock);
	if (list_empty(&hopeless))
		return;
	/* See farmem_request_pool(): the pool of one that has ended may go. */
	rcu_read_lock();
	list_for_each_entry_safe(req, next, &hopeless, entry)
		farmem_request_complete(req, BLK_STS_IOERR);
	rcu_read_unlock();
	/* Nobody else may be there to say that there is room. */
	wake_up_all(&q->room);
}

void farmem_queue_init(struct farmem_queue *q, struct farmem_session *session,
		       const struct farmem_queue_ops *ops, unsigned int index)
{
	q->session = session;
	q->ops = ops;
	q->index = index;
	spin_lock_init(&q->lock);
	INIT_LIST_HEAD(&q->inflight);
	INIT_LIST_HEAD(&q->waiting);
	INIT_LIST_HEAD(&q->hopeless);
	init_waitqueue_head(&q->room);
	INIT_DELAYED_WORK(&q->retry, queue_retry_work);
}

/*
 * cpumask_local_spread() meets a BUG, since 6.3 a warning, if a CPU goes while it counts.
 * Do not wait for hotplug: a task that brings a CPU up or down may need memory, and so
 * perhaps this session.
 */
static unsigned int queue_vector_for(struct ib_device *dev, unsigned int cpu)
{
	unsigned int vectors = max(dev->num_comp_vectors, 1), vector;

	if (!cpus_read_trylock())
		return cpu % vectors;
	vector = farmem_plan_vector(cpu, num_online_cpus(), vectors,
				    cpumask_local_spread, ibdev_to_node(dev));
	cpus_read_unlock();
	return vector;
}

int farmem_queue_create(struct farmem_queue *q, struct farmem_device *device,
			unsigned int cpu)
{
	struct ib_cq_init_attr cq_attr = {
		.comp_vector = queue_vector_for(device->dev, cpu),
	};
	struct ib_qp_init_attr attr = {
		.event_handler = queue_qp_event,
		.qp_context = q,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.qp_type = IB_QPT_RC,
	};
	unsigned int recvs = q->index ? 1 : FARMEM_MSG_RECVS;
	int err;

	/* +2: queue 0's control message, and the mark behind the flushes */
	q->depth = min_t(unsigned int, FARMEM_QUEUE_DEPTH, device->max_wr - 2);
	attr.cap.max_send_wr = q->depth + 2;
	attr.cap.max_recv_wr = recvs;
	attr.cap.max_send_sge = device->max_sge;
	attr.cap.max_recv_sge = 1;
	cq_attr.cqe = q->depth + 2 + recvs;

	q->device = device;
	q->software = device->software;
	q->armed = 0;
	q->flushed = false;
	q->sending = false;
	irq_poll_init(&q->iop, REAP_BUDGET, farmem_poll_irq);
	q->cq = ib_create_cq(device->dev, farmem_poll_event, NULL, q, &cq_attr);
	if (IS_ERR(q->cq)) {
		err = PTR_ERR(q->cq);
		q->cq = NULL;
		return err;
	}
	attr.send_cq = q->cq;
	attr.recv_cq = q->cq;
	err = farmem_fault_create() ?: rdma_create_qp(q->cm_id, device->pd, &attr);
	if (err) {
		ib_destroy_cq(q->cq);
		q->cq = NULL;
		return err;
	}
	q->qp = q->cm_id->qp;
	q->credits = q->depth;
	return 0;
}

void farmem_queue_start(struct farmem_queue *q, unsigned long patience)
{
	spin_lock_bh(&q->lock);
	q->live = true;
	WRITE_ONCE(q->open, false);
	q->patience = patience;
	q->succeeded = q->seen = 0;
	q->still_since = jiffies;
	q->stalled = false;
	q->poll_skip = 0;
	q->barrier = 0;
	spin_unlock_bh(&q->lock);
}

void farmem_queue_open(struct farmem_queue *q)
{
	spin_lock_bh(&q->lock);
	/* What was settled before is seen by those that look without the lock. */
	smp_store_release(&q->open, true);
	spin_unlock_bh(&q->lock);
}

/*
 * A send behind everything: when it is flushed, all before it is through.  The
 * requests themselves don't tell, for an unsignaled success says nothing.
 */
static void queue_post_mark(struct farmem_queue *q)
{
	struct ib_rdma_wr wr = {
		.wr = {
			.wr_id = FARMEM_WR_MARK,
			.opcode = IB_WR_RDMA_WRITE,
			.send_flags = IB_SEND_SIGNALED,
		},
	};

	ib_post_send(q->qp, &wr.wr, NULL);
}

void farmem_queue_stop(struct farmem_queue *q)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };

	if (!q->qp)
		return;
	spin_lock_bh(&q->lock);
	q->live = false;
	spin_unlock_bh(&q->lock);
	wake_up_all(&q->room);
	if (!ib_modify_qp(q->qp, &attr, IB_QP_STATE))
		queue_post_mark(q);
}

static void queue_wait_flushed(struct farmem_queue *q, unsigned long deadline)
{
	while (READ_ONCE(q->inflight_count) && !READ_ONCE(q->flushed) &&
	       time_before(jiffies, deadline)) {
		if (!farmem_reap_completions(q, REAP_BUDGET))
			usleep_range(200, 1000);
	}
	/* A last look: receives of queue 0 are flushed too. */
	while (farmem_reap_completions(q, REAP_BUDGET))
		;
}

static void queue_give_back(struct farmem_queue *q)
{
	struct farmem_request *req, *next;
	LIST_HEAD(left);

	/* As long as there is a queue pair the device may touch their pages. */
	WARN_ON_ONCE(q->qp);
	spin_lock_bh(&q->lock);
	list_splice_init(&q->inflight, &left);
	list_splice_tail_init(&q->waiting, &left);
	list_splice_tail_init(&q->hopeless, &left);
	q->inflight_count = 0;
	q->write_bytes = 0;
	spin_unlock_bh(&q->lock);

	list_for_each_entry_safe(req, next, &left, entry)
		farmem_request_complete(req, BLK_STS_TRANSPORT);
}

void farmem_queue_drain(struct farmem_queue *q, unsigned long deadline)
{
	if (!q->qp)
		return;
	cancel_delayed_work_sync(&q->retry);
	wait_var_event(&q->pollers, !atomic_read(&q->pollers));
	queue_wait_flushed(q, deadline);
	irq_poll_disable(&q->iop);
}

void farmem_queue_destroy(struct farmem_queue *q)
{
	if (!q->qp)
		return;
	/* From here on the device touches none of our pages. */
	rdma_destroy_qp(q->cm_id);
	q->qp = NULL;
	while (farmem_reap_completions(q, REAP_BUDGET))
		;
	queue_give_back(q);
	ib_destroy_cq(q->cq);
	q->cq = NULL;
}
