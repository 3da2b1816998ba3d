// SPDX-License-Identifier: GPL-2.0
/*
 * stubs.c - stands in for main.c, and for an adapter's driver, in the unit tests.
 */
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "clock.h"
#include "shutdown.h"
#include "stubs.h"
#include "volume.h"
#include "watch.h"

uint64_t stub_seconds;

uint64_t clock_seconds(void)
{
	return stub_seconds;
}

const char *stub_stopped;

int shutdown_begin(struct server *server, const char *why)
{
	stub_stopped = why;
	return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	return 0;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	return 0;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited)
{
	return 0;
}

void stub_context(struct ibv_context *context, struct ibv_device *device)
{
	*context = (struct ibv_context){ .device = device };
	context->ops.post_recv = post_recv;
	context->ops.post_send = post_send;
	context->ops.req_notify_cq = req_notify_cq;
}

void stub_server(struct server *server, uint32_t slabs, uint64_t slab_size)
{
	memset(server, 0, sizeof(*server));
	server->ops = &watch_ops;
	options_defaults(&server->opt);
	server->pool.slabs = slabs;
	server->pool.floor = slabs;
	server->pool.slab_size = slab_size;
	server->pool.size = slabs * slab_size;
	server->pool.generation = 0x1234;
	server->pool.fd = -1;
	assert_int_equal(super_map(&server->pool.super, calloc(1, super_map_bytes(slabs)),
				   super_map_bytes(slabs), slabs), 0);
	assert_non_null(server->pool.super.area);
	assert_int_equal(slab_table_init(&server->slabs, slabs), 0);
	server->slabs.super = &server->pool.super;
	LIST_INIT(&server->clients);
	LIST_INIT(&server->sessions);
	/* Slabs stay dirty: there is no worker to clean them. */
	server->clean.active = true;
}

void stub_server_free(struct server *server)
{
	volume_forget_all(server);
	slab_table_free(&server->slabs);
	free(server->pool.super.area);
	super_map_free(&server->pool.super);
	options_free(&server->opt);
}

struct client *stub_client(struct server *server, const char *name)
{
	uint8_t identity[FARMEM_ID_LEN];
	struct client *client;

	assert_int_equal(client_identity(name, identity), 0);
	client = client_get(server, identity);
	assert_non_null(client);
	strcpy(client->name, name);
	return client;
}
