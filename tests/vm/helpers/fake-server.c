// SPDX-License-Identifier: GPL-2.0
/*
 * fake-server.c - a memory server that misbehaves on demand.
 *
 * For tests in a guest: answers farmem.ko as include/farmem-proto.h says, with
 * one queue and slabs of 1 MiB, save for what the arguments spoil.  Serves
 * until it is killed; prints "ready" once it listens, then one line an event.
 *
 *   fake-server ADDR PORT [WHAT=VALUE]... [, [WHAT=VALUE]...]
 *
 * An answer that was spoiled uses up its group of arguments; the next group
 * then holds, the last one for ever.
 *
 *   silent=STEP      no answer to STEP: connect, hello, open or close
 *   hangup=STEP      disconnects instead of answering hello, open or close
 *   reject=REASON    rejects, as farmemd would; reject=plain: without a reason
 *   regions=N        slabs granted, each a region of its own (default 1)
 *   MESSAGE.FIELD=N  a field of an answer: rej, rep, welcome, grant, done,
 *                    or region0, region1; see fields[]
 *   MESSAGE.bytes=N  how much of the answer is sent
 *   MESSAGE.detail=TEXT
 *   status.FIELD=N   there is a status page, which says this; without, there is none
 *   grant.working=N  says WORKING N times, a second each, before it grants
 *   flood=hello      says WORKING instead of WELCOME, without end
 */
#include <arpa/inet.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "peer.h"

#define SLAB		FARMEM_SLAB_MIN
#define PAGES		(SLAB / FARMEM_PAGE_SIZE)
#define REGIONS		2
#define GENERATION	0x600dc0deull

struct field {
	const char *name;
	size_t offset, width;
};

#define FIELD(message, type, member) \
	{ #message "." #member, offsetof(struct type, member), \
	  sizeof(((struct type *)0)->member) }

static const struct field fields[] = {
	FIELD(rej, farmem_cm_rej, magic),
	FIELD(rej, farmem_cm_rej, version),
	FIELD(rej, farmem_cm_rej, reason),
	FIELD(rep, farmem_cm_rep, magic),
	FIELD(rep, farmem_cm_rep, version),
	FIELD(rep, farmem_cm_rep, queue_count),
	FIELD(rep, farmem_cm_rep, generation),
	FIELD(rep, farmem_cm_rep, server[0]),
	FIELD(welcome, farmem_welcome, msg.magic),
	FIELD(welcome, farmem_welcome, msg.version),
	FIELD(welcome, farmem_welcome, msg.type),
	FIELD(welcome, farmem_welcome, msg.length),
	FIELD(welcome, farmem_welcome, msg.id),
	FIELD(welcome, farmem_welcome, reason),
	FIELD(welcome, farmem_welcome, generation),
	FIELD(welcome, farmem_welcome, slab_size),
	FIELD(welcome, farmem_welcome, proof[0]),
	FIELD(grant, farmem_grant, msg.magic),
	FIELD(grant, farmem_grant, msg.type),
	FIELD(grant, farmem_grant, msg.length),
	FIELD(grant, farmem_grant, msg.id),
	FIELD(grant, farmem_grant, uuid[0]),
	FIELD(grant, farmem_grant, reason),
	FIELD(grant, farmem_grant, part),
	FIELD(grant, farmem_grant, parts),
	FIELD(grant, farmem_grant, region_count),
	FIELD(grant, farmem_grant, generation),
	FIELD(grant, farmem_grant, capacity),
	FIELD(grant, farmem_grant, slab_size),
	FIELD(grant, farmem_grant, slabs),
	FIELD(region0, farmem_region, addr),
	FIELD(region0, farmem_region, meta_addr),
	FIELD(region0, farmem_region, first_slab),
	FIELD(region0, farmem_region, slab_count),
	FIELD(region1, farmem_region, addr),
	FIELD(region1, farmem_region, meta_addr),
	FIELD(region1, farmem_region, first_slab),
	FIELD(region1, farmem_region, slab_count),
	FIELD(done, farmem_done, msg.type),
	FIELD(done, farmem_done, uuid[0]),
	FIELD(done, farmem_done, reason),
	FIELD(status, farmem_status, generation),
	FIELD(status, farmem_status, flags),
	FIELD(status, farmem_status, pressure),
};

