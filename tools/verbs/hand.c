// SPDX-License-Identifier: GPL-2.0
/*
 * By hand: each end makes its queue pairs and tells the other over TCP where its port
 * is and what numbers they have; then each leads its own from INIT to RTS.  The ends
 * must agree on the MTU, and on the numbers of the first packets (PSNs), which are
 * drawn by lot so that packets of an earlier connection are not taken for new ones.
 */
#include "hand.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "session.h"
#include "trouble.h"

static int create(struct session *session)
{
	unsigned int i;

	for (i = 0; i < session->options->queues; i++) {
		struct queue *queue = &session->queues[i];

		if (getrandom(&queue->psn, sizeof(queue->psn), 0) < 0)
			return trouble_errno("drawing a packet number");
		queue->psn &= 0xffffff;
		if (queue_create(session, queue) || queue_init(session, queue))
			return -1;
	}
	return 0;
}

static int tell(struct session *session)
{
	const struct device *device = &session->device;
	char gid[GID_TEXT];
	unsigned int i;

	if (talk_send(session->talk, "port lid=%u gid=%s mtu=%u reads=%u", device->port_attr.lid,
		      device_gid_text(&device->gid, gid), device->port_attr.active_mtu,
		      queue_responder_resources(session)))
		return -1;
	for (i = 0; i < session->options->queues; i++)
		if (talk_send(session->talk, "queue qpn=0x%06x psn=0x%06x",
			      session->queues[i].qp->qp_num, session->queues[i].psn))
			return -1;
	return 0;
}

static int hear_port(struct session *session, struct way *way)
{
	char *line = talk_expect(session->talk, "port");
	char gid[GID_TEXT];
	unsigned int lid;

	if (!line)
		return -1;
	if (sscanf(line, "lid=%u gid=%63s mtu=%u reads=%u", &lid, gid, &way->mtu,
		   &way->reads) != 4 || inet_pton(AF_INET6, gid, way->gid.raw) != 1)
		return trouble_release("the other end's port is not understood: %s", line);
	way->lid = lid;
	if (way->mtu > session->device.port_attr.active_mtu)
		way->mtu = session->device.port_attr.active_mtu;
	return 0;
}

static int hear(struct session *session, struct way *way)
{
	unsigned int i;

	if (hear_port(session, way))
		return -1;
	for (i = 0; i < session->options->queues; i++) {
		char *line = talk_expect(session->talk, "queue");

		if (!line)
			return -1;
		if (sscanf(line, "qpn=%x psn=%x", &session->queues[i].peer_qpn,
			   &session->queues[i].peer_psn) != 2)
			return trouble_release("the other end's queue is not understood: %s", line);
		session->queues[i].peer_qkey = QKEY;
	}
	return 0;
}

/**
 * hand_connect() - make the queue pairs, and connect them
 * @session: with all but its queue pairs
 *
 * Return: 0 or -1.
 */
int hand_connect(struct session *session)
{
	struct way way = { 0 };
	unsigned int i;

	if (create(session) || tell(session) || hear(session, &way))
		return -1;
	for (i = 0; i < session->options->queues; i++)
		if (queue_rtr(session, &session->queues[i], &way) ||
		    queue_rts(session, &session->queues[i], &way))
			return -1;
	return 0;
}
