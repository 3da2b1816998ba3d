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
#include "request.h"

struct farmem_session;

/**
 * struct farmem_local_memory - a volume's bytes on this machine
 * @entry: on its session's list
 * @uuid: of the volume
 * @bytes: of @data
 * @data: the slabs, vmalloc
 * @meta: the page state bytes, vmalloc
 */
struct farmem_local_memory {
	struct list_head entry;
	u8 uuid[FARMEM_ID_LEN];
	u64 bytes;
	void *data;
	u8 *meta;
};

/** farmem_local_start() - a session without server.  Session's lock held. */
int farmem_local_start(struct farmem_session *s);

/** farmem_local_stop() - free all its memory.  Idempotent. */
void farmem_local_stop(struct farmem_session *s);

/**
 * farmem_local_open() - find or make a volume's memory
 * @s: local and live, its lock held
 * @uuid: the volume
 * @bytes: a multiple of the slab size; a smaller volume grows
 *
 * Return: the memory, owned by @s, or ERR_PTR.
 */
struct farmem_local_memory *farmem_local_open(struct farmem_session *s,
					      const u8 *uuid, u64 bytes);

/** farmem_local_close() - a volume is off; @release: free its memory too. */
void farmem_local_close(struct farmem_session *s, const u8 *uuid, bool release);

/** farmem_local_copy_bio() - do a bio's READ or WRITE at once. */
void farmem_local_copy_bio(struct bio *bio, void *data);

#endif /* FARMEM_LOCAL_H */
