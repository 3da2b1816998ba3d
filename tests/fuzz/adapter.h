/* SPDX-License-Identifier: GPL-2.0 */
/* adapter.h - verbs and rdma_cm in the target's hands */
#ifndef ADAPTER_H
#define ADAPTER_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#define ADAPTER_DEVICES	2
#define ADAPTER_MR_SIZE	8192	/* the most that a registration of slabs takes */
#define ADAPTER_WCS	64
#define ADAPTER_SENDS	16
#define ADAPTER_RECVS	16

/**
 * struct adapter_pd - a protection domain
 * @owner: whose tag its queue pairs write; 0: not known yet
 */
struct adapter_pd {
	struct ibv_pd pd;
	LIST_ENTRY(adapter_pd) link;
	uint8_t owner;
};

struct adapter_mr {
	struct ibv_mr mr;
	LIST_ENTRY(adapter_mr) link;
	unsigned int access;
};

/* struct adapter_cq - a ring of completions; the server polls them */
struct adapter_cq {
	struct ibv_cq cq;
	LIST_ENTRY(adapter_cq) link;
	struct ibv_wc wc[ADAPTER_WCS];
	unsigned int put, got;
};

/**
 * struct adapter_qp - what is posted on it, oldest first
 * @stuck: it could not be destroyed
 */
struct adapter_qp {
	struct ibv_qp qp;
	LIST_ENTRY(adapter_qp) link;
	struct ibv_recv_wr recv[ADAPTER_RECVS];
	struct ibv_sge recv_sge[ADAPTER_RECVS];
	unsigned int recvs;
	uint64_t send[ADAPTER_SENDS];
	unsigned int sends;
	bool stuck;
};

struct adapter_id {
	struct rdma_cm_id id;
	LIST_ENTRY(adapter_id) link;
	bool accepted;
};

/**
 * struct adapter - all that exists at the moment
 * @fail_in: that many calls from now one fails; 0: none does
 * @port_down: of every device
 * @stuck: a queue pair could not be destroyed, nor what it hangs on, or a
 *	completion queue alone
 * @forgotten: told of each completion queue that was stuck, when all is over
 * @sent: told of each message that is sent
 */
extern struct adapter {
	struct ibv_device device[ADAPTER_DEVICES];
	struct ibv_context verbs[ADAPTER_DEVICES];
	LIST_HEAD(, adapter_pd) pds;
	LIST_HEAD(, adapter_mr) mrs;
	LIST_HEAD(, adapter_cq) cqs;
	LIST_HEAD(, adapter_qp) qps;
	LIST_HEAD(, adapter_id) ids;
	uint32_t next_key;
	unsigned int fail_in;
	bool port_down;
	bool stuck;
	void (*forgotten)(const struct ibv_cq *cq);
	void (*sent)(const struct ibv_qp *qp, const uint8_t *data, size_t len);
} adapter;

/* adapter_on() - nothing exists; adapter_off() - nothing may be left */
void adapter_on(void);
void adapter_off(void);

struct adapter_id *adapter_connect(unsigned int device, uint8_t host);
struct adapter_qp *adapter_qp(struct ibv_qp *qp);
struct adapter_cq *adapter_cq(struct ibv_cq *cq);

/* adapter_receive() - a message has arrived; false: no receive was posted */
bool adapter_receive(struct adapter_qp *qp, const void *data, size_t len);

/* adapter_receive_token() - a message without bytes, and with immediate data; likewise */
bool adapter_receive_token(struct adapter_qp *qp, uint32_t token);

/* adapter_flush() - it has failed and gives its receives back, the first as one for all */
bool adapter_flush(struct adapter_qp *qp);

/* adapter_complete() - the oldest send is over; false: none was in flight */
bool adapter_complete(struct adapter_qp *qp, enum ibv_wc_status status);

/* adapter_reachable() - can a queue pair of its domain still get at this memory? */
bool adapter_reachable(const struct adapter_mr *mr);

/* adapter_fails() - does this call fail, with this errno?  One in @fail_in does. */
bool adapter_fails(int error);

#endif /* ADAPTER_H */
