// SPDX-License-Identifier: GPL-2.0
/*
 * Messages are written piece by piece as their scatter/gather lists have them, and
 * checked the same way, so a piece that goes to the wrong place is noticed.
 */
#include "data.h"

#include <endian.h>
#include <string.h>

#include "mode.h"
#include "pattern.h"
#include "trouble.h"

#define PACKET_MIN 256		/* the smallest MTU: whatever it is, packets end at its multiples */

/* The sender: the other end's messages are checked, ours are written. */
static uint64_t key(struct session *session, struct round *round, struct queue *queue,
		    bool own, uint64_t number)
{
	unsigned int sender = own == session->server;

	return pattern_key(session->options->seed, sender, queue->index,
			   ((uint64_t)round->number << 40) + number);
}

static unsigned int pieces_of(const struct session *session)
{
	return session->server ? session->options->remote_sge : session->options->sge;
}

/** data_advise() - after wrong data was said: what to do next */
void data_advise(void)
{
	trouble_advice("farmem-verbs sweep HOST    (shows with which options it happens)");
}

/**
 * data_bad() - a message is not what was sent
 * @round: which counts it
 * @queue: on which it came
 * @number: of the message
 * @place: of its first wrong byte
 *
 * The first one is said at once; of more, the number at the end is enough.
 */
void data_bad(struct round *round, struct queue *queue, uint64_t number, long place)
{
	if (round->bad++)
		return;
	trouble("wrong data: message %llu of queue %u, %u bytes, differs from byte %ld on",
		(unsigned long long)number, queue->index, round->size, place);
	data_advise();
}

static void count(struct round *round, struct queue *queue, uint64_t number, long place)
{
	if (place < 0)
		round->good++;
	else
		data_bad(round, queue, number, place);
}

/* A list's bytes against those of a message; -1, or the place of the first wrong one. */
static long check_list(const struct ibv_sge *list, unsigned int pieces, unsigned int size,
		       uint64_t key)
{
	unsigned int i, offset = 0;

	for (i = 0; i < pieces && offset < size; i++) {
		unsigned int length = list[i].length;
		ptrdiff_t wrong;

		if (length > size - offset)
			length = size - offset;
		wrong = pattern_check((void *)(uintptr_t)list[i].addr, length, key, offset);
		if (wrong >= 0)
			return wrong;
		offset += length;
	}
	return offset == size ? -1 : (long)offset;
}

/**
 * data_fill() - write a message that this end will send
 * @session: the session
 * @round: the round
 * @queue: the queue
 * @slot: of AREA_OUT
 * @number: of the message
 */
void data_fill(struct session *session, struct round *round, struct queue *queue,
	       unsigned int slot, uint64_t number)
{
	uint64_t message = key(session, round, queue, true, number);
	struct ibv_sge list[SGE_MAX];
	unsigned int i, pieces, offset = 0;

	if (!session->options->verify)
		return;
	pieces = memory_pieces(&session->memory, AREA_OUT, queue->index, slot, round->size,
			       pieces_of(session), list);
	for (i = 0; i < pieces; i++) {
		pattern_fill((void *)(uintptr_t)list[i].addr, list[i].length, message, offset);
		offset += list[i].length;
	}
}

/**
 * data_check_out() - check what a READ has brought
 * @session: the session
 * @round: the round
 * @queue: the queue
 * @slot: of AREA_OUT here, of AREA_TARGET there
 * @number: of the READ, for the message
 *
 * A wrong mark is left behind: a READ that brings nothing is not to find the bytes of
 * the one before.
 */
void data_check_out(struct session *session, struct round *round, struct queue *queue,
		    unsigned int slot, uint64_t number)
{
	uint64_t message = key(session, round, queue, false, slot);
	struct ibv_sge list[SGE_MAX];
	unsigned int i, pieces;

	pieces = memory_pieces(&session->memory, AREA_OUT, queue->index, slot, round->size,
			       pieces_of(session), list);
	count(round, queue, number, check_list(list, pieces, round->size, message));
	if (session->options->processes > 1 && session->options->share == SHARE_SHM)
		return;		/* the parent looks at these bytes, too */
	for (i = 0; i < pieces; i++)
		memset((void *)(uintptr_t)list[i].addr, 0, list[i].length);
}

