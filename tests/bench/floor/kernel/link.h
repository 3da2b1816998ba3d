/* SPDX-License-Identifier: GPL-2.0 */
/*
 * link.h - a connected queue pair, and what lies at its other end.
 */
#ifndef FLOOR_LINK_H
#define FLOOR_LINK_H

#include <linux/completion.h>
#include <rdma/rdma_cm.h>

#include "server.h"

/* Work requests that a link's send queue takes. */
#define FLOOR_DEPTH_MAX 128

/**
 * struct floor_link - one RC queue pair of the client
 * @id: NULL while closed
 * @pd: its own
 * @cq: polled as floor_link_open() was told
 * @qp: NULL when broken or closed
 * @max_sge: scatter/gather entries that a work request may have
 * @step: a step of connecting is over, with @step_error
 * @step_error: 0 or a negative errno
 * @grant: what the server lends
 */
struct floor_link {
	struct rdma_cm_id *id;
	struct ib_pd *pd;
	struct ib_cq *cq;
	struct ib_qp *qp;
	unsigned int max_sge;

	struct completion step;
	int step_error;
	struct floor_grant grant;
};

/**
 * struct floor_remote - the memory that a server lends
 * @chunks: remote address of each FLOOR_CHUNK_SIZE bytes
 * @count: of @chunks
 * @rkey: of all
 */
struct floor_remote {
	__le64 *chunks;
	unsigned int count;
	u32 rkey;
};

/** floor_remote_size() - bytes that are lent. */
static inline u64 floor_remote_size(const struct floor_remote *remote)
{
	return (u64)remote->count << FLOOR_CHUNK_SHIFT;
}

/**
 * floor_link_open() - connect a queue pair
 * @link: closed
 * @where: ADDR:PORT of a floor server
 * @poll: how its completions are reaped; with IB_POLL_DIRECT by the caller
 * @max_sge: scatter/gather entries wanted, fewer if the device has not as many
 *
 * Context: may sleep, each step a bounded time.
 * Return: 0 or a negative errno, the reason in the log, @link closed.
 */
int floor_link_open(struct floor_link *link, const char *where,
		    enum ib_poll_context poll, unsigned int max_sge);

/**
 * floor_link_break() - disconnect, destroy the queue pair
 * @link: open, broken or closed
 *
 * When this returns neither the device nor callbacks touch anything of the
 * caller's, whatever was under way; the device itself is there until
 * floor_link_close().  Context: may sleep.
 */
void floor_link_break(struct floor_link *link);

/**
 * floor_link_close() - break it, and let go of the device
 * @link: open, broken or closed
 *
 * Context: may sleep.
 */
void floor_link_close(struct floor_link *link);

/**
 * floor_link_explore() - READ the list of chunks
 * @link: open, with IB_POLL_DIRECT, idle
 * @remote: the result, to be given back to floor_remote_free()
 *
 * Context: may sleep.  Return: 0 or a negative errno.
 */
int floor_link_explore(struct floor_link *link, struct floor_remote *remote);

/** floor_remote_free() - forget the list of chunks. */
void floor_remote_free(struct floor_remote *remote);

#endif /* FLOOR_LINK_H */
