// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-storm.c - many clients that connect to farmemd at once, with all their queues.
 *
 * For tests in a guest.  Each of CLIENTS asks for QUEUES queues, one after the other, in
 * a thread of its own: queue 0 and HELLO, then the others.  It is live when it has FIRST of
 * them, and has SECONDS for these; then it begins again, with another incarnation, as the
 * module does.  The rest come when it is live, each with SECONDS of its own.  A client
 * without a key: farmemd runs with --insecure.  It judges nothing, and prints
 *
 *   storm clients=N queues=N first=N live=N live_ms=MEDIAN,LAST full=N full_ms=MEDIAN,LAST again=N
 *
 * again: attempts that were given up.  It gives up itself after LIMIT seconds.
 *
 *   farmem-storm ADDR PORT CLIENTS QUEUES FIRST SECONDS LIMIT
 */
#include <openssl/evp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"

#define CLIENTS_MAX 256

struct queue {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
};

struct client {
	pthread_t thread;
	unsigned int number, again;
	uint64_t incarnation, deadline, live_ms, full_ms;
	uint8_t token[FARMEM_ID_LEN];
	struct queue *queue;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	uint8_t *memory;
	unsigned int granted;
};

static struct sockaddr_storage server;
static unsigned int clients, queues, first, seconds;
static uint64_t began, limit;
static struct client client[CLIENTS_MAX];

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

static void name_of(const struct client *c, char *name, size_t room)
{
	snprintf(name, room, "storm%u", c->number);
}

static void identify(const struct client *c, uint8_t identity[FARMEM_ID_LEN])
{
	unsigned char hash[EVP_MAX_MD_SIZE];
	char text[128], name[32];

	name_of(c, name, sizeof(name));
	snprintf(text, sizeof(text), "farmem-client:%s", name);
	EVP_Digest(text, strlen(text), hash, NULL, EVP_sha256(), NULL);
	memcpy(identity, hash, FARMEM_ID_LEN);
}

/* The next event of a queue's connection; false when time is over or it is another. */
static bool expect(const struct client *c, const struct queue *q, enum rdma_cm_event_type want,
		   struct farmem_cm_rep *rep)
{
	struct pollfd pfd = { .fd = q->channel->fd, .events = POLLIN };
	struct rdma_cm_event *event;
	uint64_t now = now_ms();
	bool good;

	if (now >= c->deadline || poll(&pfd, 1, c->deadline - now) != 1 ||
	    rdma_get_cm_event(q->channel, &event))
		return false;
	good = event->event == want;
	if (good && rep && event->param.conn.private_data)
		memcpy(rep, event->param.conn.private_data, sizeof(*rep));
	rdma_ack_cm_event(event);
	return good;
}

static bool make_resources(struct client *c, struct ibv_context *verbs, struct ibv_pd *pd)
{
	if (!c->cq)
		c->cq = ibv_create_cq(verbs, 64, NULL, NULL, 0);
	if (!c->mr)
		c->mr = ibv_reg_mr(pd, c->memory, (FARMEM_MSG_RECVS + 1) * FARMEM_MSG_MAX,
				   IBV_ACCESS_LOCAL_WRITE);
	return c->cq && c->mr;
}

static bool ask(struct client *c, struct queue *q, unsigned int index)
{
	struct farmem_cm_req req = {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.incarnation = htole64(c->incarnation),
		.queue_index = htole16(index),
		.queue_count = htole16(queues),
		.depth = htole16(64),
	};
	struct rdma_conn_param param = {
		.private_data = &req, .private_data_len = sizeof(req),
		.initiator_depth = 16, .responder_resources = 1,
		.retry_count = 6, .rnr_retry_count = 6,
	};
	struct farmem_cm_rep rep = {};

	identify(c, req.identity);
	memcpy(req.token, c->token, sizeof(req.token));
	if (rdma_connect(q->id, &param) || !expect(c, q, RDMA_CM_EVENT_ESTABLISHED, &rep))
		return false;
	memcpy(c->token, rep.token, sizeof(c->token));
	if (!index)
		c->granted = le16toh(rep.queue_count);
	return true;
}

static bool connect_queue(struct client *c, unsigned int index)
{
	struct queue *q = &c->queue[index];
	unsigned int slot;

	q->channel = rdma_create_event_channel();
	if (!q->channel || rdma_create_id(q->channel, &q->id, NULL, RDMA_PS_TCP) ||
	    rdma_resolve_addr(q->id, NULL, (struct sockaddr *)&server, 2000) ||
	    !expect(c, q, RDMA_CM_EVENT_ADDR_RESOLVED, NULL) ||
	    rdma_resolve_route(q->id, 2000) || !expect(c, q, RDMA_CM_EVENT_ROUTE_RESOLVED, NULL) ||
	    !make_resources(c, q->id->verbs, q->id->pd))
		return false;
	make_qp(q->id, c->cq);
	for (slot = 0; !index && slot < FARMEM_MSG_RECVS; slot++)
		post_receive(q->id->qp, c->mr, slot);
	return ask(c, q, index);
}