/**
 * data_check_slice() - check what READs have left in a buffer, from another process
 * @session: with options and memory of the process that worked there
 * @number: of its last round
 * @size: of its messages
 *
 * Return: 0 or -1.
 */
int data_check_slice(struct session *session, unsigned int number, unsigned int size)
{
	const struct options *options = session->options;
	struct round round = { .number = number, .size = size };
	unsigned int i, slot;

	for (i = 0; i < options->queues; i++) {
		struct queue *queue = &session->queues[i];
		unsigned int share = options->iterations / options->queues;

		queue->index = i;
		for (slot = 0; slot < options->depth && slot < share; slot++)
			data_check_out(session, &round, queue, slot, slot);
	}
	return round.bad ? -1 : 0;
}

/**
 * data_arrived() - check a message that was received
 * @session: the session
 * @round: the round
 * @queue: the queue
 * @arrival: what came
 * @number: which message it should be
 *
 * Return: whether it is that one.  It is counted as good then; whether what is wrong is
 * bad, or a later message where the transport may lose some, is for the caller to say.
 */
bool data_arrived(struct session *session, struct round *round, struct queue *queue,
		  const struct arrival *arrival, uint64_t number)
{
	bool datagram = session->options->transport == TRANSPORT_UD;
	uint64_t message = key(session, round, queue, false, number);
	const struct memory *memory = &session->memory;
	unsigned int size = arrival->length - (datagram ? GRH_SIZE : 0);
	struct ibv_sge list[SGE_MAX + 1];
	unsigned int pieces;
	long wrong = -1;

	if (session->options->op == OP_WRITE_IMM)
		return arrival->has_imm && be32toh(arrival->imm) == (uint32_t)number &&
		       data_check_target(session, round, queue,
					 number % session->options->depth, number, false);
	if (session->options->verify) {
		pieces = memory_receive_pieces(session, arrival->slot / memory->slots,
					       arrival->slot % memory->slots, list);
		wrong = check_list(list + datagram, pieces - datagram, round->size, message);
		if (size != round->size)
			wrong = size < round->size ? size : round->size;
	}
	round->good += wrong < 0;
	return wrong < 0;
}

/**
 * data_fill_target() - what the other end will READ
 * @session: the server's
 * @round: that begins
 */
void data_fill_target(struct session *session, struct round *round)
{
	unsigned int i, slot;

	for (i = 0; i < session->options->queues; i++)
		for (slot = 0; slot < session->options->depth; slot++)
			pattern_fill(memory_slot(&session->memory, AREA_TARGET, i, slot),
				     round->size,
				     key(session, round, &session->queues[i], true, slot), 0);
}

/* Differs from one message in a slot to the next, and from nothing. */
static uint8_t mark_of(const struct session *session, uint64_t number)
{
	return 1 + number / session->options->depth % 255;
}

/* A WRITE's bytes, from one on; -1, or the place of the first wrong one. */
static long check_written(struct session *session, struct round *round, struct queue *queue,
			  unsigned int slot, uint64_t number, unsigned int from)
{
	const uint8_t *bytes = memory_slot(&session->memory, AREA_TARGET, queue->index, slot);
	bool marked = session->options->op == OP_WRITE;
	/* A plain WRITE's last byte is a mark: see data_mark(). */
	unsigned int end = round->size - marked;
	long wrong = -1;

	if (from < end)
		wrong = pattern_check(bytes + from, end - from,
				      key(session, round, queue, false, number), from);
	if (wrong < 0 && marked && bytes[end] != mark_of(session, number))
		wrong = end;
	return wrong;
}

/**
 * data_check_target() - check what the other end has written
 * @session: the session
 * @round: the round
 * @queue: the queue
 * @slot: of AREA_TARGET
 * @number: of the WRITE that was the last one there
 * @final: what is wrong now will stay so, and is counted
 *
 * Return: whether it is right.
 */
