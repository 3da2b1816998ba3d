/* SPDX-License-Identifier: GPL-2.0 */
/*
 * connect-bed.h - an adapter and an rdma_cm that hold the thread that calls them for as
 * long as a test says, and a server with its real loop and workers on them.
 */
#ifndef CONNECT_BED_H
#define CONNECT_BED_H

#include <stdbool.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include "farmem-proto.h"
#include "stubs.h"

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
	int cut;		/* what it says of all that is to go: EIO as it is being removed */
	bool removed;		/* the kernel has done that */
	bool exchange;		/* as a file of it is opened, it and another exchange their names */
	unsigned int holding;
	unsigned int ready[IDS];	/* queue pairs that can be accepted, as they came: whose */
	unsigned int readies;
	int qps;
	uint32_t numbers;
	int ids;		/* beside that of the device's keeper */
	bool cut_first;		/* the context's files were closed when its last id went */
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

/* Let the loop run until something has come about. */
#define RUN_UNTIL(condition)							\
	do {									\
		uint64_t began = seconds_now();					\
										\
		while (!(condition)) {						\
			assert_true(seconds_now() - began < PATIENCE / 2);	\
			assert_true(sd_event_run(server.event, 10000) >= 0);	\
		}								\
	} while (0)

uint64_t seconds_now(void);

/* The server, its one adapter, and librdmacm's context of that. */
extern struct server server;
extern struct device *device;
extern struct ibv_context verbs;

/* begin() - of a test; end() - as main.c:main_stop() does it, and nothing may be left */
int begin(void **state);
int end(void **state);

/* unkeep() - no connection of the device is over yet: it has no keeper, and files of its own */
void unkeep(void);

/* remove_node() - the first thing that the kernel takes away of a device */
void remove_node(void);

/* rename_device() - another one may have its former name, or none */
void rename_device(bool exchange);

/* ask() - the request of a queue 0 of "node"; the session that it has become */
struct session *ask(uint8_t host);

/* ask_queue() - and of a further one */
void ask_queue(struct session *session, uint16_t index);

/* welcome() - a live session of "node" */
struct session *welcome(void);

/* listen_to_log() - keep what is logged from now on; heard() - all that was */
void listen_to_log(void);
const char *heard(void);

#endif /* CONNECT_BED_H */
