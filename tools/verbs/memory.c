// SPDX-License-Identifier: GPL-2.0
/*
 * Registering memory does three things: it pins the pages, so that they stay where the
 * adapter finds them; it tells the adapter where they are; and it gives them two keys.
 * The lkey goes into this process's own work requests; the rkey is handed to the other
 * end, and every holder of the rkey can reach the memory, as far as the access flags go.
 */
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "session.h"
#include "trouble.h"

#define LINE 64			/* of a cache: pieces do not share one */
#define PAGE 4096

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/**
 * memory_plan() - how much memory a run takes, and how it is divided
 * @memory: to fill; nothing is allocated
 * @options: the run
 */
void memory_plan(struct memory *memory, const struct options *options)
{
	/* Room for a datagram's header, and for gaps between the pieces of a message. */
	memory->stride = round_up(options_largest(options), LINE) + LINE * (SGE_MAX + 1);
	memory->slots = options->depth;
	memory->queues = options->queues;
	memory->length = round_up(memory->stride * memory->slots * memory->queues * AREAS, PAGE);
}

static int explain_limit(size_t length)
{
	struct rlimit limit;
	int error = errno;

	trouble_errno("registering %zu KiB of memory", length / 1024);
	if (error != ENOMEM || getrlimit(RLIMIT_MEMLOCK, &limit))
		return -1;
	if (limit.rlim_cur != RLIM_INFINITY)
		fprintf(stderr, "  This process may lock %llu KiB: registered memory is locked, and only root, or a process with CAP_IPC_LOCK, may lock more.\n",
			(unsigned long long)limit.rlim_cur / 1024);
	trouble_advice("ulimit -l unlimited; for good a line in /etc/security/limits.conf, or LimitMEMLOCK=infinity of a service");
	return -1;
}

/**
 * memory_register() - allocate the buffers, unless there are some, and register them
 * @session: with a protection domain
 *
 * Return: 0 or -1.
 */
int memory_register(struct session *session)
{
	struct memory *memory = &session->memory;
	int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;

	if (!memory->start) {
		memory->start = mmap(NULL, memory->length, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory->start == MAP_FAILED) {
			memory->start = NULL;
			return trouble_errno("%zu KiB of memory", memory->length / 1024);
		}
	}
	if (session->device.attr.atomic_cap != IBV_ATOMIC_NONE)
		access |= IBV_ACCESS_REMOTE_ATOMIC;
	if (session->options->mw)
		access |= IBV_ACCESS_MW_BIND;
	if (!memory->mr)
		memory->mr = ibv_reg_mr(session->pd, memory->start,
					memory->registered ? memory->registered : memory->length,
					access);
	return memory->mr ? 0 : explain_limit(memory->length);
}

/**
 * memory_free() - registration and memory, as far as there are any
 * @memory: planned, or all zeros
 */
void memory_free(struct memory *memory)
{
	if (memory->mr && memory->mr_imported)
		ibv_unimport_mr(memory->mr);
	else if (memory->mr)
		ibv_dereg_mr(memory->mr);
	if (memory->start && !memory->given)
		munmap(memory->start, memory->length);
	memory->mr = NULL;
	memory->start = NULL;
}

/**
 * memory_slot() - where a slot of an area begins
 * @memory: registered
 * @area: which
 * @queue: whose part of it
 * @slot: from 0
 */
uint8_t *memory_slot(const struct memory *memory, enum area area, unsigned int queue,
		     unsigned int slot)
{
	size_t number = ((size_t)area * memory->queues + queue) * memory->slots + slot;

	return memory->start + number * memory->stride;
}

/**
 * memory_pieces() - a message as a scatter/gather list
 * @memory: the buffers
 * @area: of the message
 * @queue: of the message
 * @slot: of the message
 * @size: its bytes
 * @count: in so many pieces, fewer if it has not so many bytes
 * @list: where to
 *
 * With gaps between the pieces, so that they cannot be taken for one.
 *
 * Return: the number of pieces.
 */
unsigned int memory_pieces(const struct memory *memory, enum area area, unsigned int queue,
			   unsigned int slot, unsigned int size, unsigned int count,
			   struct ibv_sge *list)
{
	uint8_t *at = memory_slot(memory, area, queue, slot);
	unsigned int i, left = size;

	if (count > size)
		count = size ? size : 1;
	for (i = 0; i < count; i++) {
		unsigned int length = left / (count - i);

		list[i] = (struct ibv_sge) {
			.addr = (uintptr_t)at,
			.length = length,
			.lkey = memory->mr ? memory->mr->lkey : 0,
		};
		at += length + LINE;
		left -= length;
	}
	return count;
}

/**
 * memory_receive_pieces() - where a receive puts what comes
 * @session: the session
 * @queue: whose slot it is
 * @slot: of AREA_IN
 * @list: where to; SGE_MAX + 1
 *
 * Before the bytes of a datagram come 40 bytes of global routing header: its
 * sender.  They have a piece of their own here, behind the message.
 *
 * Return: the number of pieces.
 */
unsigned int memory_receive_pieces(const struct session *session, unsigned int queue,
				   unsigned int slot, struct ibv_sge *list)
{
	const struct options *options = session->options;
	const struct memory *memory = &session->memory;
	unsigned int pieces = session->server ? options->remote_sge : options->sge;
	unsigned int first = 0;

	if (options->transport == TRANSPORT_UD) {
		list[first++] = (struct ibv_sge) {
			.addr = (uintptr_t)memory_slot(memory, AREA_IN, queue, slot) +
				memory->stride - LINE,
			.length = GRH_SIZE,
			.lkey = memory->mr->lkey,
		};
	}
	return first + memory_pieces(memory, AREA_IN, queue, slot, options_largest(options), pieces,
				     list + first);
}
