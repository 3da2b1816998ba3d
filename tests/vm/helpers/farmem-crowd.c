// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-crowd.c - many clients that connect to farmemd and then say nothing.
 *
 * For tests in a guest.  Each of COUNT connections asks for a session's queue 0,
 * and with -u never even answers the server's answer.  Those that the server has
 * not refused stay until it hangs up; it judges nothing, and prints
 *
 *   crowd asked=N connected=N refused=N reason=LAST failed=N
 *   crowd gone=N             when the server has hung up on that many: all, or
 *                            those in MS milliseconds
 *
 *   farmem-crowd [-u] ADDR PORT COUNT MS
 */
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"

#define CROWD_MAX	4096

static bool unanswered;
static struct sockaddr_storage server;
static struct rdma_cm_id *id[CROWD_MAX];
static unsigned int connected, refused, failed, reason;

/* Each a name of its own; nobody is asked to prove it before HELLO. */
static struct farmem_cm_req request(unsigned int n)
{
	struct farmem_cm_req req = {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.incarnation = htole64(n + 1),
		.queue_count = htole16(1),
		.depth = htole16(64),
	};

	memset(req.identity, 0xc0, sizeof(req.identity));
	memcpy(req.identity, &n, sizeof(n));
	return req;
}

static struct rdma_cm_id *make_id(void)
{
	struct rdma_cm_id *new;
	struct ibv_cq *cq;

	if (rdma_create_id(NULL, &new, NULL, RDMA_PS_TCP) ||
	    rdma_resolve_addr(new, NULL, (struct sockaddr *)&server, 5000) ||
	    rdma_resolve_route(new, 5000))
		die("resolve");
	if (unanswered)
		return new;
	cq = ibv_create_cq(new->verbs, 64, NULL, NULL, 0);
	if (!cq)
		die("completion queue");
	make_qp(new, cq);
	return new;
}

static void forget(struct rdma_cm_id *old)
{
	struct ibv_cq *cq = old->qp ? old->qp->send_cq : NULL;

	if (old->qp)
		rdma_destroy_qp(old);
	if (cq)
		ibv_destroy_cq(cq);
	rdma_destroy_id(old);
}

/* Without a queue pair librdmacm leaves the last message of three to us. */
static bool is_answered(const struct rdma_cm_event *event)
{
	return event->event == RDMA_CM_EVENT_ESTABLISHED ||
	       event->event == RDMA_CM_EVENT_CONNECT_RESPONSE;
}

static void join(unsigned int n)
{
	struct farmem_cm_req req = request(n);
	struct rdma_conn_param param = {
		.private_data = &req,
		.private_data_len = sizeof(req),
		.initiator_depth = 1,
		.responder_resources = 1,
		.retry_count = 6,
		.rnr_retry_count = 6,
		.qp_num = 0x800000 + n,
	};
	struct rdma_cm_id *new = make_id();
	const struct rdma_cm_event *event;
	struct farmem_cm_rej rej;

	rdma_connect(new, &param);
	event = new->event;
	if (event && is_answered(event)) {
		id[connected++] = new;
		return;
	}
	if (event && event->event == RDMA_CM_EVENT_REJECTED && event->param.conn.private_data) {
		memcpy(&rej, event->param.conn.private_data, sizeof(rej));
		reason = le16toh(rej.reason);
		refused++;
	} else {
		failed++;
	}
	forget(new);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

/* Until the server hangs up on this one; it may have done so long ago. */
static bool wait_gone(struct rdma_cm_id *which, uint64_t until)
{
	struct pollfd pfd = { .fd = which->channel->fd, .events = POLLIN };
	struct rdma_cm_event *event;
	uint64_t now = now_ms();

	if (poll(&pfd, 1, until > now ? until - now : 0) != 1)
		return false;
	if (rdma_get_cm_event(which->channel, &event))
		die("event");
	rdma_ack_cm_event(event);
	return true;
}

int main(int argc, char **argv)
{
	struct rlimit files = { 65536, 65536 };
	unsigned int count, i, gone = 0;
	struct rdma_addrinfo *found;
	uint64_t until;

	if (argc > 1 && !strcmp(argv[1], "-u")) {
		unanswered = true;
		argv++;
		argc--;
	}
	if (argc != 5)
		return 2;
	count = strtoul(argv[3], NULL, 0);
	if (count > CROWD_MAX)
		return 2;
	/* Each connection has a file of its own. */
	setrlimit(RLIMIT_NOFILE, &files);
	if (rdma_getaddrinfo(argv[1], argv[2], NULL, &found))
		die("address");
	memcpy(&server, found->ai_dst_addr, found->ai_dst_len);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; i < count; i++)
		join(i);
	printf("crowd asked=%u connected=%u refused=%u reason=%u failed=%u\n", count, connected,
	       refused, reason, failed);
	until = now_ms() + strtoul(argv[4], NULL, 0);
	for (i = 0; i < connected; i++)
		gone += wait_gone(id[i], until);
	printf("crowd gone=%u\n", gone);
	return 0;
}
