/* SPDX-License-Identifier: GPL-2.0 */
/* grant.h - lending a volume's memory: OPEN, CLOSE and RELEASE */
#ifndef GRANT_H
#define GRANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "job-queue.h"
#include "message.h"
#include "region.h"
#include "slab.h"
#include "standin.h"

struct server;
struct session;
struct volume;

/**
 * struct work - the one request of a session that is being worked on; its stage is the session's
 * @job: the step that the worker runs
 * @session: whose
 * @type: of the request
 * @id: of the request
 * @told: when it came, or the client last heard that it is worked on, in seconds
 * @volume: of the request
 * @grant: of the volume
 * @standin: for a slab with a memory error, which this step fills
 * @zero: slabs that this step zeroes
 * @region: first region that this step registers, or the one that it deregisters
 * @batch: how many it registers
 * @flags: FARMEM_GRANT_* of the answer
 * @had: slabs of the volume before
 * @lost: its pages begin as lost ones
 * @error: what a step gave
 * @failed: the error for which the request is being undone
 * @part: the next part of the answer to send
 * @wire: the regions as GRANT tells them
 */
struct work {
	struct job job;
	struct session *session;
	enum farmem_msg_type type;
	uint32_t id;
	uint64_t told;
	struct volume *volume;
	struct grant *grant;
	struct standin standin;
	struct slab_run zero;
	size_t region;
	unsigned int batch;
	uint32_t flags;
	uint32_t had;
	bool lost;
	int error;
	int failed;
	uint16_t part;
	struct message_region *wire;
};

/* grant_open(), grant_end() - begin to work on OPEN, on CLOSE or RELEASE */
void grant_open(struct session *session, const struct message *msg);
void grant_end(struct session *session, const struct message *msg);

/**
 * grant_abandon() - the session ends, perhaps amidst an OPEN
 *
 * A volume that its client has not been told of is no volume: found there by the
 * client's next OPEN it would be one that holds something.
 */
void grant_abandon(struct session *session);

/* grant_send_parts() - send as many parts of the answer as the peer can take */
void grant_send_parts(struct session *session);

/* grant_resume() - a dead session has fewer registrations: who waited for that goes on */
void grant_resume(struct server *server);

#endif /* GRANT_H */