static char **wishes;		/* the group that holds now, ends with NULL */
static char **last_wish;	/* the NULL that ends the last group */
static struct rdma_cm_id *client;
static struct ibv_comp_channel *channel;
static struct ibv_cq *cq;
static struct ibv_mr *messages_mr, *slabs_mr, *vitals_mr;
/* What was posted is read when it is sent, which may be after the next was made. */
#define SENDS		16
static uint8_t messages[(FARMEM_MSG_RECVS + SENDS) * FARMEM_MSG_MAX] __attribute__((aligned(4096)));
static uint8_t *out = messages + FARMEM_MSG_RECVS * FARMEM_MSG_MAX;
static uint8_t *slabs;
/* The status page, and where the client counts its heartbeats. */
static uint8_t vitals[2 * FARMEM_PAGE_SIZE] __attribute__((aligned(4096)));

/* What was asked for @what, NULL if nothing. */
static const char *wish(const char *what)
{
	size_t length = strlen(what);
	char **at;

	for (at = wishes; *at; at++)
		if (!strncmp(*at, what, length) && (*at)[length] == '=')
			return *at + length + 1;
	return NULL;
}

static bool wished(const char *what, const char *step)
{
	const char *value = wish(what);

	return value && !strcmp(value, step);
}

static uint64_t number(const char *what, uint64_t otherwise)
{
	const char *value = wish(what);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

/* Whether an argument spoils @message, or the answer to @step altogether. */
static bool spoils(const char *message, const char *step)
{
	size_t length = strlen(message);
	char **at;

	for (at = wishes; *at; at++)
		if (!strncmp(*at, message, length))
			return true;
	return wished("silent", step) || wished("hangup", step);
}

static void next_wishes(void)
{
	char **end = wishes;

	while (*end)
		end++;
	if (end < last_wish)
		wishes = end + 1;
}

static void check_wishes(void)
{
	static const char *const others[] = {
		"silent", "hangup", "reject", "regions", "rej.bytes", "rep.bytes",
		"welcome.bytes", "grant.bytes", "done.bytes", "grant.working",
		"rej.detail", "welcome.detail", "grant.detail", "flood",
	};
	bool known;
	char **at;
	size_t i;

	for (at = wishes; *at; at++) {
		size_t length = strcspn(*at, "=");

		known = false;
		for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
			known |= strlen(fields[i].name) == length &&
				 !strncmp(fields[i].name, *at, length);
		for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
			known |= strlen(others[i]) == length &&
				 !strncmp(others[i], *at, length);
		if (!known) {
			printf("unknown argument %s\n", *at);
			exit(2);
		}
	}
}

/* Cut the arguments at each ",". */
static void take_wishes(char **from, char **end)
{
	char **at;

	for (at = from; at < end; at++)
		if (!strcmp(*at, ","))
			*at = NULL;
	last_wish = end;
	for (at = from; at <= end; at++) {
		wishes = at;
		check_wishes();
		while (*at)
			at++;
	}
	wishes = from;
}

/* Overwrite the fields of @message that the arguments name. */
static void spoil(const char *message, void *buffer)
{
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const char *value = wish(fields[i].name);
		uint64_t le;

		if (!value || strncmp(fields[i].name, message, strlen(message)) ||
		    fields[i].name[strlen(message)] != '.')
			continue;
		le = htole64(strtoull(value, NULL, 0));
		memcpy((uint8_t *)buffer + fields[i].offset, &le, fields[i].width);
	}
}

static void explain(const char *what, char *detail, size_t room)
{
	const char *text = wish(what);

	if (text)
		memcpy(detail, text, strnlen(text, room));
}

static void send_out(size_t bytes)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };

	post_send(client->qp, messages_mr, &wr, out, bytes);
	out += FARMEM_MSG_MAX;
	if (out == messages + sizeof(messages))
		out = messages + FARMEM_MSG_RECVS * FARMEM_MSG_MAX;
	memset(out, 0, FARMEM_MSG_MAX);
}

static void offer_vitals(struct farmem_welcome *w)
{
	struct farmem_status *status = (void *)vitals;

	*status = (struct farmem_status){
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.flags = htole16(FARMEM_STATUS_PAGES),
		.generation = w->generation,
		.capacity = w->capacity,
		.free = w->free,
	};
	spoil("status", status);
	w->status_addr = htole64((uintptr_t)vitals);
	w->beat_addr = htole64((uintptr_t)vitals + FARMEM_PAGE_SIZE);
	w->status_rkey = w->beat_rkey = htole32(vitals_mr->rkey);
}

static void welcome(const struct farmem_msg *request)
{
	struct farmem_welcome *w = (void *)out;

	fill_header(&w->msg, FARMEM_MSG_WELCOME, sizeof(*w), le32toh(request->id));
	w->generation = htole64(GENERATION);
	w->slab_size = htole64(SLAB);
	w->capacity = w->free = htole64(REGIONS * SLAB);
	if (spoils("status.", "status"))
		offer_vitals(w);
	explain("welcome.detail", w->detail, sizeof(w->detail));
	spoil("welcome", w);
	send_out(number("welcome.bytes", sizeof(*w)));
}

