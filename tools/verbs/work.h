/* SPDX-License-Identifier: GPL-2.0 */
/*
 * work.h - work requests: what the adapter is asked to do.
 */
#ifndef VERBS_WORK_H
#define VERBS_WORK_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

struct queue;
struct session;

/**
 * struct work - one operation
 * @opcode: SEND, RDMA_WRITE, ...
 * @slot: of AREA_OUT, and of the other end's AREA_TARGET
 * @size: bytes of the message
 * @last: it asks for a completion, whatever --signal-every says
 * @imm: immediate value, of opcodes that have one
 * @compare: of a compare-and-swap
 * @operand: what it swaps in; of a fetch-and-add, what is added
 */
struct work {
	enum ibv_wr_opcode opcode;
	unsigned int slot, size;
	bool last;
	uint32_t imm;
	uint64_t compare, operand;
};

int work_room(struct session *session, struct queue *queue);
int work_post(struct session *session, struct queue *queue, const struct work *work);
int work_receive(struct session *session, struct queue *queue, unsigned int slot);
int work_receive_all(struct session *session);
int work_bind(struct session *session);
int work_invalidate(struct session *session, struct queue *queue);

#endif
