/* SPDX-License-Identifier: GPL-2.0 */
/*
 * round.h - the two halves of a round: one operation at a time, then many.
 */
#ifndef VERBS_ROUND_H
#define VERBS_ROUND_H

#include "data.h"
#include "measure.h"

/**
 * struct figures - what a round has measured, at the client
 * @latency: of one operation at a time
 * @seconds: that the stream took
 * @operations: in the stream
 */
struct figures {
	struct summary latency;
	double seconds;
	uint64_t operations;
};

int latency_client(struct session *session, struct round *round, struct figures *figures);
int latency_server(struct session *session, struct round *round);
void latency_check(struct session *session, struct round *round);
int stream_client(struct session *session, struct round *round, struct figures *figures);
int stream_server(struct session *session, struct round *round);

/* For both halves. */
void round_begin(struct session *session, struct round *round, bool stream);
int round_post(struct session *session, struct round *round, struct queue *queue,
	       uint64_t number, bool last);
void round_check_written(struct session *session, struct round *round, struct queue *queue);
void round_check(struct session *session, struct round *round, struct queue *queue);
bool round_take(struct queue *queue, struct arrival *arrival);
void round_arrived(struct session *session, struct round *round, struct queue *queue,
		   const struct arrival *arrival, uint64_t *number);
int round_finish(struct session *session, struct round *round);
unsigned int round_share(const struct session *session, const struct queue *queue);

#endif
