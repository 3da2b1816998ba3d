// SPDX-License-Identifier: GPL-2.0
/*
 * queue.c - the queue pairs: posting, reaping, fencing.
 *
 * A queue has a CQ of its own, made with ib_create_cq() so that it can be left
 * unarmed while somebody polls it: a polled read then costs no interrupt.
 * Whoever posts without polling arms it, and irq_poll (softirq) reaps.
 *
 * The CQ may be used by: posters, under q->lock and only while q->live;
 * pollers, counted in q->pollers and leaving when !q->live; irq_poll, until
 * irq_poll_disable() and a grace period.  farmem_queue_drain() and its caller
 * wait for each before farmem_queue_destroy().
 */
#include <linux/delay.h>
#include <linux/sched/clock.h>

#include "control.h"
#include "fault.h"
#include "queue.h"
#include "session.h"

#define REAP_BATCH 8
#define IRQ_POLL_WEIGHT 64

unsigned int farmem_poll_budget_us = 100;

static void kick_waiting(struct farmem_queue *q);

static u32 write_bytes(const struct farmem_request *req)
{
	return req->op == FARMEM_OP_WRITE ? req->bytes : 0;
}

/* Let submitters go on; q->lock held.  In batches: each is a wake-up. */
static void make_room(struct farmem_queue *q)
{
	if (list_empty(&q->waiting) &&
	    q->write_bytes <= FARMEM_QUEUE_WRITE_BYTES / 2 &&
	    wq_has_sleeper(&q->room))
		wake_up_all(&q->room);
}

static void request_arrived(struct farmem_queue *q, struct ib_wc *wc)
{
	struct farmem_request *req = (void *)(unsigned long)wc->wr_id;

	spin_lock_bh(&q->lock);
	list_del(&req->entry);
	q->inflight_count--;
	q->credits += req->wr_count;
	q->write_bytes -= write_bytes(req);
	make_room(q);
	spin_unlock_bh(&q->lock);

	farmem_request_complete(req, wc->status == IB_WC_SUCCESS ?
				BLK_STS_OK : BLK_STS_TRANSPORT);
}

static void handle_wc(struct farmem_queue *q, struct ib_wc *wc)
{
	/* Our own flushes find the session failed or aborted already. */
	if (unlikely(wc->status != IB_WC_SUCCESS))
		farmem_session_fail(q->session, -EIO,
				    "queue %u: %s (status %d, vendor %#x)",
				    q->index, ib_wc_status_msg(wc->status),
				    wc->status, wc->vendor_err);

	if (wc->wr_id & FARMEM_WR_CONTROL) {
		wc->wr_id &= ~(u64)FARMEM_WR_TAGS;
		farmem_control_arrived(q->session, wc);
		return;
	}
	/* An error here comes again as a flush of the request's last. */
	if (wc->wr_id & FARMEM_WR_CHAINED)
		return;
	request_arrived(q, wc);
}

static int reap(struct farmem_queue *q, int budget)
{
	struct ib_wc wc[REAP_BATCH];
	int done = 0, n, i;

	while (done < budget) {
		n = ib_poll_cq(q->cq, min(budget - done, REAP_BATCH), wc);
		if (n <= 0)
			break;
		for (i = 0; i < n; i++)
			handle_wc(q, &wc[i]);
		done += n;
	}
	if (done && !list_empty_careful(&q->waiting))
		kick_waiting(q);
	return done;
}

/* q->lock held and q->live, or a poller, or irq_poll: the CQ is there. */
static void arm(struct farmem_queue *q)
{
	if (test_and_set_bit(0, &q->armed))
		return;
	if (ib_req_notify_cq(q->cq, IB_CQ_NEXT_COMP |
			     IB_CQ_REPORT_MISSED_EVENTS) > 0)
		irq_poll_sched(&q->iop);
}

static void cq_event(struct ib_cq *cq, void *context)
{
	struct farmem_queue *q = context;

	irq_poll_sched(&q->iop);
}

static int irq_poll_reap(struct irq_poll *iop, int budget)
{
	struct farmem_queue *q = container_of(iop, struct farmem_queue, iop);
	int done = reap(q, budget);

	if (done < budget) {
		irq_poll_complete(iop);
		clear_bit(0, &q->armed);
		smp_mb__after_atomic();	/* pairs with post's list_add, arm */
		if (READ_ONCE(q->inflight_count) || !q->index)
			arm(q);
	}
	return done;
}

/* The session's error path knows more than an async event; it only tells. */
static void qp_event(struct ib_event *event, void *context)
{
	struct farmem_queue *q = context;

	if (event->event == IB_EVENT_COMM_EST)
		return;
	farmem_session_fail(q->session, -EIO, "queue %u: async event %s",
			    q->index, ib_event_msg(event->event));
}

/* Page states come from a constant page, again and again. */
static unsigned int meta_sges(struct farmem_queue *q,
			      struct farmem_request *req, struct ib_sge *sge)
{
	u64 dma = req->op == FARMEM_OP_ZERO ? q->device->zero_dma :
					      q->device->data_dma;
	u32 left = req->meta_pages;
	unsigned int n;

