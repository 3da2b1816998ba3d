/* SPDX-License-Identifier: GPL-2.0 */
/* conn.h - one queue pair and its connection */
#ifndef CONN_H
#define CONN_H

#include <infiniband/verbs.h>
#include <stdbool.h>

#include "cm.h"
#include "farmem-proto.h"

struct session;

/* Sends that queue 0 may have in flight: messages, and a probe. */
#define CONN_SENDS (FARMEM_MSG_RECVS + 1)

/**
 * struct conn - a queue of a session
 * @handler: for rdma_cm's events
 * @session: whose
 * @id: the connection
 * @qp: the queue pair, on the session's protection domain; NULL once fenced
 * @index: in the session; 0 carries the messages
 * @responder_resources: READs that it answers at a time
 */
struct conn {
	struct cm_handler handler;
	struct session *session;
	struct rdma_cm_id *id;
	struct ibv_qp *qp;
	uint16_t index;
	uint8_t responder_resources;
};

/**
 * conn_create() - make a queue pair for a connection request, ready to accept
 * @session: whose
 * @id: of the request; owned by the conn if this succeeds
 * @index: in the session
 * @responder_resources: READs that the peer wants to have in flight
 *
 * Return: the conn, or NULL with errno set.
 */
struct conn *conn_create(struct session *session, struct rdma_cm_id *id, uint16_t index,
			 unsigned int responder_resources);

/* conn_accept() - say yes, with the session's REP.  Return: 0 or -errno. */
int conn_accept(struct conn *conn);

/*
 * conn_fence() - destroy the queue pair: nothing of the peer lands after this,
 * unless the session is marked unfenced.
 */
void conn_fence(struct conn *conn);

/* conn_free() - disconnect and free; conn_fence() came first */
void conn_free(struct conn *conn);

/* conn_reject() - refuse a request, log why, and destroy its id */
void conn_reject(struct rdma_cm_id *id, enum farmem_reason reason, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * conn_log_refusal() - may another line of what strangers cause be logged?  Counts
 * those that may not.
 */
bool conn_log_refusal(void);

/* conn_report_rejects() - log how many refusals were not logged one by one */
void conn_report_rejects(void);

#endif /* CONN_H */
