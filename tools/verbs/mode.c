// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of the InfiniBand architecture that decide which options go together, and a
 * few of this program's own.  No device is asked here: what a device cannot do,
 * session.c and queue.c find out.
 */
#include "mode.h"

#include "memory.h"

#define MEMORY_MAX (1ull << 30)

/**
 * mode_is_atomic() - compare-and-swap or fetch-and-add?
 * @options: of a run that is settled
 */
bool mode_is_atomic(const struct options *options)
{
	return options->op == OP_CAS || options->op == OP_FADD;
}

/**
 * mode_is_read() - is it answered with data: READ, and atomics, which return what was there?
 * @options: likewise
 */
bool mode_is_read(const struct options *options)
{
	return options->op == OP_READ || mode_is_atomic(options);
}

/**
 * mode_has_receives() - does a message take a receive at the other end?
 * @options: the run
 *
 * A SEND does, to know where to put its data; a WRITE with immediate does, to
 * have a completion that carries the immediate value.
 */
bool mode_has_receives(const struct options *options)
{
	return options->op == OP_SEND || options->op == OP_WRITE_IMM;
}

/**
 * mode_latency() - what the latency column is the time of
 * @options: the run
 *
 * Return: "half" of a round trip, where the server answers with a message of
 * its own, as perftest counts; "full" where the answer is part of the operation;
 * "ack" until a WRITE is acknowledged, where the server, asleep, can't see it.
 */
const char *mode_latency(const struct options *options)
{
	if (mode_is_read(options))
		return "full";
	if (options->op == OP_WRITE && options->wait == WAIT_EVENT)
		return "ack";
	return "half";
}

static const char *refuse_transport(const struct options *o)
{
	if (o->transport == TRANSPORT_UD && o->op != OP_SEND)
		return "UD carries SEND alone: WRITE, READ and atomics name memory of one peer, and a datagram's queue pair has no peer; use --transport rc, or --op send";
	if (o->transport == TRANSPORT_UC && mode_is_read(o))
		return "UC is never answered, and the data of a READ or an atomic is an answer; use --transport rc";
	if (o->transport == TRANSPORT_UC && o->setup == SETUP_CM)
		return "rdma_cm makes RC in its TCP port space and UD in its UDP port space, but has no port space for UC over IP addresses; use --setup hand";
	if (o->transport == TRANSPORT_UC && o->op == OP_WRITE && o->wait == WAIT_EVENT)
		return "a WRITE over UC is not acknowledged and completes nothing at the server, so no process would wake; use --wait poll, or --op write-imm";
	return NULL;
}

static const char *refuse_op(const struct options *o)
{
	if (mode_is_atomic(o) && o->size != ATOMIC_SIZE)
		return "an atomic works on 8 bytes; leave out --size";
	if (mode_is_atomic(o) && o->sge > 1)
		return "an atomic returns 8 bytes into one piece of memory; leave out --sge";
	if (o->inline_data && mode_is_read(o))
		return "--inline copies data that goes out into the work request; a READ or an atomic sends none";
	if (o->remote_sge > 1 && o->op != OP_SEND)
		return "only a receive of a SEND has a list of its own; a WRITE, READ or atomic names one address and length at the server; use --op send, or --sge";
	if (o->mw && o->op == OP_SEND)
		return "a memory window gives a key to remote memory, and a SEND uses none; use --op write or read";
	if (o->mw && o->transport != TRANSPORT_RC)
		return "a window of type 2 belongs to one connected queue pair, and farmem-verbs shows it on RC, where a wrong access is reported; use --transport rc";
	if (o->srq && !mode_has_receives(o))
		return "a WRITE, READ or atomic uses no receive, so there is nothing to share; use --op send or write-imm";
	return NULL;
}

static const char *refuse_queues(const struct options *o)
{
	if (mode_is_read(o) && (!o->responder_resources || !o->initiator_depth))
		return "with no responder resources, or an initiator depth of 0, no READ and no atomic may ever be under way";
	if (o->signal_every > o->depth)
		return "--signal-every above --depth: the send queue would be full before a work request asks for a completion, and stay full";
	if (!o->order)
		return NULL;
	if (o->queues < 2)
		return "--order compares queues: it takes --queues 2 or more";
	if (o->op != OP_READ && o->op != OP_WRITE)
		return "--order is shown with --op read or write";
	if (o->signal_every > 1)
		return "--order looks at the completion of every work request; leave out --signal-every";
	return NULL;
}

static const char *refuse_processes(const struct options *o)
{
	if (o->share != SHARE_NONE && o->processes < 2)
		return "--share is about several processes: it takes --processes 2 or more";
	if (o->share == SHARE_IMPORT && o->setup == SETUP_CM)
		return "rdma_cm brings its own context of the device, and an imported one cannot take its place; use --setup hand";
	if (o->share == SHARE_FORK && o->setup == SETUP_CM)
		return "rdma_cm opens the device in the first process, and a forked child would go on using it; use --setup hand";
	if (o->processes > 1 && (o->order || o->show))
		return "--order and --show take one process";
	return NULL;
}

/* A fault is one work request, or one request for a connection. */
static const char *refuse_show(const struct options *o)
{
	if (!o->show)
		return NULL;
	if (o->size == SIZE_ALL || o->queues > 1)
		return "--show does one thing wrong: it takes one --size and one queue";
	if (o->show == SHOW_REJECTED && o->setup != SETUP_CM)
		return "only rdma_cm has a request to reject; use --setup cm";
	if (o->show == SHOW_RNR && o->rnr_retry == 7)
		return "--rnr-retry 7 means for ever: there would be nothing to show";
	if (o->show == SHOW_LENGTH && o->size < 2)
		return "a message of one byte fits into any receive; use --size 2 or more";
	if (o->show != SHOW_REJECTED && o->transport != TRANSPORT_RC)
		return "only RC reports what went wrong at the other end; use --transport rc";
	return NULL;
}

static const char *refuse_ends(const struct options *o)
{
	struct memory plan;

	if (o->setup == SETUP_CM &&
	    (o->device || o->ib_port != AUTO || o->gid_index != AUTO))
		return "rdma_cm chooses device, port and GID by the route to the address; leave out --device, --ib-port and --gid-index, or use --setup hand";
	memory_plan(&plan, o);
	if (plan.length > MEMORY_MAX)
		return "that takes more than 1 GiB of memory; use a smaller --size, --depth or --queues";
	return NULL;
}

/**
 * mode_refusal() - is this run possible at all?
 * @options: settled
 *
 * Return: NULL if it is, else why not and what to use instead.
 */
const char *mode_refusal(const struct options *options)
{
	static const char *(*const rules[])(const struct options *) = {
		refuse_transport, refuse_op, refuse_queues, refuse_processes, refuse_show,
		refuse_ends,
	};
	unsigned int i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const char *why = rules[i](options);

		if (why)
			return why;
	}
	return NULL;
}