	for (n = 0; left; n++) {
		sge[n].addr = dma;
		sge[n].length = min_t(u32, left, PAGE_SIZE);
		sge[n].lkey = q->device->pd->local_dma_lkey;
		left -= sge[n].length;
	}
	return n;
}

/* Build and post the one or two work requests; q->lock held. */
static int post_locked(struct farmem_queue *q, struct farmem_request *req)
{
	struct ib_sge meta_sge[FARMEM_MAX_SGE];
	struct ib_rdma_wr data = {}, meta = {};
	const struct ib_send_wr *bad = NULL;
	struct ib_send_wr *first, *last;
	int err;

	lockdep_assert_held(&q->lock);
	if (farmem_fault(FARMEM_FAULT_POST))
		return -ENOMEM;

	data.wr.wr_id = (unsigned long)req;
	data.wr.opcode = req->op == FARMEM_OP_READ ? IB_WR_RDMA_READ :
						     IB_WR_RDMA_WRITE;
	data.wr.sg_list = req->sge;
	data.wr.num_sge = req->sge_count;
	data.remote_addr = req->remote_addr;
	data.rkey = req->rkey;
	first = last = &data.wr;

	if (req->meta_pages) {
		meta.wr.wr_id = (unsigned long)req;
		meta.wr.opcode = IB_WR_RDMA_WRITE;
		meta.wr.sg_list = meta_sge;
		meta.wr.num_sge = meta_sges(q, req, meta_sge);
		meta.remote_addr = req->meta_addr;
		meta.rkey = req->meta_rkey;
		last = &meta.wr;
		if (req->op == FARMEM_OP_ZERO) {
			first = last;
		} else {
			/* RC keeps the order: the data is there before. */
			data.wr.wr_id |= FARMEM_WR_CHAINED;
			data.wr.next = last;
		}
	}
	last->send_flags = IB_SEND_SIGNALED;

	list_add_tail(&req->entry, &q->inflight);
	q->inflight_count++;
	q->credits -= req->wr_count;

	err = ib_post_send(q->qp, first, &bad);
	if (likely(!err))
		return 0;
	if (err == -ENOMEM && bad == first) {
		list_del(&req->entry);
		q->inflight_count--;
		q->credits += req->wr_count;
		return -ENOMEM;
	}
	/* Perhaps half posted: it stays in flight until the fence. */
	farmem_session_fail(q->session, err,
			    "queue %u: posting failed (%d)", q->index, err);
	return 0;
}

/* Post what fits of the waiting list; q->lock held. */
static void post_waiting(struct farmem_queue *q)
{
	struct farmem_request *req;

	lockdep_assert_held(&q->lock);

	while (q->live && !list_empty(&q->waiting)) {
		req = list_first_entry(&q->waiting, struct farmem_request,
				       entry);
		if (q->credits < req->wr_count)
			break;
		if (!req->mapped && farmem_request_map(req, q->device))
			break;
		list_del(&req->entry);
		if (post_locked(q, req)) {
			list_add(&req->entry, &q->waiting);
			break;
		}
	}
	if (q->live && !list_empty(&q->waiting) && !q->inflight_count)
		mod_delayed_work(farmem_wq, &q->retry, msecs_to_jiffies(10));
	if (q->live && q->inflight_count)
		arm(q);
	make_room(q);
}

static void kick_waiting(struct farmem_queue *q)
{
	spin_lock_bh(&q->lock);
	post_waiting(q);
	spin_unlock_bh(&q->lock);
}

static void retry_work(struct work_struct *work)
{
	kick_waiting(container_of(to_delayed_work(work), struct farmem_queue,
				  retry));
}

bool farmem_queue_post(struct farmem_queue *q, struct farmem_request *req)
{
	bool polled = req->polled, posted = false;
	int err = -ENOMEM;

	req->queue = q;
	req->wr_count = req->op == FARMEM_OP_WRITE && req->meta_pages ? 2 : 1;

	spin_lock_bh(&q->lock);
	if (unlikely(!q->live)) {
		spin_unlock_bh(&q->lock);
		farmem_request_complete(req, BLK_STS_TRANSPORT);
		return true;
	}
	if (likely(list_empty(&q->waiting) && q->credits >= req->wr_count))
		err = farmem_request_map(req, q->device);
	if (unlikely(err && err != -ENOMEM)) {
		spin_unlock_bh(&q->lock);
		farmem_request_complete(req, BLK_STS_IOERR);
		return true;
	}
	q->write_bytes += write_bytes(req);
	if (likely(!err))
		posted = !post_locked(q, req);
	if (unlikely(!posted)) {
		list_add_tail(&req->entry, &q->waiting);
		post_waiting(q);
	} else if (!polled) {
		arm(q);
	}
	/* On 6.1 soft-RoCE does its work as this section ends. */
	spin_unlock_bh(&q->lock);
	return posted;
}

