// SPDX-License-Identifier: GPL-2.0
/*
 * arm.c - interrupts at completions: which caller asks for them.
 *
 *	armed	what comes next			by which actor
 *	0	nobody is told of a completion	a poller looks; a poster that does not
 *						poll, or a poller that gives up, arms
 *	1	an interrupt, or irq_poll	irq_poll, in softirq, reaps; when it finds
 *						nothing more it sets 0, then arms again
 *						if requests are in flight
 *
 * Queue 0 hears the server's messages at any time: at 0 it listens, that is, it is armed
 * for solicited completions and errors alone.
 */
#include "arm.h"
#include "queue.h"

static void arm_request(struct farmem_queue *q, enum ib_cq_notify_flags at)
{
	if (ib_req_notify_cq(q->cq, at | IB_CQ_REPORT_MISSED_EVENTS) > 0)
		irq_poll_sched(&q->iop);
}

void farmem_arm_next(struct farmem_queue *q)
{
	if (!test_and_set_bit(0, &q->armed))
		arm_request(q, IB_CQ_NEXT_COMP);
}

void farmem_arm_solicited(struct farmem_queue *q)
{
	lockdep_assert_held(&q->lock);
	if (q->inflight_count || READ_ONCE(q->sending))
		farmem_arm_next(q);
	else if (!test_bit(0, &q->armed))
		arm_request(q, IB_CQ_SOLICITED);
}
