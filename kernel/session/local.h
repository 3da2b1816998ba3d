/* SPDX-License-Identifier: GPL-2.0 */
/*
 * local.h - the loopback transport: this machine's own memory (server=local).
 *
 * For trying the module without RDMA, and for measuring what the layers above
 * the wire cost.
 */
#ifndef FARMEM_LOCAL_H
#define FARMEM_LOCAL_H

#include "farmem-proto.h"
#include "message.h"

struct farmem_request;
struct farmem_session;

/** farmem_local_start() - a session without server.  Session's lock held. */
int farmem_local_start(struct farmem_session *s);

/** farmem_local_stop() - free all its memory; no I/O is under way.  Idempotent. */
void farmem_local_stop(struct farmem_session *s);

/**
 * farmem_local_open() - find or make a volume's memory: farmem_control_open()'s work
 * @s: server=local, its lock held
 * @open: the request: @capacity bytes, rounded up to a slab
 * @grant: zeroed; the answer, as farmem_control_open() gives it
 *
 * One region is granted, whose addresses are this kernel's own; a smaller volume grows.
 *
 * Context: may sleep.  Return: 0, or a negative errno and no @grant->regions.
 */
int farmem_local_open(struct farmem_session *s, const struct farmem_open *open,
		      struct farmem_grant_regions *grant);

/** farmem_local_close() - farmem_control_close()'s work */
void farmem_local_close(struct farmem_session *s, const u8 *uuid,
			enum farmem_msg_type type);

/**
 * farmem_local_serve() - copy what a request asks for, and finish it
 * @req: for an extent of a local session, on no list; may be freed by this call
 *
 * Context: any up to softirq.
 */
void farmem_local_serve(struct farmem_request *req);

#endif /* FARMEM_LOCAL_H */
