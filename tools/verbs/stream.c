// SPDX-License-Identifier: GPL-2.0
/*
 * The second half of a round: as many operations at once as --depth allows, for
 * throughput.
 *
 * A message that finds no receive is sent again later (RC, "receiver not ready") or lost
 * (UC, UD).  Neither is a plan.  So the sender has credit: one for each receive that the
 * other end has posted, given back by empty messages when half of them were posted anew.
 */
#include "mode.h"
#include "round.h"
#include "trouble.h"
#include "wait.h"
#include "work.h"

#define LOST_NS 1000000000ull	/* then a credit is not late, but lost */
#define DRAIN_NS 200000000ull	/* what is on its way arrives within this */

/* Receives that are posted again before the other end hears of it. */
static unsigned int instalment(const struct session *session)
{
	return session->options->depth > 1 ? session->options->depth / 2 : 1;
}

static int take_credits(struct session *session, struct queue *queue)
{
	struct arrival arrival;

	while (round_take(queue, &arrival)) {
		queue->credit += instalment(session);
		if (work_receive(session, queue, arrival.slot))
			return -1;
	}
	return 0;
}

static int await_credit(struct session *session, struct queue *queue)
{
	bool lossy = session->options->transport != TRANSPORT_RC;
	uint64_t start = 0;

	while (!queue->credit) {
		if (take_credits(session, queue))
			return -1;
		if (queue->credit)
			break;
		if (wait_step(session))
			return -1;
		if (lossy && !start)
			start = measure_now();
		if (lossy && measure_now() - start > LOST_NS)
			queue->credit = session->options->depth;
	}
	queue->credit--;
	return 0;
}

static int post_all(struct session *session, struct round *round)
{
	const struct options *options = session->options;
	unsigned int i;

	for (i = 0; i < options->iterations; i++) {
		struct queue *queue = &session->queues[i % options->queues];
		uint64_t number = i / options->queues;

		if (mode_has_receives(options) && await_credit(session, queue))
			return -1;
		if (round_post(session, round, queue, number,
			       number + 1 == round_share(session, queue)))
			return -1;
	}
	return round_finish(session, round);
}

/* Credits that nobody waited for are not to be taken for messages of the next round. */
static int drain(struct session *session)
{
	uint64_t start = measure_now();
	unsigned int i;

	for (i = 0; i < session->options->queues; i++) {
		struct queue *queue = &session->queues[i];
		unsigned int share = round_share(session, queue);
		unsigned int instalments = share / instalment(session);
		unsigned int full = session->options->depth - share +
				    instalments * instalment(session);

		while (queue->credit != full) {
			if (take_credits(session, queue))
				return -1;
			if (queue->credit == full)
				break;
			if (session->options->transport != TRANSPORT_RC &&
			    measure_now() - start > DRAIN_NS)
				break;
			if (wait_step(session))
				return -1;
		}
	}
	return 0;
}

/**
 * stream_client() - measure many operations at once
 * @session: the client's
 * @round: the round
 * @figures: gets the throughput
 *
 * Return: 0 or -1.
 */
int stream_client(struct session *session, struct round *round, struct figures *figures)
{
	uint64_t start;

	round_begin(session, round, true);
	start = measure_now();
	if (post_all(session, round))
		return -1;
	figures->seconds = (measure_now() - start) / 1e9;
	figures->operations = session->options->iterations;
	if (talk_send(session->talk, "done"))
		return -1;
	return mode_has_receives(session->options) ? drain(session) : 0;
}

/* The receive is there again; the other end hears of it with some others. */
static int give_credit(struct session *session, struct queue *queue)
{
	struct work empty = { .opcode = IBV_WR_SEND };

	if (++queue->owed < instalment(session))
		return 0;
	queue->owed = 0;
	/* Asks for a completion: the next may be far away, and this slot is needed. */
	empty.last = true;
	return work_post(session, queue, &empty);
}

static int take_messages(struct session *session, struct round *round, struct queue *queue,
			 uint64_t *number)
{
	struct arrival arrival;

	while (round_take(queue, &arrival)) {
		round_arrived(session, round, queue, &arrival, number);
		if (work_receive(session, queue, arrival.slot) || give_credit(session, queue))
			return -1;
	}
	return 0;
}

/* All have come, or as many as will: only RC sends again what was lost. */
static int receive_all(struct session *session, struct round *round)
{
	uint64_t number[QUEUES_MAX], before = 0, last = 0, total = 0, so_far;
	bool lossy = session->options->transport != TRANSPORT_RC;
	unsigned int i;

	for (i = 0; i < session->options->queues; i++) {
		number[i] = round->first;
		before += session->queues[i].came;
	}
	do {
		if (wait_step(session))
			return -1;
		so_far = total;
		for (i = 0, total = 0; i < session->options->queues; i++) {
			struct queue *queue = &session->queues[i];

			total += queue->came;
			if (take_messages(session, round, queue, &number[i]))
				return -1;
		}
		if (!lossy)
			continue;
		/* The client is through: what does not come now was lost. */
		if (!last && (session->channel || session->idle % 64 == 63) && wait_heard(session))
			last = measure_now();
		if (last && total != so_far)
			last = measure_now();
		if (last && measure_now() - last > DRAIN_NS)
			break;
	} while (total - before < session->options->iterations);
	round->lost = session->options->iterations - (total - before);
	return round_finish(session, round);
}

static void check_counter(struct session *session, struct round *round, struct queue *queue)
{
	uint64_t *counter = (uint64_t *)memory_slot(&session->memory, AREA_TARGET,
						    queue->index, 0);

	/* Both halves count. */
	queue->atomics += 2 * round_share(session, queue);
	if (*counter == queue->atomics)
		round->good++;
	else
		data_bad(round, queue, queue->atomics, 0);
}

/**
 * stream_server() - receive, or look at what was done to the memory
 * @session: the server's
 * @round: the round
 *
 * Return: 0 or -1.
 */
int stream_server(struct session *session, struct round *round)
{
	unsigned int i;

	round_begin(session, round, true);
	if (mode_has_receives(session->options) && receive_all(session, round))
		return -1;
	if (!talk_await_word(session->talk, "done"))
		return -1;
	for (i = 0; i < session->options->queues; i++) {
		if (session->options->op == OP_WRITE && session->options->verify)
			round_check_written(session, round, &session->queues[i]);
		if (mode_is_atomic(session->options))
			check_counter(session, round, &session->queues[i]);
	}
	return 0;
}
