// SPDX-License-Identifier: GPL-2.0
/*
 * Work on one queue pair completes in the order in which it was posted.  Between queue
 * pairs nothing is promised: a short operation posted later on another one may well be
 * over first.  Here the first queue gets long messages and the others short ones, all
 * report to one completion queue, and it is written down what comes when.
 */
#include "order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "trouble.h"
#include "wait.h"
#include "work.h"

/**
 * struct order - what was seen
 * @base: of each queue, the number of the work request before the first
 * @last: of each queue, the number that completed last
 * @newest: of all completed, the place in the order of posting that is farthest
 * @completions: seen
 * @swapped: of those, within a queue out of order
 * @overtaken: of those, after one of another queue that was posted later
 */
struct order {
	uint64_t base[QUEUES_MAX], last[QUEUES_MAX];
	uint64_t newest, completions, swapped, overtaken;
};

/* Work was posted to the queues in turn. */
static uint64_t place(const struct session *session, const struct order *order,
		      const struct queue *queue, uint64_t number)
{
	return (number - order->base[queue->index] - 1) * session->options->queues + queue->index;
}

static void seen(struct session *session, struct queue *queue, uint64_t number)
{
	struct order *order = session->context;
	uint64_t at = place(session, order, queue, number);

	order->completions++;
	if (number != order->last[queue->index] + 1)
		order->swapped++;
	order->last[queue->index] = number;
	if (at < order->newest)
		order->overtaken++;
	else
		order->newest = at;
}

static int post_all(struct session *session)
{
	const struct options *options = session->options;
	struct work work = {
		.opcode = options->op == OP_READ ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE,
		.last = true,
	};
	unsigned int i;

	for (i = 0; i < options->iterations; i++) {
		unsigned int queue = i % options->queues;

		work.size = queue ? 1 : options_largest(options);
		work.slot = i / options->queues % options->depth;
		if (work_post(session, &session->queues[queue], &work))
			return -1;
	}
	return 0;
}

static void print(const struct session *session, const struct order *order)
{
	bool json = session->options->json;

	printf(json ? "{\n   \"version\": 1,\n   \"order\": {\"queues\": %u, \"completions\": %" PRIu64
		      ", \"swapped_within\": %" PRIu64 ", \"overtaken_across\": %" PRIu64 "}\n}\n"
		    : "%u queues, %" PRIu64 " completions on one completion queue\n"
		      "  within a queue, out of the order of posting: %" PRIu64 "\n"
		      "  across queues, after one that was posted later: %" PRIu64 "\n",
	       session->options->queues, order->completions, order->swapped, order->overtaken);
}

/**
 * order_run() - show in which order completions come
 * @session: connected
 *
 * Return: 0, or -1 if they are out of order within a queue, which must not be.
 */
int order_run(struct session *session)
{
	struct order order = { 0 };
	unsigned int i;
	int rc;

	for (i = 0; i < session->options->queues; i++)
		order.base[i] = order.last[i] = session->queues[i].posted;
	session->on_completion = seen;
	session->context = &order;
	wait_begin(session);
	rc = post_all(session);
	for (i = 0; !rc && i < session->options->queues; i++)
		rc = wait_done(session, &session->queues[i]);
	session->on_completion = NULL;
	if (rc)
		return -1;
	if (order.swapped)
		return trouble("%" PRIu64 " completions came out of order within their queues",
			       order.swapped);
	print(session, &order);
	return 0;
}
