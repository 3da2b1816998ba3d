/* SPDX-License-Identifier: GPL-2.0 */
/*
 * connect-bed.h - an adapter and an rdma_cm that hold the thread that calls them for as
 * long as a test says.
 */
#ifndef CONNECT_BED_H
#define CONNECT_BED_H

#include <stdbool.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include "farmem-proto.h"

#define PATIENCE	60	/* seconds for what takes none */
#define IDS		16
#define STRANGER	1	/* the last byte of its address */
#define NODE		2

/* What the adapter does, and has done; the calls come from several threads. */
extern struct bed_adapter {
	bool hold_ready;	/* the way to a stranger is being looked for */
	bool hold_destroy;	/* a queue pair takes its time to go */
	bool hold_dereg;	/* so does a registration */
	bool hold_id;		/* so does an id: a message is not sent yet */
	bool port_down;
	unsigned int holding;
	unsigned int ready[IDS];	/* queue pairs that can be accepted, as they came: whose */
	unsigned int readies;
	int qps;
	uint32_t numbers;
	int ids;
	unsigned int accepted;
	unsigned int port_queries;
	int ready_error;
	bool gave_up_early;	/* a client gave up what is to be made ready */
	bool gave_up;		/* what is to be accepted */
	enum ibv_mtu path_mtu;	/* of the client */
	struct farmem_cm_rej rej;
	struct ibv_wc flushed;	/* of a queue pair that was destroyed; its number: there is none */
} adapter;

/* adapter_open() - of a new test: nothing has been done yet */
void adapter_open(struct ibv_context *context, struct ibv_device *of);

/* make_id() - of a peer whose address ends with @host */
struct rdma_cm_id *make_id(struct ibv_context *context, uint8_t host);

/* holding() - how many threads are held; let_go() - those of @held go on */
unsigned int holding(void);
void let_go(bool *held);

#endif /* CONNECT_BED_H */
