// SPDX-License-Identifier: GPL-2.0
/*
 * lender.c - lends memory of a user program to the floor's module.
 *
 * bench-lender ADDR PORT MIB
 *     Serves as floor/kernel/server.c does, from memory as farmemd's: what a software
 *     adapter pays for a user program's pages is then in the floor's figures too. Says
 *     "ready" and serves until it is ended. Any node that connects may write everywhere.
 */
#include <endian.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rdma/rdma_cma.h>

/* As in floor/kernel/server.h. */
#define CHUNK_SHIFT 22
#define MAGIC 0x726f6f6cu

struct grant {
	uint32_t magic;
	uint32_t rkey;
	uint64_t table;
	uint32_t chunks;
};

static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct grant grant;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static struct rdma_cm_id *listen_at(struct rdma_event_channel *channel, const char *addr,
				    const char *port)
{
	struct rdma_addrinfo hints = { .ai_flags = RAI_PASSIVE, .ai_port_space = RDMA_PS_TCP };
	struct rdma_addrinfo *found;
	struct rdma_cm_id *id;

	if (rdma_getaddrinfo(addr, port, &hints, &found))
		fail(addr);
	if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) ||
	    rdma_bind_addr(id, found->ai_src_addr))
		fail(addr);
	if (!id->verbs) {
		fprintf(stderr, "bench-lender: %s is no address of an RDMA device\n", addr);
		exit(1);
	}
	rdma_freeaddrinfo(found);
	return id;
}

/* The table of the chunks' addresses lies behind them. */
static void lend(size_t chunks)
{
	size_t size = chunks << CHUNK_SHIFT, all = size + chunks * sizeof(uint64_t), n;
	struct ibv_mr *mr;
	uint64_t *table;
	char *memory;
	int fd;

	fd = memfd_create("lender", 0);
	if (fd < 0 || ftruncate(fd, all))
		fail("memfd_create");
	memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
	if (memory == MAP_FAILED)
		fail("mmap");
	table = (uint64_t *)(memory + size);
	for (n = 0; n < chunks; n++)
		table[n] = htole64((uintptr_t)memory + (n << CHUNK_SHIFT));
	mr = ibv_reg_mr(pd, memory, all, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
			IBV_ACCESS_REMOTE_WRITE);
	if (!mr)
		fail("ibv_reg_mr");
	grant = (struct grant){
		.magic = htole32(MAGIC),
		.rkey = htole32(mr->rkey),
		.table = htole64((uintptr_t)table),
		.chunks = htole32(chunks),
	};
}

static void admit(struct rdma_cm_id *id, const struct rdma_conn_param *asked)
{
	struct rdma_conn_param param = {
		.private_data = &grant,
		.private_data_len = sizeof(grant),
		.responder_resources = asked->responder_resources,
		.rnr_retry_count = 6,
	};
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.send_cq = cq,
		.recv_cq = cq,
		.cap = {
			.max_send_wr = 1,
			.max_recv_wr = 1,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
	};

	if (rdma_create_qp(id, pd, &attr) || rdma_accept(id, &param))
		fail("a client was turned away");
}

static void drop(struct rdma_cm_id *id)
{
	rdma_disconnect(id);
	rdma_destroy_qp(id);
	rdma_destroy_id(id);
}

static void serve(struct rdma_event_channel *channel)
{
	enum rdma_cm_event_type type;
	struct rdma_cm_event *event;
	struct rdma_conn_param asked;
	struct rdma_cm_id *id;

	while (!rdma_get_cm_event(channel, &event)) {
		type = event->event;
		id = event->id;
		asked = event->param.conn;
		rdma_ack_cm_event(event);
		if (type == RDMA_CM_EVENT_CONNECT_REQUEST)
			admit(id, &asked);
		else if (type == RDMA_CM_EVENT_DISCONNECTED)
			drop(id);
	}
	fail("rdma_get_cm_event");
}

int main(int argc, char **argv)
{
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;

	if (argc != 4) {
		fprintf(stderr, "usage: bench-lender ADDR PORT MIB\n");
		return 2;
	}
	channel = rdma_create_event_channel();
	if (!channel)
		fail("rdma_create_event_channel");
	id = listen_at(channel, argv[1], argv[2]);
	pd = ibv_alloc_pd(id->verbs);
	cq = pd ? ibv_create_cq(id->verbs, 1, NULL, NULL, 0) : NULL;
	if (!cq)
		fail("no protection domain or completion queue");
	lend(strtoull(argv[3], NULL, 10) >> (CHUNK_SHIFT - 20));
	if (rdma_listen(id, 16))
		fail("rdma_listen");
	printf("ready\n");
	fflush(stdout);
	serve(channel);
}
