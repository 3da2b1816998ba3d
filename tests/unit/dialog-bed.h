/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dialog-bed.h - one session of a server, whose adapter and worker do nothing.
 *
 * For tests of what a session answers.  The program is linked with the wraps that
 * the Makefile has for it: a session's end and the worker's steps are looked at only.
 */
#ifndef DIALOG_BED_H
#define DIALOG_BED_H

#include "conn.h"
#include "device.h"
#include "message.h"
#include "server.h"
#include "session.h"

#define SLAB		(1ull << 20)
#define SENT_MAX	32

/* An adapter that does nothing, and what it was asked to do. */
extern struct bed {
	struct ibv_device adapter;
	struct ibv_context context;
	struct device device;
	struct rdma_cm_id id;
	struct ibv_qp qp;
	struct ibv_cq cq;
	struct ibv_mr mr;
	struct ibv_wc wc;
	bool completed;
	unsigned int receives;
	uint64_t watch;
	struct farmem_msg sent[SENT_MAX];
	uint64_t send_id[SENT_MAX];
	uint16_t reason[SENT_MAX];
	unsigned int sends;
	struct job *job;
	const char *closed;
	char why[160];
	int unregistrable;
	unsigned int deregistered;
	int (*deregister)(struct ibv_mr *mr);
	unsigned int spread;	/* pieces that several threads were given */
	uint64_t capacity;
	struct conn conn;
	struct conn *conns[96];
	struct server server;
	struct session session;
} bed;

/* bed_open() - begin with a session in this state; bed_close() - and end */
void bed_open(enum session_state state);
void bed_close(void);

/* complete_as(), complete() - a work request is over; that of a message, with its length */
void complete_as(uint64_t wr_id, uint32_t len, enum ibv_wc_status status);
void complete(uint64_t wr_id, uint32_t len);

/* head() - of a message of this length */
struct farmem_msg head(unsigned int type, uint32_t id, size_t len);

/* arrive() - the client says this; ask_open(), ask_end() - OPEN, and CLOSE or RELEASE */
void arrive(unsigned int slot, const void *data, size_t len);
void ask_open(unsigned int slot, uint32_t id);
void ask_end(unsigned int slot, uint32_t id, enum farmem_msg_type type);

/* finish_step() - the worker's step is done; @mr is what it left of the registrations */
void finish_step(struct ibv_mr *mr);

/* run_step() - the worker runs its step, and it is done; how many registrations went */
unsigned int run_step(void);

/* expect_sent() - the server's message of that number is this */
void expect_sent(unsigned int index, enum farmem_msg_type type, uint32_t id);

#endif /* DIALOG_BED_H */
