/* SPDX-License-Identifier: GPL-2.0 */
/* conn.h - one queue pair and its connection */
#ifndef CONN_H
#define CONN_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <sys/queue.h>

#include "cm.h"
#include "farmem-proto.h"
#include "job-queue.h"

struct conn;
struct conn_group;
struct device;
struct explain;
struct mailbox;
struct server;

/* Sends that queue 0 may have in flight: messages, and a probe. */
#define CONN_SENDS (FARMEM_MSG_RECVS + 1)

/**
 * struct conn_ops - what a queue tells its session
 * @connected: the connector is done: @conn is to be accepted, or has an error
 * @given_up: the client gave a further queue up before it was connected
 * @dropped: a queue that conn_drop() was called for is fenced
 * @failed: its connection is over, and so is the session; @blame: what of the CM it is
 *	that ends it, or NULL
 *
 * conn.c calls them, for session.c, which stands above it: a connection is made, and ends,
 * when the network says so.  The session may be dead.
 *
 * Context: event loop.
 */
struct conn_ops {
	void (*connected)(struct conn_group *group, struct conn *conn);
	void (*given_up)(struct conn_group *group, struct conn *conn);
	void (*dropped)(struct conn_group *group);
	void (*failed)(struct conn_group *group, const struct explain *blame, const char *why);
};

/**
 * struct conn_group - what the queues of a session share, and the session has
 * @ops: what it is told
 * @label: the start of its log lines
 * @pd: protection domain, also of its registrations
 * @cq: completions; of queues but queue 0 one when they break
 * @mailbox: the messages of queue 0
 * @connecting: how many queues the connector has, or are being dropped
 * @cut: the adapter takes no commands any more: the kernel destroys what is left of them,
 *	if it removes the adapter, see device_is_removed()
 * @unfenced: a queue pair could not be destroyed
 */
struct conn_group {
	const struct conn_ops *ops;
	const char *label;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct mailbox *mailbox;
	unsigned int connecting;
	bool cut;
	bool unfenced;
};

/**
 * struct conn - a queue of a session
 * @handler: for rdma_cm's events
 * @link: of the device's parked ones
 * @group: whose; NULL once parked
 * @device: the adapter
 * @id: the connection
 * @qp: the queue pair; NULL once fenced
 * @index: in the session; 0 carries the messages
 * @responder_resources: READs that it answers at a time
 * @barrier: the token that its client said on it last
 * @established: the client has said that it is connected
 * @connecting: the connector has it, or the fencer has it alone
 * @given_up: the connector need not go on with it
 * @nobodys: once parked: it was no client's
 * @made: it has made a queue pair, whatever came of that
 * @error: that it met, 0 or -errno
 * @path_mtu: size of the packets that the peer asks for, if @error is -EMSGSIZE
 * @port_mtu: size that our port carries at most, a smaller one, if @error is that
 * @job: the connector's, or the fencer's; of a device's keeper at last the closer's
 *
 * Context: event loop.  While the connector or the fencer works on it, all but
 * @handler and @given_up is that thread's.  The loop frees it after the closer has
 * destroyed @id, so @handler is there for every event that was on its way.
 */
struct conn {
	struct cm_handler handler;
	LIST_ENTRY(conn) link;
	struct conn_group *group;
	struct device *device;
	struct rdma_cm_id *id;
	struct ibv_qp *qp;
	uint16_t index;
	uint8_t responder_resources;
	uint32_t barrier;
	bool established;
	bool connecting;
	bool given_up;
	bool nobodys;
	bool made;
	int error;
	enum ibv_mtu path_mtu, port_mtu;
	struct job job;
};

/**
 * conn_create() - let the connector make a queue pair for a connection request
 * @group: whose
 * @device: the adapter
 * @id: of the request; owned by the conn if this succeeds
 * @index: in the session
 * @responder_resources: READs that the peer wants to have in flight
 *
 * conn_ops.connected() follows, unless conn_give_up() takes the request back.
 *
 * Return: the conn, or NULL with errno set.
 */
struct conn *conn_create(struct conn_group *group, struct device *device, struct rdma_cm_id *id,
			 uint16_t index, unsigned int responder_resources);

/**
 * conn_give_up() - the session is over: its request needs no queue pair any more
 * @conn: stays as it is unless it is connecting
 *
 * If the connector has begun, @conn stays connecting until conn_ops.connected().
 */
void conn_give_up(struct conn *conn);

/**
 * conn_drop() - fence one queue of a session that goes on, and tell its peer
 * @conn: its session does not know it any more
 *
 * conn_ops.dropped() follows.
 */
void conn_drop(struct conn *conn);

/* conn_accept() - say yes, with this REP.  Return: 0 or -errno. */
int conn_accept(struct conn *conn, const struct farmem_cm_rep *rep);

/*
 * conn_fence() - destroy the queue pair: nothing of the peer lands after this,
 * unless its group is marked cut or unfenced.  Context: connector or fencer.
 */
void conn_fence(struct conn *conn);

/**
 * conn_park() - leave the session: conn_disconnect_parked() tells the peer and frees
 * @conn: conn_fence() came first
 * @nobodys: its session was no client's
 */
void conn_park(struct conn *conn, bool nobodys);

/**
 * conn_disconnect_parked() - tell the peers of parked connections that these are over
 * @device: of these
 *
 * The closer does it, in steps, and not before their port can send.  Until then the device
 * keeps them.  soft-RoCE makes all connections by its queue pair 1, which receives nothing
 * any more once a send found no route (the kernel's rxe_qp.c:rxe_qp_error()).
 */
void conn_disconnect_parked(struct device *device);

/*
 * conn_let_keeper_go() - have the closer destroy the id of a device's keeper, see struct
 * device; the device may be freed then
 */
void conn_let_keeper_go(struct device *device);

/* conn_disconnect_all() - conn_disconnect_parked() of all devices, as farmemd ends */
void conn_disconnect_all(struct server *server);

/* conn_refuse() - conn_reject() the request of a connection that failed, and free it */
void conn_refuse(struct conn *conn);

/**
 * conn_reject() - refuse a request, log why, and have the closer destroy its id
 * @server: its closer destroys the id
 * @id: of the request; no longer the caller's
 * @reason: for the client, not FARMEM_OK
 * @format: the same for a person, there and in our log; 119 bytes of it reach the client
 *
 * The kernel destroys an id only when the message that refuses it was sent, which may take
 * any time.
 */
void conn_reject(struct server *server, struct rdma_cm_id *id, enum farmem_reason reason,
		 const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* conn_log_refusal() - may another line that strangers cause be logged?  Counts the others. */
bool conn_log_refusal(void);

/* conn_report_rejects() - log how many refusals were not logged one by one */
void conn_report_rejects(void);

#endif /* CONN_H */
