/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fabric.h - farmem-fabric: the part of the doctor that talks to RDMA devices.
 *
 * fabric.c is the program, fabric-visit.c a visit to a server, fabric-way.c its beginning
 * on this node, fabric-link.c the connection and its requests, fabric-auth.c what proves
 * a key.
 */
#ifndef FARMEM_FABRIC_H
#define FARMEM_FABRIC_H

#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"
#include "report.h"

/*
 * Messages that arrive, a slot each, then one that goes out, then the status page as
 * READ, then the count to WRITE, a page for each.
 */
#define LINK_OUT	(FARMEM_MSG_RECVS * FARMEM_MSG_MAX)
#define LINK_STATUS	(LINK_OUT + FARMEM_MSG_MAX)
#define LINK_BEAT	(LINK_STATUS + FARMEM_PAGE_SIZE)
#define LINK_BYTES	(LINK_BEAT + FARMEM_PAGE_SIZE)

/**
 * struct fabric_link - a connection to a server, or what there is of it
 * @channel: of its events
 * @id: rdma_cm's
 * @cq: completions
 * @memory: LINK_BYTES, registered
 * @mr: that registration
 */
struct fabric_link {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
	struct ibv_cq *cq;
	uint8_t *memory;
	struct ibv_mr *mr;
};

/**
 * struct fabric_event - how a step of connecting ended
 * @type: the event; -1: none came in time
 * @status: its status, a negative errno or the CM's reason
 * @data: its private data
 * @length: of that
 */
struct fabric_event {
	int type;
	int status;
	uint8_t data[256];
	size_t length;
};

int link_open(struct fabric_link *link);
void link_wait(struct fabric_link *link, unsigned int ms, struct fabric_event *event);
int link_prepare(struct fabric_link *link);
int link_connect(struct fabric_link *link, const struct farmem_cm_req *req, uint8_t depth);
int link_send(struct fabric_link *link, size_t bytes);
int link_one_sided(struct fabric_link *link, enum ibv_wr_opcode opcode, size_t offset,
		   size_t bytes, uint64_t addr, uint32_t rkey);
int link_reap(struct fabric_link *link, unsigned int ms, struct ibv_wc *wc);
void link_close(struct fabric_link *link);

/**
 * struct fabric_proof - what proves who we are, and who the server is
 * @said: the transcript
 * @key: of the client, @key_len bytes; 0: it has none
 * @session_key: made of it
 */
struct fabric_proof {
	struct farmem_transcript said;
	uint8_t key[FARMEM_KEY_MAX];
	size_t key_len;
	uint8_t session_key[FARMEM_AUTH_LEN];
};

int proof_identity(const char *name, uint8_t identity[FARMEM_ID_LEN]);
int proof_hello(struct fabric_proof *proof, struct farmem_hello *hello);
bool proof_of_server(struct fabric_proof *proof, const struct farmem_welcome *welcome);
void proof_forget(struct fabric_proof *proof);

/**
 * struct fabric_visit - a visit
 * @link: the connection
 * @address: of the server
 * @source: ours, family 0 if it is the kernel's to choose
 * @host: the server's, for people
 * @client: who we say we are
 * @proof: what proves it
 * @rep: the server's answer to the connection request
 * @welcome: and to HELLO
 */
struct fabric_visit {
	struct fabric_link link;
	struct sockaddr_storage address;
	struct sockaddr_storage source;
	char host[INET6_ADDRSTRLEN + 8];
	char client[FARMEM_NAME_LEN];
	struct fabric_proof proof;
	struct farmem_cm_rep rep;
	struct farmem_welcome welcome;
};

int way_address(struct fabric_visit *visit, const char *server, const char *source);
int way_route(struct fabric_visit *visit);
int way_resolve(struct fabric_visit *visit);

int fabric_visit(const char *server, const char *client, const char *key, const char *source);
void fabric_step(const char *id, const char *verdict, const char *advice, const char *fmt, ...)
	PRINTF_LIKE(4);

#endif
