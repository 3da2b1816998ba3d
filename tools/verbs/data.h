/* SPDX-License-Identifier: GPL-2.0 */
/*
 * data.h - what --verify writes into messages, and expects of them.
 */
#ifndef VERBS_DATA_H
#define VERBS_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "session.h"

/**
 * struct round - one size of one run, at one end
 * @number: of the round, which makes its bytes differ from the last one's
 * @size: bytes of a message
 * @good: messages whose bytes were right
 * @bad: messages that had a wrong byte
 * @lost: messages that never came, of transports that may lose some
 * @first: number of a half's first message on each queue
 * @base: of each queue, the work requests posted before the half began
 */
struct round {
	unsigned int number, size;
	uint64_t good, bad, lost;
	uint64_t first, base[QUEUES_MAX];
};

void data_fill(struct session *session, struct round *round, struct queue *queue,
	       unsigned int slot, uint64_t number);
void data_check_out(struct session *session, struct round *round, struct queue *queue,
		    unsigned int slot, uint64_t number);
bool data_arrived(struct session *session, struct round *round, struct queue *queue,
		  const struct arrival *arrival, uint64_t number);
void data_fill_target(struct session *session, struct round *round);
bool data_check_target(struct session *session, struct round *round, struct queue *queue,
		       unsigned int slot, uint64_t number, bool final);
void data_mark(struct session *session, struct round *round, struct queue *queue,
	       unsigned int slot, uint64_t number);
void data_unmark(struct session *session, struct round *round);
bool data_marked(struct session *session, struct round *round, struct queue *queue,
		 unsigned int slot, uint64_t number);
int data_check_slice(struct session *session, unsigned int number, unsigned int size);
bool data_is_lost(struct session *session, struct round *round, struct queue *queue,
		  unsigned int slot, uint64_t number);
void data_advise(void);
void data_bad(struct round *round, struct queue *queue, uint64_t number, long place);

#endif
