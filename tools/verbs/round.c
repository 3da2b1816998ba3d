// SPDX-License-Identifier: GPL-2.0
#include "round.h"

#include <endian.h>
#include <string.h>
#include <time.h>

#include "mode.h"
#include "trouble.h"
#include "wait.h"
#include "work.h"

/* Numbers of the stream's messages begin beyond all of the other half. */
#define STREAM_FIRST (1ull << 30)

#define UNDERWAY_NS 200000000ull	/* what UC has sent has come within this, or is lost */

static const enum ibv_wr_opcode opcodes[] = {
	[OP_SEND] = IBV_WR_SEND,
	[OP_WRITE] = IBV_WR_RDMA_WRITE,
	[OP_WRITE_IMM] = IBV_WR_RDMA_WRITE_WITH_IMM,
	[OP_READ] = IBV_WR_RDMA_READ,
	[OP_CAS] = IBV_WR_ATOMIC_CMP_AND_SWP,
	[OP_FADD] = IBV_WR_ATOMIC_FETCH_AND_ADD,
};

/**
 * round_begin() - begin half of a round
 * @session: the session
 * @round: the round
 * @stream: which half
 */
void round_begin(struct session *session, struct round *round, bool stream)
{
	unsigned int i;

	round->first = stream ? STREAM_FIRST : 0;
	for (i = 0; i < session->options->queues; i++) {
		struct queue *queue = &session->queues[i];

		round->base[i] = queue->checked = queue->posted;
		queue->credit = session->options->depth;
		queue->owed = 0;
	}
	wait_begin(session);
}

/**
 * round_share() - how many of a half's operations go to a queue
 * @session: the session
 * @queue: the queue
 */
unsigned int round_share(const struct session *session, const struct queue *queue)
{
	const struct options *options = session->options;

	return options->iterations / options->queues +
	       (queue->index < options->iterations % options->queues);
}

/**
 * round_post() - one operation of the run, its data written
 * @session: the session
 * @round: the round
 * @queue: on which queue
 * @number: of the operation in this half, on its queue
 * @last: a completion is wanted
 *
 * Return: 0 or -1.
 */
int round_post(struct session *session, struct round *round, struct queue *queue,
	       uint64_t number, bool last)
{
	const struct options *options = session->options;
	uint64_t message = round->first + number;
	struct work work = {
		.opcode = opcodes[options->op],
		.slot = message % options->depth,
		.size = round->size,
		.last = last,
		.imm = htobe32(message),
	};

	/* The slot's last user must be over, and looked at. */
	if (work_room(session, queue))
		return -1;
	round_check(session, round, queue);
	if (mode_is_atomic(options)) {
		/* The counter goes up by one, whichever way. */
		work.compare = queue->atomics++;
		work.operand = options->op == OP_FADD ? 1 : queue->atomics;
	} else if (options->op != OP_READ) {
		data_fill(session, round, queue, work.slot, message);
	}
	if (options->op == OP_WRITE)
		data_mark(session, round, queue, work.slot, message);
	return work_post(session, queue, &work);
}

/* An atomic brings what the counter was before: as much as came before it. */
static void check_atomic(struct session *session, struct round *round, struct queue *queue,
			 uint64_t number, unsigned int slot)
{
	uint64_t before;

	memcpy(&before, memory_slot(&session->memory, AREA_OUT, queue->index, slot),
	       sizeof(before));
	if (before == queue->atomics_checked++)
		round->good++;
	else
		data_bad(round, queue, number, 0);
}

/**
 * round_check() - look at what READs and atomics have brought
 * @session: the client's
 * @round: the round
 * @queue: whose completions were seen
 */
void round_check(struct session *session, struct round *round, struct queue *queue)
{
	if (session->server || !mode_is_read(session->options))
		return;
	for (; queue->checked < queue->done; queue->checked++) {
		uint64_t message = round->first + queue->checked - round->base[queue->index];
		unsigned int slot = message % session->options->depth;

		if (mode_is_atomic(session->options))
			check_atomic(session, round, queue, message, slot);
		else if (session->options->verify)
			data_check_out(session, round, queue, slot, message);
	}
}

/**
 * round_take() - the oldest message that came
 * @queue: on which
 * @arrival: gets it
 *
 * Return: whether there was one.
 */
bool round_take(struct queue *queue, struct arrival *arrival)
{
	if (queue->taken == queue->came)
		return false;
	*arrival = queue->arrivals[queue->taken++ % queue->arrivals_max];
	return true;
}

/**
 * round_arrived() - a message has come: is it the one that must come now?
 * @session: the session
 * @round: the round
 * @queue: on which queue
 * @arrival: the message
 * @number: the one that must; afterwards, the one after it
 *
 * Where messages may get lost it may also be one of the next.
 */
void round_arrived(struct session *session, struct round *round, struct queue *queue,
		   const struct arrival *arrival, uint64_t *number)
{
	uint64_t end = round->first + round_share(session, queue);
	uint64_t skip, ahead = 0;

	/* However many were lost in a row, it is one of those that are still to come. */
	if (session->options->transport != TRANSPORT_RC && *number < end)
		ahead = end - *number - 1;
	for (skip = 0; skip <= ahead; skip++) {
		if (!data_arrived(session, round, queue, arrival, *number + skip))
			continue;
		round->lost += skip;
		*number += skip + 1;
		return;
	}
	data_bad(round, queue, *number, 0);
	++*number;
}

/**
 * round_check_written() - look at the last WRITEs of a queue, which are still there
 * @session: the server's
 * @round: the round
 * @queue: the queue
 *
 * Of more than --depth the others are written over by then.  UC's may still be on their way,
 * or lost.
 */
void round_check_written(struct session *session, struct round *round, struct queue *queue)
{
	unsigned int depth = session->options->depth;
	unsigned int share = round_share(session, queue);
	struct timespec nap = { .tv_nsec = 1000000 };
	uint64_t end = measure_now() + UNDERWAY_NS;
	unsigned int i;

	for (i = 0; i < smaller(share, depth); i++) {
		uint64_t number = round->first + share - 1 - i;

		unsigned int slot = number % depth;

		while (!data_check_target(session, round, queue, slot, number, false)) {
			if (session->options->transport != TRANSPORT_RC && measure_now() < end) {
				nanosleep(&nap, NULL);
				continue;
			}
			if (data_is_lost(session, round, queue, slot, number))
				round->lost++;
			else
				data_check_target(session, round, queue, slot, number, true);
			break;
		}
	}
}

/**
 * round_finish() - until all is over, and looked at
 * @session: the session
 * @round: the round
 *
 * Return: 0 or -1.
 */
int round_finish(struct session *session, struct round *round)
{
	unsigned int i;

	for (i = 0; i < session->options->queues; i++) {
		if (wait_done(session, &session->queues[i]))
			return -1;
		round_check(session, round, &session->queues[i]);
	}
	return 0;
}
