/* SPDX-License-Identifier: GPL-2.0 */
/* stubs.h - what the tests share: cmocka, a clock, a server without RDMA */
#ifndef STUBS_H
#define STUBS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <infiniband/verbs.h>

#include "server.h"

/* What clock_seconds() returns. */
extern uint64_t stub_seconds;

/* Why shutdown_begin() was called last, or NULL. */
extern const char *stub_stopped;

/**
 * stub_server() - a server with a pool of so many slabs, and no memory in it
 *
 * The worker's jobs are never run: nothing here submits one that matters.
 */
void stub_server(struct server *server, uint32_t slabs, uint64_t slab_size);
void stub_server_free(struct server *server);

/* stub_context() - of an adapter that takes what it is asked, and completes nothing */
void stub_context(struct ibv_context *context, struct ibv_device *device);

/* stub_client() - the client of that name, made if need be */
struct client *stub_client(struct server *server, const char *name);

#endif /* STUBS_H */
