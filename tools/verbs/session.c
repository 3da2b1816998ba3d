// SPDX-License-Identifier: GPL-2.0
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cm.h"
#include "hand.h"
#include "mode.h"
#include "trouble.h"
#include "wait.h"
#include "work.h"

/**
 * session_open() - find the device
 * @session: with options and control connection; the rest zeroed
 *
 * A client that uses rdma_cm has found it already, by cm_find().
 *
 * Return: 0 or -1.
 */
int session_open(struct session *session)
{
	struct sockaddr_storage own, peer;

	if (session->device.context)
		return 0;
	if (session->options->setup == SETUP_CM)
		return cm_listen(session);
	if (talk_addresses(session->talk, &own, &peer))
		return -1;
	return device_open(&session->device, session->options, &own);
}

/* What can be known before anything is made. */
static int check_device(struct session *session)
{
	const struct options *options = session->options;
	const struct device *device = &session->device;

	if (options->transport == TRANSPORT_UD && options->size > device_mtu(device)) {
		trouble_refuse("a datagram is one packet: %u bytes do not fit into the MTU of %s, %u",
			options->size, device->name, device_mtu(device));
		trouble_advice("use --size %u, or --transport rc", device_mtu(device));
		return -1;
	}
	if (mode_is_atomic(options) && device->attr.atomic_cap == IBV_ATOMIC_NONE)
		return trouble_refuse("%s does not support atomics", device->name);
	if (options->mw && !(device->attr.device_cap_flags &
			     (IBV_DEVICE_MEM_WINDOW_TYPE_2A | IBV_DEVICE_MEM_WINDOW_TYPE_2B)))
		return trouble_refuse("%s does not support memory windows of type 2", device->name);
	if (options->srq && !device->attr.max_srq)
		return trouble_refuse("%s does not support shared receive queues", device->name);
	return 0;
}

static int create_srq(struct session *session)
{
	const struct options *options = session->options;
	struct ibv_srq_init_attr attr = {
		.attr = {
			.max_wr = options->depth * options->queues,
			.max_sge = (session->server ? options->remote_sge : options->sge) +
				   (options->transport == TRANSPORT_UD),
		},
	};

	if (!options->srq)
		return 0;
	session->srq = ibv_create_srq(session->pd, &attr);
	return session->srq ? 0 : trouble_verbs("creating a shared receive queue for %u receives (%s allows %d)",
						options->depth * options->queues,
						session->device.name,
						session->device.attr.max_srq_wr);
}

/**
 * session_prepare() - all that takes no other end
 * @session: with a device
 *
 * Return: 0 or -1.
 */
int session_prepare(struct session *session)
{
	unsigned int i;

	for (i = 0; i < QUEUES_MAX; i++)
		session->queues[i].index = i;
	if (check_device(session))
		return -1;
	if (!session->pd)
		session->pd = ibv_alloc_pd(session->device.context);
	if (!session->pd)
		return trouble_verbs("allocating a protection domain");
	memory_plan(&session->memory, session->options);
	if (memory_register(session) || queue_create_cqs(session) || create_srq(session))
		return -1;
	return 0;
}

/* The device may have made less, or more, of what was asked for. */
static int ask_parameters(struct session *session)
{
	struct ibv_qp_init_attr unused;

	if (session->options->transport != TRANSPORT_RC)
		return 0;
	errno = ibv_query_qp(session->queues[0].qp, &session->force,
			     IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC |
			     IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY, &unused);
	return errno ? trouble_verbs("asking for the parameters of queue pair 0") : 0;
}

/* Where the other end may reach, and with which key. */
static int tell_memory(struct session *session)
{
	const struct memory *memory = &session->memory;
	unsigned int i;

	for (i = 0; i < session->options->queues; i++) {
		struct queue *queue = &session->queues[i];

		if (talk_send(session->talk,
			      "memory addr=0x%" PRIxPTR " rkey=0x%x stride=%zu mtu=%u reads=%u",
			      (uintptr_t)memory_slot(memory, AREA_TARGET, i, 0),
			      queue->mw ? queue->mw->rkey : memory->mr->rkey, memory->stride,
			      device_mtu(&session->device), session->force.max_dest_rd_atomic))
			return -1;
	}
	return 0;
}

static int hear_memory(struct session *session)
{
	unsigned int i;

	for (i = 0; i < session->options->queues; i++) {
		struct queue *queue = &session->queues[i];
		char *line = talk_expect(session->talk, "memory");

		if (!line)
			return -1;
		if (sscanf(line, "addr=%" SCNx64 " rkey=%x stride=%u mtu=%u reads=%u",
			   &queue->peer_addr, &queue->peer_rkey, &queue->peer_stride,
			   &session->peer_mtu, &session->peer_reads) != 5)
			return trouble_release("the other end's memory is not understood: %s", line);
	}
	return 0;
}

/* For --show retry: nobody is there any more, and the client knows when. */
static int vanish(struct session *session)
{
	unsigned int i;

	for (i = 0; i < session->options->queues; i++)
		queue_destroy(&session->queues[i]);
	return talk_send(session->talk, "gone");
}

/**
 * session_connect() - connect the queues, and exchange keys
 * @session: prepared
 *
 * When it returns at either end, the other one has its receives posted.
 *
 * Return: 0 or -1.
 */
int session_connect(struct session *session)
{
	const struct options *options = session->options;

	if (options->setup == SETUP_CM ? cm_connect(session) : hand_connect(session))
		return -1;
	if (session->server && options->show == SHOW_REJECTED)
		return 0;
	if (ask_parameters(session) || work_receive_all(session) ||
	    (options->mw && work_bind(session)))
		return -1;
	if (tell_memory(session) || hear_memory(session))
		return -1;
	if (session->server && options->show == SHOW_RETRY)
		return vanish(session);
	return 0;
}

/**
 * session_close() - take everything down, whatever there is
 * @session: in any state; usable for nothing afterwards
 */
void session_close(struct session *session)
{
	unsigned int i;

	cm_disconnect(session);
	for (i = 0; i < QUEUES_MAX; i++)
		queue_destroy(&session->queues[i]);
	if (session->srq)
		ibv_destroy_srq(session->srq);
	queue_destroy_cqs(session);
	memory_free(&session->memory);
	if (session->pd && session->pd_imported)
		ibv_unimport_pd(session->pd);
	else if (session->pd)
		ibv_dealloc_pd(session->pd);
	device_events(&session->device);
	cm_close(session);
	device_close(&session->device);
}
