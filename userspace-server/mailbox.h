/* SPDX-License-Identifier: GPL-2.0 */
/* mailbox.h - the messages of queue 0: their buffers and work requests */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/*
 * wr_id of the receives 0..7 is their buffer, of sends MAILBOX_SEND + buffer, of the
 * receive of a further queue MAILBOX_QUEUE + its index.
 */
#define MAILBOX_SEND	0x100
#define MAILBOX_PROBE	0x200
#define MAILBOX_QUEUE	0x10000

/* mailbox_open() - make a session's buffers, and register them.  Return: 0 or -errno. */
int mailbox_open(struct session *session);

/* mailbox_arrived() - where receive buffer @slot is */
uint8_t *mailbox_arrived(const struct session *session, unsigned int slot);

/* mailbox_post() - post receive buffer @slot.  Return: 0 or an errno. */
int mailbox_post(struct session *session, struct ibv_qp *qp, unsigned int slot);

/**
 * mailbox_watch() - hear of it when a further queue breaks
 * @qp: its queue pair
 * @index: in the session, not 0
 *
 * Posts a receive of no bytes, which no client that keeps to the protocol uses up:
 * the adapter gives it back when the queue pair fails.
 *
 * Return: 0 or an errno.
 */
int mailbox_watch(struct ibv_qp *qp, uint16_t index);

/* mailbox_listen() - post all receives of queue 0.  Return: 0 or -errno. */
int mailbox_listen(struct session *session, struct ibv_qp *qp);

/**
 * mailbox_buffer() - a free send buffer of FARMEM_MSG_MAX bytes
 *
 * Return: its number, -1 if all are in flight: then the client acknowledges
 * nothing, or asks faster than it listens.
 */
int mailbox_buffer(const struct session *session);

/* mailbox_address() - where buffer @slot is */
void *mailbox_address(const struct session *session, int slot);

/* mailbox_send() - send @len bytes of buffer @slot.  Return: 0 or an errno. */
int mailbox_send(struct session *session, int slot, size_t len);

/* mailbox_sends() - buffers in flight */
unsigned int mailbox_sends(const struct session *session);

#endif /* MAILBOX_H */
