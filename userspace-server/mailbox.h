/* SPDX-License-Identifier: GPL-2.0 */
/* mailbox.h - the messages of queue 0: their buffers and work requests */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"

/*
 * wr_id of the receives 0..7 is their buffer, of sends MAILBOX_SEND + buffer, of the
 * receive of a further queue MAILBOX_QUEUE + its index.
 */
#define MAILBOX_SEND	0x100
#define MAILBOX_PROBE	0x200
#define MAILBOX_QUEUE	0x10000

/* Messages that may be in flight. */
#define MAILBOX_SENDS	FARMEM_MSG_RECVS

/* A request that has arrived: its receive buffer and its length. */
struct arrival {
	uint32_t slot;
	uint32_t len;
};

/**
 * struct mailbox - the messages of a session
 * @buffers: receive buffers, then send buffers, FARMEM_MSG_MAX bytes each
 * @mr: their registration
 * @qp: the queue pair of queue 0, once there is one
 * @busy: bitmap of send buffers in flight
 * @arrival: requests in their receive buffers, a ring
 * @arrived: how many have arrived, ever
 * @taken: how many of these were handled
 *
 * Context: event loop, but mailbox_listen().
 */
struct mailbox {
	uint8_t *buffers;
	struct ibv_mr *mr;
	struct ibv_qp *qp;
	uint32_t busy;
	struct arrival arrival[FARMEM_MSG_RECVS];
	unsigned int arrived;
	unsigned int taken;
};

/* mailbox_open() - make the buffers, and register them.  Return: 0 or -errno. */
int mailbox_open(struct mailbox *mailbox, struct ibv_pd *pd);

/* mailbox_listen() - post all receives, on @qp.  Context: connector.  Return: 0 or -errno. */
int mailbox_listen(struct mailbox *mailbox, struct ibv_qp *qp);

/* mailbox_post() - post receive buffer @slot again.  Return: 0 or an errno. */
int mailbox_post(const struct mailbox *mailbox, unsigned int slot);

/* mailbox_received() - where receive buffer @slot is */
uint8_t *mailbox_received(const struct mailbox *mailbox, unsigned int slot);

/**
 * mailbox_send() - send a message
 * @mailbox: open, with a queue pair
 * @msg: copied
 * @len: bytes of it, FARMEM_MSG_MAX at most
 *
 * Return: 0, or an errno.  ENOBUFS: all send buffers are in flight, since the client
 * acknowledges nothing, or asks faster than it takes answers.
 */
int mailbox_send(struct mailbox *mailbox, const void *msg, size_t len);

/*
 * mailbox_sent() - send buffer @slot has arrived; mailbox_sends() - how many are in flight,
 * of MAILBOX_SENDS
 */
void mailbox_sent(struct mailbox *mailbox, unsigned int slot);
unsigned int mailbox_sends(const struct mailbox *mailbox);

/**
 * mailbox_watch() - hear of it when a further queue breaks
 * @qp: its queue pair
 * @index: in the session, not 0
 *
 * Posts a receive of no bytes, which a client uses up only by a token that it is asked for
 * (barrier.c).  The adapter gives it back when the queue pair fails.
 *
 * Return: 0 or an errno.
 */
int mailbox_watch(struct ibv_qp *qp, uint16_t index);

#endif /* MAILBOX_H */
