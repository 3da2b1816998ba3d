// SPDX-License-Identifier: GPL-2.0
/*
 * The first half of a round: one operation at a time.  Where the server answers, with a
 * message of the same kind, half of the time there and back is taken, as perftest does;
 * a READ or an atomic is its own answer.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "mode.h"
#include "round.h"
#include "trouble.h"
#include "wait.h"
#include "work.h"

#define LATE_NS 1000000000ull	/* then a byte is not late, but wrong */

static bool is_answered(const struct session *session)
{
	return !strcmp(mode_latency(session->options), "half");
}

/* SEND and WRITE with immediate make a completion where they arrive. */
static int await_message(struct session *session, struct round *round, struct queue *queue,
			 uint64_t number)
{
	struct arrival arrival;

	while (!round_take(queue, &arrival))
		if (wait_step(session))
			return -1;
	round_arrived(session, round, queue, &arrival, &number);
	return work_receive(session, queue, arrival.slot);
}

/*
 * A WRITE makes none: its last byte is looked at until it is there.  With soft-RoCE it may be
 * there a moment before others of its packet, which the processor copies in an order of its
 * own: what is wrong now may be right then.
 */
static int await_mark(struct session *session, struct round *round, struct queue *queue,
		      uint64_t number)
{
	unsigned int slot = number % session->options->depth;
	uint64_t late;

	while (!data_marked(session, round, queue, slot, number))
		if (wait_step(session))
			return -1;
	wait_begin(session);
	late = measure_now() + LATE_NS;
	while (!data_check_target(session, round, queue, slot, number, false)) {
		if (measure_now() < late) {
			sched_yield();
			continue;
		}
		data_check_target(session, round, queue, slot, number, true);
		break;
	}
	return 0;
}

static int await_other(struct session *session, struct round *round, struct queue *queue,
		       uint64_t number)
{
	if (mode_has_receives(session->options))
		return await_message(session, round, queue, number);
	return await_mark(session, round, queue, number);
}

static int client_operation(struct session *session, struct round *round, struct queue *queue,
			    uint64_t number)
{
	bool answered = is_answered(session);

	if (round_post(session, round, queue, number,
		       !answered || number + 1 == round_share(session, queue)))
		return -1;
	if (answered)
		return await_other(session, round, queue, number);
	return wait_done(session, queue);
}

/**
 * latency_client() - measure one operation at a time
 * @session: the client's
 * @round: the round
 * @figures: gets the latency
 *
 * Return: 0 or -1.
 */
int latency_client(struct session *session, struct round *round, struct figures *figures)
{
	const struct options *options = session->options;
	uint64_t *samples = calloc(options->iterations, sizeof(*samples));
	unsigned int parts = is_answered(session) ? 2 : 1;
	unsigned int i;
	int rc = 0;

	if (!samples)
		return trouble("out of memory for %u samples", options->iterations);
	round_begin(session, round, false);
	for (i = 0; i < options->iterations && !rc; i++) {
		struct queue *queue = &session->queues[i % options->queues];
		uint64_t start = measure_now();

		rc = client_operation(session, round, queue, i / options->queues);
		samples[i] = (measure_now() - start) / parts;
	}
	if (!rc)
		rc = round_finish(session, round);
	if (!rc)
		measure_summarise(samples, options->iterations, &figures->latency);
	free(samples);
	return rc;
}

/**
 * latency_server() - answer, where the operation is not its own answer
 * @session: the server's
 * @round: the round
 *
 * A WRITE that is not answered is looked at afterwards: latency_check().
 *
 * Return: 0 or -1.
 */
int latency_server(struct session *session, struct round *round)
{
	const struct options *options = session->options;
	unsigned int i;

	if (!is_answered(session))
		return 0;
	round_begin(session, round, false);
	for (i = 0; i < options->iterations; i++) {
		struct queue *queue = &session->queues[i % options->queues];
		uint64_t number = i / options->queues;

		if (await_other(session, round, queue, number) ||
		    round_post(session, round, queue, number,
			       number + 1 == round_share(session, queue)))
			return -1;
	}
	return round_finish(session, round);
}

/**
 * latency_check() - look at the WRITEs that were not answered
 * @session: the server's
 * @round: the round, whose first half is over at the client
 */
void latency_check(struct session *session, struct round *round)
{
	const struct options *options = session->options;
	unsigned int i;

	if (is_answered(session) || options->op != OP_WRITE || !options->verify)
		return;
	round_begin(session, round, false);
	for (i = 0; i < options->queues; i++)
		round_check_written(session, round, &session->queues[i]);
}