bool data_check_target(struct session *session, struct round *round, struct queue *queue,
		       unsigned int slot, uint64_t number, bool final)
{
	ptrdiff_t wrong = -1;

	if (session->options->verify)
		wrong = check_written(session, round, queue, slot, number, 0);
	if (wrong < 0 || final)
		count(round, queue, number, wrong);
	return wrong < 0;
}

/* Was the slot's content, from a byte on, written by one of these messages? */
static bool is_of(struct session *session, struct round *round, struct queue *queue,
		  unsigned int slot, uint64_t first, uint64_t end, unsigned int from)
{
	const unsigned int depth = session->options->depth;
	uint64_t number = first + (slot + depth - first % depth) % depth;

	for (; number < end; number += depth)
		if (check_written(session, round, queue, slot, number, from) < 0)
			return true;
	return false;
}

/**
 * data_is_lost() - is a WRITE that is not in its place lost, and not wrong?
 * @session: the session
 * @round: the round
 * @queue: the queue
 * @slot: of AREA_TARGET
 * @number: of the WRITE that should have been the last one there
 *
 * What the transport loses it may lose in the middle: then the first packets are there, and
 * behind them is what was there before.
 */
bool data_is_lost(struct session *session, struct round *round, struct queue *queue,
		  unsigned int slot, uint64_t number)
{
	const uint8_t *bytes = memory_slot(&session->memory, AREA_TARGET, queue->index, slot);
	/* Of the half before, no more than so many. */
	uint64_t share = session->options->iterations / session->options->queues + 1;
	long wrong = check_written(session, round, queue, slot, number, 0);

	if (session->options->transport == TRANSPORT_RC || wrong < 0 || wrong % PACKET_MIN)
		return false;
	/* Nothing of this round was ever complete here: see data_unmark(). */
	if (!bytes[round->size - 1])
		return true;
	return is_of(session, round, queue, slot, round->first, number, wrong) ||
	       (round->first && is_of(session, round, queue, slot, 0, share, wrong));
}

/**
 * data_mark() - mark a WRITE's last byte, by which the other end sees that it came
 * @session: the session
 * @round: the round
 * @queue: the queue
 * @slot: of AREA_OUT
 * @number: of the message
 *
 * A WRITE tells nobody that it came.  A waiter looks at its last byte; that this
 * one comes last is true of the adapters there are, but the standard does not promise it;
 * of soft-RoCE it is true of packets, not of the bytes in one.
 */
void data_mark(struct session *session, struct round *round, struct queue *queue,
	       unsigned int slot, uint64_t number)
{
	struct ibv_sge list[SGE_MAX];
	unsigned int pieces = memory_pieces(&session->memory, AREA_OUT, queue->index, slot,
					    round->size, pieces_of(session), list);
	uint8_t *last = (uint8_t *)(uintptr_t)list[pieces - 1].addr + list[pieces - 1].length - 1;

	*last = mark_of(session, number);
}

/**
 * data_unmark() - before a round: what is left from others is no mark of this one
 * @session: the server's
 * @round: that begins
 */
void data_unmark(struct session *session, struct round *round)
{
	unsigned int i, slot;

	for (i = 0; i < session->options->queues; i++)
		for (slot = 0; slot < session->options->depth; slot++)
			memory_slot(&session->memory, AREA_TARGET, i, slot)[round->size - 1] = 0;
}

/**
 * data_marked() - has a WRITE come, of which the target is told nothing?
 * @session: the server's
 * @round: the round
 * @queue: on which it is awaited
 * @slot: of the target
 * @number: of the message
 */
bool data_marked(struct session *session, struct round *round, struct queue *queue,
		 unsigned int slot, uint64_t number)
{
	volatile uint8_t *last = memory_slot(&session->memory, AREA_TARGET, queue->index, slot) +
				 round->size - 1;

	if (*last != mark_of(session, number))
		return false;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return true;
}