static bool has_room(struct farmem_queue *q, bool write)
{
	if (write && READ_ONCE(q->write_bytes) >= FARMEM_QUEUE_WRITE_BYTES)
		return !READ_ONCE(q->live);
	return list_empty_careful(&q->waiting) || !READ_ONCE(q->live);
}

void farmem_queue_throttle(struct farmem_queue *q, bool write)
{
	if (unlikely(!has_room(q, write)))
		wait_event(q->room, has_room(q, write));
}

bool farmem_queue_poll(struct farmem_queue *q, struct farmem_request *req)
{
	u64 budget = (u64)READ_ONCE(farmem_poll_budget_us) * NSEC_PER_USEC;
	u64 start = local_clock();

	atomic_inc(&q->pollers);
	smp_mb__after_atomic();	/* pairs with farmem_queue_stop() */
	while (READ_ONCE(req->wait) != FARMEM_WAIT_DONE && READ_ONCE(q->live)) {
		bool idle = !reap(q, REAP_BATCH);

		if (need_resched())
			cond_resched();
		if (local_clock() - start > budget) {
			arm(q);
			break;
		}
		if (idle)
			cpu_relax();
	}
	if (atomic_dec_and_test(&q->pollers))
		wake_up_var(&q->pollers);
	return farmem_request_abandon(req);
}

void farmem_queue_init(struct farmem_queue *q, struct farmem_session *session,
		       unsigned int index)
{
	q->session = session;
	q->index = index;
	spin_lock_init(&q->lock);
	INIT_LIST_HEAD(&q->inflight);
	INIT_LIST_HEAD(&q->waiting);
	init_waitqueue_head(&q->room);
	INIT_DELAYED_WORK(&q->retry, retry_work);
}

int farmem_queue_create(struct farmem_queue *q, struct farmem_device *device)
{
	struct ib_cq_init_attr cq_attr = {
		.comp_vector = farmem_session_queue_cpu(q->session, q->index) %
			       max(device->dev->num_comp_vectors, 1),
	};
	struct ib_qp_init_attr attr = {
		.event_handler = qp_event,
		.qp_context = q,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.qp_type = IB_QPT_RC,
	};
	unsigned int recvs = q->index ? 1 : FARMEM_MSG_RECVS;
	int err;

	/* +1: the control message that queue 0 may have under way */
	q->depth = min_t(unsigned int, FARMEM_QUEUE_DEPTH, device->max_wr - 1);
	attr.cap.max_send_wr = q->depth + 1;
	attr.cap.max_recv_wr = recvs;
	attr.cap.max_send_sge = device->max_sge;
	attr.cap.max_recv_sge = 1;
	cq_attr.cqe = q->depth + 1 + recvs;

	q->device = device;
	q->armed = 0;
	irq_poll_init(&q->iop, IRQ_POLL_WEIGHT, irq_poll_reap);
	q->cq = ib_create_cq(device->dev, cq_event, NULL, q, &cq_attr);
	if (IS_ERR(q->cq)) {
		err = PTR_ERR(q->cq);
		q->cq = NULL;
		return err;
	}
	attr.send_cq = q->cq;
	attr.recv_cq = q->cq;
	err = rdma_create_qp(q->cm_id, device->pd, &attr);
	if (err) {
		ib_destroy_cq(q->cq);
		q->cq = NULL;
		return err;
	}
	q->qp = q->cm_id->qp;
	q->credits = q->depth;
	return 0;
}

void farmem_queue_start(struct farmem_queue *q)
{
	spin_lock_bh(&q->lock);
	q->live = true;
	if (!q->index)
		arm(q);
	spin_unlock_bh(&q->lock);
}

void farmem_queue_stop(struct farmem_queue *q)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };

	if (!q->qp)
		return;
	spin_lock_bh(&q->lock);
	q->live = false;
	spin_unlock_bh(&q->lock);
	smp_mb();	/* pairs with farmem_queue_poll() */
	wake_up_all(&q->room);
	ib_modify_qp(q->qp, &attr, IB_QP_STATE);
}

static void wait_flushed(struct farmem_queue *q, unsigned long deadline)
{
	while (READ_ONCE(q->inflight_count) && time_before(jiffies, deadline)) {
		if (!reap(q, IRQ_POLL_WEIGHT))
			usleep_range(200, 1000);
	}
	/* A last look: receives of queue 0 are flushed too. */
	while (reap(q, IRQ_POLL_WEIGHT))
		;
}

static void give_back(struct farmem_queue *q)
{
	struct farmem_request *req, *next;
	LIST_HEAD(left);

	spin_lock_bh(&q->lock);
	list_splice_init(&q->inflight, &left);
	list_splice_tail_init(&q->waiting, &left);
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
	wait_flushed(q, deadline);
	irq_poll_disable(&q->iop);
}

void farmem_queue_destroy(struct farmem_queue *q)
{
	if (!q->qp)
		return;
	/* From here on the device touches none of our pages. */
	rdma_destroy_qp(q->cm_id);
	q->qp = NULL;
	while (reap(q, IRQ_POLL_WEIGHT))
		;
	give_back(q);
	ib_destroy_cq(q->cq);
	q->cq = NULL;
}