static void working(const struct farmem_msg *request)
{
	unsigned int left;

	for (left = number("grant.working", 0); left; left--) {
		fill_header((void *)out, FARMEM_MSG_WORKING, sizeof(*request),
			    le32toh(request->id));
		send_out(sizeof(*request));
		sleep(1);
	}
	printf("worked\n");
}

/* One after the other, until the client has had enough and hangs up. */
static void flood(const struct farmem_msg *request)
{
	struct ibv_wc wc = { 0 };

	while (!wc.status) {
		fill_header((void *)out, FARMEM_MSG_WORKING, sizeof(*request),
			    le32toh(request->id));
		send_out(sizeof(*request));
		while (!ibv_poll_cq(cq, 1, &wc))
			;
	}
}

static void grant(const struct farmem_open *open)
{
	struct farmem_grant *g = (void *)out;
	unsigned int count = number("regions", 1), i;
	size_t bytes = sizeof(*g) + count * sizeof(g->region[0]);
	char name[] = "region0";

	fill_header(&g->msg, FARMEM_MSG_GRANT, bytes, le32toh(open->msg.id));
	memcpy(g->uuid, open->uuid, sizeof(g->uuid));
	g->parts = htole16(1);
	g->region_count = htole16(count);
	g->generation = htole64(GENERATION);
	g->capacity = htole64((uint64_t)count * SLAB);
	g->slab_size = htole64(SLAB);
	g->slabs = htole32(count);
	g->flags = htole32(FARMEM_GRANT_NEW);
	for (i = 0; i < count; i++) {
		struct farmem_region *r = &g->region[i];

		r->addr = htole64((uintptr_t)slabs + i * SLAB);
		r->meta_addr = htole64((uintptr_t)slabs + REGIONS * SLAB + i * PAGES);
		r->rkey = r->meta_rkey = htole32(slabs_mr->rkey);
		r->first_slab = htole32(i);
		r->slab_count = htole32(1);
		name[6] = '0' + i;
		spoil(name, r);
	}
	explain("grant.detail", g->detail, sizeof(g->detail));
	spoil("grant", g);
	send_out(number("grant.bytes", bytes));
}

static void done(const struct farmem_volume_ref *ref)
{
	struct farmem_done *d = (void *)out;

	fill_header(&d->msg, FARMEM_MSG_DONE, sizeof(*d), le32toh(ref->msg.id));
	memcpy(d->uuid, ref->uuid, sizeof(d->uuid));
	spoil("done", d);
	send_out(number("done.bytes", sizeof(*d)));
}

static void print_nonce(const struct farmem_hello *hello)
{
	size_t i;

	printf("nonce ");
	for (i = 0; i < sizeof(hello->nonce); i++)
		printf("%02x", hello->nonce[i]);
	printf("\n");
}

static void answer(const struct farmem_msg *msg)
{
	static const char *const steps[] = {
		[FARMEM_MSG_HELLO] = "hello", [FARMEM_MSG_OPEN] = "open",
		[FARMEM_MSG_CLOSE] = "close", [FARMEM_MSG_RELEASE] = "close",
	};
	static const char *const prefixes[] = {
		[FARMEM_MSG_HELLO] = "welcome.", [FARMEM_MSG_OPEN] = "grant.",
		[FARMEM_MSG_CLOSE] = "done.", [FARMEM_MSG_RELEASE] = "done.",
	};
	unsigned int type = le16toh(msg->type);
	const char *step = type <= FARMEM_MSG_RELEASE ? steps[type] : NULL;

	if (!step)
		return;
	printf("%s\n", step);
	if (type == FARMEM_MSG_HELLO)
		print_nonce((const struct farmem_hello *)msg);
	if (wished("silent", step))
		;
	else if (wished("hangup", step))
		rdma_disconnect(client);
	else if (wished("flood", step))
		flood(msg);
	else if (type == FARMEM_MSG_HELLO)
		welcome(msg);
	else if (type == FARMEM_MSG_OPEN) {
		working(msg);
		grant((const void *)msg);
	}
	else
		done((const void *)msg);
	if (spoils(prefixes[type], step) ||
	    (type == FARMEM_MSG_OPEN && spoils("region", step)))
		next_wishes();
}

static void completions(void)
{
	struct ibv_wc wc;
	struct ibv_cq *its;
	void *context;

	if (ibv_get_cq_event(channel, &its, &context))
		die("completion event");
	ibv_ack_cq_events(its, 1);
	ibv_req_notify_cq(cq, 0);
	while (ibv_poll_cq(cq, 1, &wc) > 0) {
		if (wc.status || wc.wr_id == SENT)
			continue;
		answer((const void *)(messages + wc.wr_id * FARMEM_MSG_MAX));
		post_receive(client->qp, messages_mr, wc.wr_id);
	}
}

