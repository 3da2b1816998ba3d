/* SPDX-License-Identifier: GPL-2.0 */
/*
 * volume-memory.h - a volume's remote memory, from grant to release.
 *
 * All but farmem_volume_free_map() and farmem_volume_place(): the session's lock held, between
 * farmem_session_begin() and _end() or in its recovery; may sleep, bounded by the
 * session's deadline, which a server at work puts off: see control.h.
 */
#ifndef FARMEM_VOLUME_MEMORY_H
#define FARMEM_VOLUME_MEMORY_H

#include <linux/types.h>

struct farmem_request;
struct farmem_volume;

/**
 * farmem_volume_open_memory() - from the grant to a map that I/O can use
 * @v: its session is live
 *
 * Return: 0, or a negative errno with the session's reason set and nothing left.
 */
int farmem_volume_open_memory(struct farmem_volume *v);

/**
 * farmem_volume_reopen_memory() - have its memory granted to a new session
 * @v: powered; its session is connected, and none of its queues live
 *
 * From a server with another generation: other memory, and all pages that are not
 * zero are lost.  Those that were last written to memory that the server has again
 * are there again.
 *
 * Return: 0; -ESTALE or -ENOENT: it can't be had any more; -EREMCHG: not from the
 * server's memory of now; else a negative errno: try again.  The session's reason
 * is set.
 */
int farmem_volume_reopen_memory(struct farmem_volume *v);

/**
 * farmem_volume_settle_memory() - before a session that has come back is live
 * @v: reopened, and its session's queues take requests
 *
 * If what was granted is other memory than before, or writes of page states have
 * failed: the server is told which pages are zero, and which are lost.
 *
 * Return: 0: nothing was to be told; 1: it is; or a negative errno: try again.
 */
int farmem_volume_settle_memory(struct farmem_volume *v);

/** farmem_volume_store_states() - the server's page states become what we know. */
int farmem_volume_store_states(struct farmem_volume *v);

/**
 * farmem_volume_give_up_memory() - close the volume on the server
 * @v: no I/O is under way
 * @release: its data is given up too
 *
 * Return: 0; -ENOTCONN: the session is not live; or a negative errno with the session's
 * reason set.
 */
int farmem_volume_give_up_memory(struct farmem_volume *v, bool release);

/**
 * farmem_volume_place() - find where a request goes today
 * @req: of a volume, not posted now
 *
 * The server may have granted other regions since it was made.
 *
 * Context: any.
 * Return: false: not all of it is in one region any more; nothing is changed.
 */
bool farmem_volume_place(struct farmem_request *req);

/** farmem_volume_free_map() - what farmem_volume_open_memory() made here. */
void farmem_volume_free_map(struct farmem_volume *v);

#endif /* FARMEM_VOLUME_MEMORY_H */
