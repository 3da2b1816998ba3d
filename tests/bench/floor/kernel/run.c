// SPDX-License-Identifier: GPL-2.0
/*
 * run.c - posts and reaps RDMA READs or WRITEs, and nothing else.
 *
 * Work requests are built beforehand and lie in a ring, each pointing to the
 * next; an operation only gets its remote address.  What fits in the send
 * queue is posted by one call.  Completions on a queue pair come in order, so
 * a signaled one retires all up to its own.
 *
 * A run belongs to the thread in floor_run().  Beside it only arrived() touches
 * the run, in softirq: it alone writes @done and @error then.
 */
#include <linux/bottom_half.h>
#include <linux/completion.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "run.h"

#define REAP_BATCH 32

/* More than rxe or an adapter takes to give a peer up. */
#define STALL_SECONDS 30

struct slot {
	struct ib_rdma_wr wr;
	struct ib_sge sge;
	struct ib_cqe cqe;
	struct run *run;
	unsigned int covers;
	struct page *page;
	u64 posted_at;
};

/**
 * struct run - one pass of a measurement
 * @job: what to do
 * @remote: where
 * @link: by which
 * @slots: ring of @job->depth
 * @head: the slot of the next operation
 * @tail: the slot of the oldest under way
 * @posted: operations, so far
 * @done: operations retired
 * @unsignaled: operations posted since the last signaled one
 * @seed: of the remote addresses
 * @latency: per operation, in the pass that takes them; else NULL
 * @wake_at: how many must be done for @arrived
 * @arrived: to be completed by softirq, when @wake_at is reached
 * @error: of a completion
 * @wc: for polling
 */
struct run {
	const struct floor_job *job;
	const struct floor_remote *remote;
	struct floor_link *link;
	struct slot *slots;
	unsigned int head;
	unsigned int tail;
	unsigned int posted;
	unsigned int done;
	unsigned int unsignaled;
	u64 seed;
	u32 *latency;
	unsigned int wake_at;
	struct completion arrived;
	int error;
	struct ib_wc wc[REAP_BATCH];
};

static enum dma_data_direction direction(const struct floor_job *job)
{
	return job->write ? DMA_TO_DEVICE : DMA_FROM_DEVICE;
}

/* A block of the chunk that the upper bits choose, at a 4 KiB boundary. */
static u64 random_address(struct run *run)
{
	u32 blocks = ((FLOOR_CHUNK_SIZE - run->job->bytes) >> 12) + 1;
	u64 chunk, block;

	run->seed = run->seed * 6364136223846793005ull + 1442695040888963407ull;
	chunk = (run->seed >> 32) * run->remote->count;
	block = (u64)(u32)chunk * blocks >> 32;
	return le64_to_cpu(run->remote->chunks[chunk >> 32]) + (block << 12);
}

static void prepare(struct run *run, struct slot *slot)
{
	slot->wr.remote_addr = random_address(run);
	run->posted++;
	if (++run->unsignaled == run->job->signal ||
	    run->posted == run->job->count) {
		slot->wr.wr.send_flags = IB_SEND_SIGNALED;
		slot->covers = run->unsignaled;
		run->unsignaled = 0;
	} else {
		slot->wr.wr.send_flags = 0;
	}
	if (run->latency)
		slot->posted_at = ktime_get_ns();
}

static int post(struct run *run, unsigned int count)
{
	struct slot *first = &run->slots[run->head], *last;
	struct ib_send_wr *next;
	int err;

	do {
		last = &run->slots[run->head];
		prepare(run, last);
		if (++run->head == run->job->depth)
			run->head = 0;
	} while (--count);

	next = last->wr.wr.next;
	last->wr.wr.next = NULL;
	/* Up to 6.1 soft-RoCE does all its work as this section ends. */
	local_bh_disable();
	err = ib_post_send(run->link->qp, &first->wr.wr, NULL);
	local_bh_enable();
	last->wr.wr.next = next;
	return err;
}

static void note_latencies(struct run *run, unsigned int count)
{
	u64 now = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < count; i++) {
		run->latency[run->done + i] =
			min_t(u64, now - run->slots[run->tail].posted_at,
			      U32_MAX);
		if (++run->tail == run->job->depth)
			run->tail = 0;
	}
}

static void retire(struct run *run, const struct ib_wc *wc)
{
	struct slot *slot = container_of(wc->wr_cqe, struct slot, cqe);

	if (unlikely(wc->status != IB_WC_SUCCESS)) {
		WRITE_ONCE(run->error, -EIO);
		return;
	}
	if (run->latency)
		note_latencies(run, slot->covers);
	WRITE_ONCE(run->done, run->done + slot->covers);
}

/* Completion of a link that is reaped in softirq. */
static void arrived(struct ib_cq *cq, struct ib_wc *wc)
{
	struct run *run = container_of(wc->wr_cqe, struct slot, cqe)->run;

	retire(run, wc);
	smp_mb();	/* pairs with sleep() */
	if (run->done >= READ_ONCE(run->wake_at) || run->error)
		complete(&run->arrived);
}

/* Until half of what is under way has arrived: a wake-up is dear. */
static int sleep(struct run *run)
{
	unsigned int done = READ_ONCE(run->done);
	unsigned int half = done + (run->posted - done + 1) / 2;

	reinit_completion(&run->arrived);
	WRITE_ONCE(run->wake_at, min(half, run->posted - run->unsignaled));
	smp_mb();	/* pairs with arrived() */
	while (READ_ONCE(run->done) < run->wake_at && !READ_ONCE(run->error))
		if (wait_for_completion_killable(&run->arrived))
			return -EINTR;
	WRITE_ONCE(run->wake_at, UINT_MAX);
	return READ_ONCE(run->error);
}