static void make_queue(struct rdma_cm_id *id)
{
	size_t bytes = REGIONS * SLAB + REGIONS * PAGES;

	if (!cq) {
		slabs = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		channel = ibv_create_comp_channel(id->verbs);
		cq = channel ? ibv_create_cq(id->verbs, 64, NULL, channel, 0) : NULL;
		messages_mr = ibv_reg_mr(id->pd, messages, sizeof(messages),
					 IBV_ACCESS_LOCAL_WRITE);
		slabs_mr = ibv_reg_mr(id->pd, slabs, bytes, IBV_ACCESS_LOCAL_WRITE |
				      IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE);
		vitals_mr = ibv_reg_mr(id->pd, vitals, sizeof(vitals), IBV_ACCESS_LOCAL_WRITE |
				       IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE);
		if (!cq || !messages_mr || !slabs_mr || !vitals_mr)
			die("resources");
		ibv_req_notify_cq(cq, 0);
	}
	make_qp(id, cq);
}

static void reject(struct rdma_cm_id *id, const char *how)
{
	struct farmem_cm_rej rej = {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.reason = htole16(strtoul(how, NULL, 0)),
	};

	explain("rej.detail", rej.detail, sizeof(rej.detail));
	spoil("rej", &rej);
	if (!strcmp(how, "plain"))
		rdma_reject(id, NULL, 0);
	else
		rdma_reject(id, &rej, number("rej.bytes", sizeof(rej)));
}

static void accept_client(struct rdma_cm_id *id, const struct rdma_conn_param *asked)
{
	struct farmem_cm_rep rep = {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.queue_count = htole16(1),
		.generation = htole64(GENERATION),
		.server = "a fake server",
	};
	struct rdma_conn_param param = {
		.private_data = &rep,
		.responder_resources = asked->responder_resources,
		.initiator_depth = 1,
		.rnr_retry_count = 7,
	};
	unsigned int slot;

	spoil("rep", &rep);
	param.private_data_len = number("rep.bytes", sizeof(rep));
	make_queue(id);
	client = id;
	for (slot = 0; slot < FARMEM_MSG_RECVS; slot++)
		post_receive(id->qp, messages_mr, slot);
	if (rdma_accept(id, &param))
		die("accept");
}

static void connect_request(const struct rdma_cm_event *event)
{
	if (wished("silent", "connect"))
		;
	else if (wish("reject"))
		reject(event->id, wish("reject"));
	else
		accept_client(event->id, &event->param.conn);
	if (wish("reject") || spoils("rep.", "connect"))
		next_wishes();
}

static void connection_event(struct rdma_event_channel *events)
{
	struct rdma_cm_event *event, copy;

	if (rdma_get_cm_event(events, &event))
		die("connection event");
	copy = *event;
	printf("%s\n", rdma_event_str(event->event));
	if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST)
		connect_request(event);
	rdma_ack_cm_event(event);
	/* As long as it has the device open, a command that removes the device waits. */
	if (copy.event == RDMA_CM_EVENT_DEVICE_REMOVAL)
		exit(0);
	if (copy.event == RDMA_CM_EVENT_DISCONNECTED) {
		rdma_disconnect(copy.id);
		rdma_destroy_qp(copy.id);
		rdma_destroy_id(copy.id);
		client = NULL;
	}
}

int main(int argc, char **argv)
{
	struct rdma_event_channel *events = rdma_create_event_channel();
	struct sockaddr_in address = { .sin_family = AF_INET };
	struct rdma_cm_id *listener;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 3 || inet_pton(AF_INET, argv[1], &address.sin_addr) != 1) {
		printf("usage: fake-server ADDR PORT [WHAT=VALUE]... [, [WHAT=VALUE]...]\n");
		return 2;
	}
	address.sin_port = htons(atoi(argv[2]));
	take_wishes(argv + 3, argv + argc);
	if (!events || rdma_create_id(events, &listener, NULL, RDMA_PS_TCP) ||
	    rdma_bind_addr(listener, (struct sockaddr *)&address) ||
	    rdma_listen(listener, 8))
		die("listen");
	printf("ready\n");
	for (;;) {
		struct pollfd fds[] = {
			{ events->fd, POLLIN, 0 }, { channel ? channel->fd : -1, POLLIN, 0 },
		};

		if (poll(fds, 2, -1) < 0)
			die("poll");
		/* First what was sent before the connection went. */
		if (fds[1].revents)
			completions();
		if (fds[0].revents)
			connection_event(events);
	}
}
