/* SPDX-License-Identifier: GPL-2.0 */
/*
 * memory.h - the buffers of a session, registered, and the ends that may reach them.
 *
 * Each queue has three areas, with a slot for each operation that can be under way:
 *
 *   AREA_OUT     what this end sends, and where data that it asked for arrives
 *   AREA_IN      receives: where the other end's SENDs go
 *   AREA_TARGET  what the other end may WRITE, READ and count in
 */
#ifndef VERBS_MEMORY_H
#define VERBS_MEMORY_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options;
struct session;

enum area { AREA_OUT, AREA_IN, AREA_TARGET, AREAS };

#define SGE_MAX 16
#define GRH_SIZE 40		/* stands before every datagram that is received */

/**
 * struct memory - all buffers of a session
 * @start: of the buffers
 * @length: in bytes
 * @registered: bytes to register, 0: all of them, and no more
 * @given: another part of the program owns and frees them
 * @mr: their registration: it pins them, and gives them their keys
 * @mr_imported: it belongs to another process
 * @stride: bytes from one slot of an area to the next
 * @slots: of each area, a queue
 * @queues: how many queues they are for
 */
struct memory {
	uint8_t *start;
	size_t length, registered;
	bool given;
	struct ibv_mr *mr;
	bool mr_imported;
	size_t stride;
	unsigned int slots, queues;
};

void memory_plan(struct memory *memory, const struct options *options);
int memory_register(struct session *session);
void memory_free(struct memory *memory);
uint8_t *memory_slot(const struct memory *memory, enum area area, unsigned int queue,
		     unsigned int slot);
unsigned int memory_pieces(const struct memory *memory, enum area area, unsigned int queue,
			   unsigned int slot, unsigned int size, unsigned int count,
			   struct ibv_sge *list);
unsigned int memory_receive_pieces(const struct session *session, unsigned int queue,
				   unsigned int slot, struct ibv_sge *list);

#endif