/*
 * Nothing there yet.  From 6.12 on soft-RoCE works in workqueues: on a single
 * CPU somebody has to run for us, and the scheduler is in no hurry to preempt
 * us for the tasks that we woke.  Waiting for need_resched() cost half as much
 * again on 6.12 and twenty times as much on 7.2 (lazy preemption).
 */
static int relax(unsigned long deadline)
{
	if (need_resched())
		cond_resched();
	else
		yield();
	if (fatal_signal_pending(current))
		return -EINTR;
	return time_after(jiffies, deadline) ? -ETIMEDOUT : 0;
}

static int poll(struct run *run)
{
	unsigned long deadline = jiffies + STALL_SECONDS * HZ;
	int n, i, err;

	while ((n = ib_poll_cq(run->link->cq, REAP_BATCH, run->wc)) <= 0) {
		err = relax(deadline);
		if (err)
			return err;
	}
	for (i = 0; i < n; i++)
		retire(run, &run->wc[i]);
	return run->error;
}

static int operate(struct run *run)
{
	const struct floor_job *job = run->job;
	int err = 0;

	while (!err && run->posted < job->count) {
		unsigned int room = job->depth - (run->posted - READ_ONCE(run->done));

		err = post(run, min(room, job->count - run->posted));
		if (!err)
			err = job->softirq ? sleep(run) : poll(run);
	}
	while (!err && READ_ONCE(run->done) < job->count)
		err = job->softirq ? sleep(run) : poll(run);
	return err;
}

/* @latency: where to note each operation's, or NULL. */
static int pass(struct run *run, u32 *latency, u64 *total)
{
	u64 start;
	int err;

	run->head = 0;
	run->tail = 0;
	run->posted = 0;
	run->done = 0;
	run->unsignaled = 0;
	run->seed = 1;
	run->wake_at = UINT_MAX;
	run->latency = latency;

	start = ktime_get_ns();
	err = operate(run);
	*total = ktime_get_ns() - start;
	return err;
}

static int build_slot(struct run *run, unsigned int i)
{
	struct slot *slot = &run->slots[i];
	unsigned int order = get_order(run->job->bytes);

	slot->page = alloc_pages(GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN, order);
	if (!slot->page)
		return -ENOMEM;
	slot->sge.addr = ib_dma_map_page(run->link->id->device, slot->page, 0,
					 run->job->bytes, direction(run->job));
	if (ib_dma_mapping_error(run->link->id->device, slot->sge.addr)) {
		__free_pages(slot->page, order);
		slot->page = NULL;
		return -ENOMEM;
	}
	slot->sge.length = run->job->bytes;
	slot->sge.lkey = run->link->pd->local_dma_lkey;
	slot->run = run;
	slot->cqe.done = arrived;
	slot->wr.wr.wr_cqe = &slot->cqe;
	slot->wr.wr.opcode = run->job->write ? IB_WR_RDMA_WRITE : IB_WR_RDMA_READ;
	slot->wr.wr.sg_list = &slot->sge;
	slot->wr.wr.num_sge = 1;
	slot->wr.wr.next = &run->slots[(i + 1) % run->job->depth].wr.wr;
	slot->wr.rkey = run->remote->rkey;
	return 0;
}

static void free_slots(struct run *run)
{
	unsigned int i;

	for (i = 0; i < run->job->depth && run->slots[i].page; i++) {
		ib_dma_unmap_page(run->link->id->device, run->slots[i].sge.addr,
				  run->job->bytes, direction(run->job));
		__free_pages(run->slots[i].page, get_order(run->job->bytes));
	}
	kvfree(run->slots);
}

static int build_slots(struct run *run)
{
	unsigned int i;
	int err = 0;

	run->slots = kvcalloc(run->job->depth, sizeof(*run->slots), GFP_KERNEL);
	if (!run->slots)
		return -ENOMEM;
	for (i = 0; i < run->job->depth && !err; i++)
		err = build_slot(run, i);
	if (err)
		free_slots(run);
	return err;
}

static int compare(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static int measure(struct run *run, struct floor_result *result)
{
	unsigned int count = run->job->count;
	u64 total;
	u32 *latency;
	int err;

	latency = kvcalloc(count, sizeof(*latency), GFP_KERNEL);
	if (!latency)
		return -ENOMEM;
	err = pass(run, NULL, &result->total);
	if (!err)
		err = pass(run, latency, &total);
	if (err) {
		floor_link_break(run->link);
	} else {
		sort(latency, count, sizeof(*latency), compare, NULL);
		result->p50 = latency[count / 2];
		result->p99 = latency[count * 99 / 100];
	}
	kvfree(latency);
	return err;
}

int floor_run(const struct floor_job *job, struct floor_link *link,
	      const struct floor_remote *remote, struct floor_result *result)
{
	struct run *run;
	int err;

	if (!link->qp)
		return -ENOTCONN;
	run = kzalloc(sizeof(*run), GFP_KERNEL);
	if (!run)
		return -ENOMEM;
	run->job = job;
	run->link = link;
	run->remote = remote;
	init_completion(&run->arrived);
	err = build_slots(run);
	if (!err) {
		err = measure(run, result);
		synchronize_rcu();	/* arrived() may still be leaving */
		free_slots(run);
	}
	kfree(run);
	return err;
}
