/* SPDX-License-Identifier: GPL-2.0 */
/*
 * control.h - control messages on queue 0: introduction, grants, release.
 *
 * All calls but farmem_control_arrived(): may sleep, session->lock held, one
 * request at a time, bounded by session->deadline; OPEN and RELEASE by it again
 * and again, as long as the server says WORKING and nobody else wants the session.
 */
#ifndef FARMEM_CONTROL_H
#define FARMEM_CONTROL_H

#include <rdma/ib_verbs.h>

#include "message.h"

struct farmem_session;
struct farmem_queue;

#define FARMEM_CONTROL_BUFS (FARMEM_MSG_RECVS + 1)

/**
 * struct farmem_control - buffers of the control messages
 * @buf: FARMEM_MSG_MAX bytes each: the receives, and last the one to send
 * @dma: of each
 * @arrived: lengths of messages not read yet, in order, and their buffers
 * @head: how many were read, ever: the next one's place in @arrived, modulo its length;
 *	under session->state_lock, as @tail is
 * @tail: how many have arrived, ever: the next one's place in @arrived, likewise
 * @last_id: of the last request
 * @given_up: nobody waits for its answer any more
 * @patient: it may take longer than connect_timeout, if the server says that it works
 * @working: it has said so since
 */
struct farmem_control {
	void *buf[FARMEM_CONTROL_BUFS];
	u64 dma[FARMEM_CONTROL_BUFS];
	struct {
		u32 len;
		u8 buf;
	} arrived[FARMEM_MSG_RECVS];
	unsigned int head;
	unsigned int tail;
	u32 last_id;
	bool given_up;
	bool patient;
	bool working;
};

/** Make the buffers and post the receives: before the connection is asked for. */
int farmem_control_create(struct farmem_session *s, struct farmem_queue *q);

/** Free them; the queue pair is gone.  Idempotent. */
void farmem_control_destroy(struct farmem_session *s);

/** A completion with FARMEM_WR_CONTROL.  Context: up to softirq. */
void farmem_control_arrived(struct farmem_session *s, struct ib_wc *wc);

/** HELLO and its WELCOME.  Return: 0 or a negative errno, reason set. */
int farmem_control_hello(struct farmem_session *s);

/**
 * farmem_control_open() - ask for a volume
 * @s: its queue 0 is welcomed: live, or recovering
 * @open: the request; its header is filled in here
 * @grant: the answer, checked; zeroed, or of an earlier call: its room is used again, so
 *	that what a volume had can be granted again without an allocation
 *
 * Return: 0 or a negative errno, reason set.
 */
int farmem_control_open(struct farmem_session *s, struct farmem_open *open,
			struct farmem_grant_regions *grant);

/**
 * farmem_control_close() - give a volume up
 * @s: as for farmem_control_open()
 * @uuid: the volume
 * @type: FARMEM_MSG_CLOSE keeps its data, FARMEM_MSG_RELEASE does not
 */
int farmem_control_close(struct farmem_session *s, const u8 *uuid,
			 enum farmem_msg_type type);

#endif /* FARMEM_CONTROL_H */
