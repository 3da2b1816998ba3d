// SPDX-License-Identifier: GPL-2.0
/*
 * fabric-link.c - a connection, and requests on it, each bounded in time.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/rdma_verbs.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fabric.h"

/* soft-RoCE never gives up at 7. */
#define RETRIES		6
/* 4.096 us * 2^16 = 0.27 s a try: under two seconds in all. */
#define ACK_TIMEOUT	16
#define CQ_ENTRIES	(FARMEM_MSG_RECVS + 2)
#define SENT		((void *)FARMEM_MSG_RECVS)	/* wr_id of our own requests */

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000L + now.tv_nsec / 1000000;
}

/** link_open() - an id of rdma_cm.  Return: 0 or -errno. */
int link_open(struct fabric_link *link)
{
	memset(link, 0, sizeof(*link));
	link->channel = rdma_create_event_channel();
	if (!link->channel)
		return -errno;
	fcntl(link->channel->fd, F_SETFL, fcntl(link->channel->fd, F_GETFL) | O_NONBLOCK);
	return rdma_create_id(link->channel, &link->id, NULL, RDMA_PS_TCP) ? -errno : 0;
}

/** link_wait() - the next event, at most @ms milliseconds */
void link_wait(struct fabric_link *link, unsigned int ms, struct fabric_event *event)
{
	struct pollfd wait = { .fd = link->channel->fd, .events = POLLIN };
	long end = now_ms() + ms, left;
	struct rdma_cm_event *arrived;

	memset(event, 0, sizeof(*event));
	event->type = -1;
	while ((left = end - now_ms()) > 0) {
		if (poll(&wait, 1, left) <= 0 || rdma_get_cm_event(link->channel, &arrived))
			continue;
		event->type = arrived->event;
		event->status = arrived->status;
		/* At most 255 bytes. */
		if (arrived->param.conn.private_data) {
			event->length = arrived->param.conn.private_data_len;
			memcpy(event->data, arrived->param.conn.private_data, event->length);
		}
		rdma_ack_cm_event(arrived);
		return;
	}
}

/** link_prepare() - queue pair, memory and receives, before connecting.  Return: 0 or -errno */
int link_prepare(struct fabric_link *link)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 1, .max_recv_wr = FARMEM_MSG_RECVS,
			 .max_send_sge = 1, .max_recv_sge = 1 },
	};
	uint8_t timeout = ACK_TIMEOUT;
	uintptr_t slot;

	link->cq = ibv_create_cq(link->id->verbs, CQ_ENTRIES, NULL, NULL, 0);
	if (!link->cq)
		return -errno;
	attr.send_cq = attr.recv_cq = link->cq;
	/* It brings a protection domain along. */
	if (rdma_create_qp(link->id, NULL, &attr))
		return -errno;
	link->memory = aligned_alloc(FARMEM_MSG_MAX, LINK_BYTES);
	if (!link->memory)
		return -ENOMEM;
	memset(link->memory, 0, LINK_BYTES);
	link->mr = ibv_reg_mr(link->id->qp->pd, link->memory, LINK_BYTES, IBV_ACCESS_LOCAL_WRITE);
	if (!link->mr)
		return -errno;
	for (slot = 0; slot < FARMEM_MSG_RECVS; slot++)
		if (rdma_post_recv(link->id, (void *)slot, link->memory + slot * FARMEM_MSG_MAX,
				   FARMEM_MSG_MAX, link->mr))
			return -errno;
	/* Older kernels have no such option: their own timeout is longer. */
	rdma_set_option(link->id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout,
			sizeof(timeout));
	return 0;
}

/** link_connect() - ask for the connection; link_wait() tells.  Return: 0 or -errno. */
int link_connect(struct fabric_link *link, const struct farmem_cm_req *req, uint8_t depth)
{
	struct rdma_conn_param param = {
		.private_data = req,
		.private_data_len = sizeof(*req),
		.initiator_depth = depth,
		.retry_count = RETRIES,
		.rnr_retry_count = RETRIES,
	};

	return rdma_connect(link->id, &param) ? -errno : 0;
}

/** link_send() - send the message at LINK_OUT.  Return: 0 or -errno. */
int link_send(struct fabric_link *link, size_t bytes)
{
	return rdma_post_send(link->id, SENT, link->memory + LINK_OUT, bytes, link->mr,
			      IBV_SEND_SIGNALED) ? -errno : 0;
}

/**
 * link_one_sided() - a READ, IBV_WR_RDMA_READ, or a WRITE, IBV_WR_RDMA_WRITE
 * @offset: where in our memory
 *
 * Return: 0 or -errno.
 */
int link_one_sided(struct fabric_link *link, enum ibv_wr_opcode opcode, size_t offset,
		   size_t bytes, uint64_t addr, uint32_t rkey)
{
	return (opcode == IBV_WR_RDMA_READ ? rdma_post_read : rdma_post_write)
		(link->id, SENT, link->memory + offset, bytes, link->mr, IBV_SEND_SIGNALED, addr,
		 rkey) ? -errno : 0;
}

/**
 * link_reap() - a completion: 1, or 0 if none came within @ms milliseconds
 * @wc: its wr_id is FARMEM_MSG_RECVS for our own requests, else the slot of the message
 *	that has arrived
 */
int link_reap(struct fabric_link *link, unsigned int ms, struct ibv_wc *wc)
{
	long end = now_ms() + ms;

	do {
		if (ibv_poll_cq(link->cq, 1, wc) > 0)
			return 1;
		/* Where soft-RoCE is done by this very CPU. */
		usleep(20);
	} while (now_ms() < end);
	return 0;
}

/** link_close() - say farewell, and give everything back */
void link_close(struct fabric_link *link)
{
	if (link->id && link->id->qp) {
		rdma_disconnect(link->id);
		rdma_destroy_qp(link->id);
	}
	if (link->mr)
		ibv_dereg_mr(link->mr);
	if (link->cq)
		ibv_destroy_cq(link->cq);
	if (link->id)
		rdma_destroy_id(link->id);
	if (link->channel)
		rdma_destroy_event_channel(link->channel);
	free(link->memory);
}
