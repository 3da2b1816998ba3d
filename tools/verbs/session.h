/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - one end of one run: device, memory, queues, and the other end.
 *
 * A session is made in the order of its fields, and taken down in the opposite
 * one: what lies lower holds what lies above it.
 */
#ifndef VERBS_SESSION_H
#define VERBS_SESSION_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "memory.h"
#include "options.h"
#include "queue.h"
#include "talk.h"

/**
 * struct cm - rdma_cm's share of a session
 * @channel: where its events arrive
 * @listener: the server's; NULL at the client
 * @first: the client's first id, which found the device and its GID; no queue's
 */
struct cm {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *listener, *first;
};

/**
 * struct session - one end of a run
 * @options: what the run is
 * @server: which end
 * @talk: the control connection
 * @cm: set up by rdma_cm
 * @device: the device, its port and GID
 * @pd: protection domain: queue pairs reach only the memory that is registered in
 *	their own one
 * @pd_imported: it belongs to another process
 * @memory: all buffers
 * @channel: where completion queues report while a process sleeps; NULL: polled
 * @cq: completion queues, one a queue or one in all
 * @cqs: how many
 * @events: of completion queues that were got and not yet acknowledged
 * @armed: the completion queues will report
 * @srq: receives of all queues, NULL if each has its own
 * @queues: as many as the options say
 * @inline_max: bytes that a work request of these queues can carry; 0 without --inline
 * @deadline: when waiting is over, unless something happens; of measure_now()
 * @idle: how often in a row there was nothing to see
 * @failed: a completion was an error: the queues are of no use any more
 * @expects_error: of a run that shows one: its finder does not print it
 * @error: that completion
 * @force: of RC, what came of the connection parameters: queue 0's, asked of its device
 * @peer_mtu: bytes of a packet at the other end's port
 * @peer_reads: READs and atomics that its queue pair answers at once
 * @on_completion: called for each good completion of a send queue; may be NULL
 * @context: for it
 */
struct session {
	const struct options *options;
	bool server;
	struct talk *talk;
	struct cm cm;
	struct device device;
	struct ibv_pd *pd;
	bool pd_imported;
	struct memory memory;
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq[QUEUES_MAX];
	unsigned int cqs, events[QUEUES_MAX];
	bool armed;
	struct ibv_srq *srq;
	struct queue queues[QUEUES_MAX];
	unsigned int inline_max;
	uint64_t deadline;
	unsigned int idle;
	bool failed, expects_error;
	struct ibv_wc error;
	struct ibv_qp_attr force;
	unsigned int peer_mtu, peer_reads;
	void (*on_completion)(struct session *session, struct queue *queue, uint64_t number);
	void *context;
};

int session_open(struct session *session);
int session_prepare(struct session *session);
int session_connect(struct session *session);
void session_close(struct session *session);

#endif
