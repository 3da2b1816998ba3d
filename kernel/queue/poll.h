/* SPDX-License-Identifier: GPL-2.0 */
/*
 * poll.h - completions by interrupt, and by the submitter that waits.
 */
#ifndef FARMEM_POLL_H
#define FARMEM_POLL_H

struct farmem_queue;
struct farmem_request;
struct ib_cq;
struct irq_poll;
struct list_head;

/** farmem_poll_event() - the CQ's handler, farmem_poll_irq() irq_poll's. */
void farmem_poll_event(struct ib_cq *cq, void *context);
int farmem_poll_irq(struct irq_poll *iop, int budget);

/**
 * farmem_poll_request() - post, and reap completions until one's own is done
 * @q: as for farmem_post_request()
 * @req: its completion tells @done in any case
 *
 * For what somebody waits for.  Gives up after the budget
 * (farmem_poll_budget_us) and leaves the rest to the interrupt.  @req must not be
 * touched again.  The queue may go as soon as this returns, but not before.
 *
 * Context: may sleep (cond_resched()).
 */
void farmem_poll_request(struct farmem_queue *q,
			 struct farmem_request *req);

/**
 * farmem_poll_first() - the same, and post others behind it before the polling
 * @q: for @req
 * @req: as for farmem_poll_request()
 * @behind: for @others
 * @others: requests that nobody polls for, or none
 *
 * Context: may sleep (cond_resched()).
 */
void farmem_poll_first(struct farmem_queue *q, struct farmem_request *req,
		       struct farmem_queue *behind, struct list_head *others);

/** How long a waiting submitter polls, in microseconds; a module parameter. */
extern unsigned int farmem_poll_budget_us;

#endif /* FARMEM_POLL_H */