static bool hello(struct client *c)
{
	uint8_t *out = c->memory + FARMEM_MSG_RECVS * FARMEM_MSG_MAX;
	struct farmem_hello message = { .incarnation = htole64(c->incarnation) };
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	struct ibv_wc wc;

	fill_header(&message.msg, FARMEM_MSG_HELLO, sizeof(message), 1);
	name_of(c, message.name, sizeof(message.name));
	memcpy(out, &message, sizeof(message));
	post_send(c->queue[0].id->qp, c->mr, &wr, out, sizeof(message));
	while (now_ms() < c->deadline) {
		if (ibv_poll_cq(c->cq, 1, &wc) < 1) {
			usleep(1000);
			continue;
		}
		if (wc.status)
			return false;
		if (wc.wr_id != SENT)
			return true;
	}
	return false;
}

static void tear_down(struct client *c)
{
	unsigned int i;

	for (i = 0; i < queues; i++)
		if (c->queue[i].id && c->queue[i].id->qp)
			rdma_destroy_qp(c->queue[i].id);
	for (i = 0; i < queues; i++) {
		if (c->queue[i].id)
			rdma_destroy_id(c->queue[i].id);
		if (c->queue[i].channel)
			rdma_destroy_event_channel(c->queue[i].channel);
	}
	memset(c->queue, 0, queues * sizeof(*c->queue));
	if (c->mr)
		ibv_dereg_mr(c->mr);
	if (c->cq)
		ibv_destroy_cq(c->cq);
	c->mr = NULL;
	c->cq = NULL;
}

/* Return: how many queues there are, at most @want. */
static unsigned int attempt(struct client *c, unsigned int want)
{
	unsigned int i;

	memset(c->token, 0, sizeof(c->token));
	c->granted = queues;
	for (i = 0; i < want && i < c->granted; i++)
		if (!connect_queue(c, i) || (!i && !hello(c)))
			return i;
	return i;
}

static void *run(void *arg)
{
	struct client *c = arg;
	unsigned int i;

	for (;;) {
		c->incarnation++;
		c->deadline = now_ms() + seconds * 1000;
		i = attempt(c, first);
		if (i && i >= (first < c->granted ? first : c->granted))
			break;
		if (now_ms() >= limit)
			return NULL;
		c->again++;
		tear_down(c);
	}
	c->live_ms = now_ms() - began;
	for (; i < queues && i < c->granted; i++) {
		c->deadline = now_ms() + seconds * 1000;
		if (!connect_queue(c, i))
			return NULL;
	}
	c->full_ms = now_ms() - began;
	return NULL;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void tell(const char *what, bool full)
{
	uint64_t ms[CLIENTS_MAX];
	unsigned int i, n = 0;

	for (i = 0; i < clients; i++) {
		uint64_t took = full ? client[i].full_ms : client[i].live_ms;

		if (took)
			ms[n++] = took;
	}
	qsort(ms, n, sizeof(*ms), compare);
	printf(" %s=%u %s_ms=%llu,%llu", what, n, what, n ? (unsigned long long)ms[n / 2] : 0,
	       n ? (unsigned long long)ms[n - 1] : 0);
}

int main(int argc, char **argv)
{
	struct rlimit files = { 65536, 65536 };
	struct rdma_addrinfo *found;
	unsigned int i, again = 0;

	if (argc != 8)
		return 2;
	clients = strtoul(argv[3], NULL, 0);
	queues = strtoul(argv[4], NULL, 0);
	first = strtoul(argv[5], NULL, 0);
	seconds = strtoul(argv[6], NULL, 0);
	if (clients > CLIENTS_MAX || !queues || !first || first > queues)
		return 2;
	setrlimit(RLIMIT_NOFILE, &files);
	if (rdma_getaddrinfo(argv[1], argv[2], NULL, &found))
		die("address");
	memcpy(&server, found->ai_dst_addr, found->ai_dst_len);
	began = now_ms();
	limit = began + strtoul(argv[7], NULL, 0) * 1000;
	for (i = 0; i < clients; i++) {
		client[i].number = i;
		client[i].queue = calloc(queues, sizeof(struct queue));
		client[i].memory = aligned_alloc(4096, (FARMEM_MSG_RECVS + 1) * FARMEM_MSG_MAX);
		if (!client[i].queue || !client[i].memory ||
		    pthread_create(&client[i].thread, NULL, run, &client[i]))
			die("client");
	}
	for (i = 0; i < clients; i++) {
		pthread_join(client[i].thread, NULL);
		again += client[i].again;
	}
	printf("storm clients=%u queues=%u first=%u", clients, queues, first);
	tell("live", false);
	tell("full", true);
	printf(" again=%u\n", again);
	return 0;
}
