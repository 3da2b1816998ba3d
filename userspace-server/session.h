/* SPDX-License-Identifier: GPL-2.0 */
/* session.h - one association with one client */
#ifndef SESSION_H
#define SESSION_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <sys/queue.h>
#include <systemd/sd-event.h>

#include "auth.h"
#include "beat.h"
#include "conn.h"
#include "explain.h"
#include "job-queue.h"
#include "mailbox.h"
#include "message.h"
#include "parse.h"
#include "region.h"
#include "slab.h"
#include "standin.h"

struct client;
struct device;
struct rdma_cm_id;
struct server;

/* A session that is no client's has so long to become a client's; a visit lasts no longer. */
#define SESSION_HELLO_SECONDS	15

enum session_state {
	SESSION_NEW,	/* accepted, no client's: not welcomed yet, or a visitor's */
	SESSION_LIVE,
	SESSION_DEAD,	/* over: being fenced, then its memory is deregistered, then it goes */
};

/**
 * enum dialog_stage - where the dialog of a session stands, as the table in dialog.c says
 * @DIALOG_HELLO: HELLO is to come
 * @DIALOG_HELD: HELLO waits for an earlier session of its name
 * @DIALOG_VISITED: a visitor is welcomed
 * @DIALOG_REFUSED: a refusal of HELLO is on its way, and ends the session
 * @DIALOG_IDLE: live, and no request is worked on
 * @DIALOG_MENDING: OPEN: a stand-in for a slab with a memory error is being filled
 * @DIALOG_ZEROING: OPEN: slabs are being zeroed
 * @DIALOG_WAITING: OPEN: a dead session has registrations of its slabs
 * @DIALOG_REGISTERING: OPEN: regions are being registered
 * @DIALOG_UNDOING: OPEN has failed: what was registered is being deregistered
 * @DIALOG_ANSWERING: OPEN: parts of the GRANT are being sent
 * @DIALOG_ENDING: CLOSE or RELEASE: regions are being deregistered
 */
enum dialog_stage {
	DIALOG_HELLO,
	DIALOG_HELD,
	DIALOG_VISITED,
	DIALOG_REFUSED,
	DIALOG_IDLE,
	DIALOG_MENDING,
	DIALOG_ZEROING,
	DIALOG_WAITING,
	DIALOG_REGISTERING,
	DIALOG_UNDOING,
	DIALOG_ANSWERING,
	DIALOG_ENDING,
};

/**
 * struct work - the one request of a session that is being worked on; its stage is the session's
 * @job: the step that the worker runs
 * @session: whose
 * @type: of the request
 * @id: of the request
 * @reported: when it came, or the client last heard that it is worked on, in seconds
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
 * @starved: it is that the machine had no memory for a slab
 * @key_left: a registration could not be dropped
 * @part: the next part of the answer to send
 * @wire: the regions as GRANT tells them
 */
struct work {
	struct job job;
	struct session *session;
	enum farmem_msg_type type;
	uint32_t id;
	uint64_t reported;
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
	bool starved;
	bool key_left;
	uint16_t part;
	struct message_region *wire;
};

/**
 * struct session_ops - what a session tells admit.c, which stands above it
 * @hello: HELLO was said, and its key proved as far as one is wanted (dialog.c calls it)
 * @alive: its client has answered a probe (probe.c)
 * @ended: it is dead, and its queue pairs are about to be fenced (session.c)
 * @fenced: nothing of it lands any more (session.c)
 *
 * Each may let another session of the client's name in, or refuse it: only admit.c knows
 * of that one.
 *
 * Context: event loop.  A session may be dead when these return.
 */
struct session_ops {
	void (*hello)(struct session *session);
	void (*alive)(struct session *session);
	void (*ended)(struct session *session);
	void (*fenced)(struct session *session);
};

/**
 * struct session - what a client's connection owns
 * @link: the server's list, of dead ones if it is dead
 * @server: back pointer
 * @ops: of admit.c
 * @device: the adapter; all queues are on it
 * @client: whose; NULL while new
 * @state: changed by session.c and session_live()
 * @stage: of its dialog, changed by dialog.c, admit.c and grant.c
 * @label: "address:port (name)", the start of its log lines
 * @identity: whose it says it is
 * @incarnation: of the client
 * @takeover: it is to fence a live session of its name
 * @visitor: it takes no memory, and stays no client's
 * @name: from HELLO, whose hash is @identity
 * @hello_id: of that HELLO, for the answer
 * @auth: what proves that, and names the session to its other queues
 * @queue_count: queues granted
 * @conn: the queues, NULL where not connected
 * @queues: what these share
 * @mailbox: its messages
 * @beat: its client's heartbeats
 * @barrier: the token that its client is to say on each queue; 0: none
 * @barrier_since: when that was asked for, in seconds
 * @barrier_before: the token before, which a queue that comes late may still say
 * @key_left: of memory that its client gave up a registration may be left
 * @close_reason: of a refusal: why the session ends, for the log; else ""
 * @blame: what of the adapter or the CM ends the session, NULL if nothing of theirs
 * @probing: a liveness probe is in flight
 * @probe_timer: gives it up
 * @hello_timer: closes a session that stays new: that says no HELLO, or waits too long
 * @held: a session that has said HELLO and waits for this one to be probed
 * @rival: the session that this one so waits for
 * @grants: registrations of open volumes
 * @work: the request being worked on
 * @awaits_removal: its queue pairs go when the kernel has removed its adapter
 * @removal_due: when that is given up, in seconds
 * @lingers: a queue pair or the completion queue could not be destroyed: the kernel goes
 *	on speaking of the session, so it is not freed before the adapter is removed
 * @reap: the fencer's job for it, then the worker's
 * @reaped: regions of its first grant that are deregistered
 *
 * Context: event loop; the workers use what a job points them to.
 */
struct session {
	LIST_ENTRY(session) link;
	struct server *server;
	const struct session_ops *ops;
	struct device *device;
	struct client *client;
	enum session_state state;
	enum dialog_stage stage;
	char label[ADDRESS_TEXT + FARMEM_NAME_LEN + 4];
	uint8_t identity[FARMEM_ID_LEN];
	uint64_t incarnation;
	bool takeover;
	bool visitor;
	char name[FARMEM_NAME_LEN];
	uint32_t hello_id;
	struct auth auth;
	uint16_t queue_count;
	struct conn **conn;
	struct conn_group queues;
	struct mailbox mailbox;
	struct beat beat;
	uint32_t barrier;
	uint64_t barrier_since;
	uint32_t barrier_before;
	bool key_left;
	char close_reason[120];
	const struct explain *blame;
	bool probing;
	sd_event_source *probe_timer;
	sd_event_source *hello_timer;
	struct session *held;
	struct session *rival;
	LIST_HEAD(, grant) grants;
	struct work work;
	bool awaits_removal;
	uint64_t removal_due;
	bool lingers;
	struct job reap;
	size_t reaped;
};

/**
 * session_open() - answer the request of a queue 0 with a new session
 * @server: the server
 * @ops: what those above it want to hear
 * @device: adapter; the session takes over the caller's use of it, in any case
 * @id: of the request; accepted or refused here
 * @req: the request
 * @responder_resources: READs that the peer wants to have in flight
 */
void session_open(struct server *server, const struct session_ops *ops, struct device *device,
		  struct rdma_cm_id *id, const struct cm_request *req,
		  unsigned int responder_resources);

/**
 * session_add_queue() - answer the request of a further queue
 * @session: live; the one that the request's token names
 * @id: of the request; accepted or refused here or, once the connector has made the queue pair,
 *	later
 * @req: the request, checked; its queue_index may still be beyond what was granted
 * @responder_resources: READs that the peer wants to have in flight
 */
void session_add_queue(struct session *session, struct rdma_cm_id *id,
		       const struct cm_request *req, unsigned int responder_resources);

/**
 * session_close() - the end of a session, from any cause
 * @session: may be dead already
 * @why: for the log
 *
 * The fencer destroys its queue pairs.  Until all are gone, the session stays its client's:
 * what the client gives up is quarantined, and a new session of its name waits.  If a queue
 * pair cannot be destroyed, slabs that it could write to are lent to no other client, and
 * no other incarnation is let in, until the adapter is removed.  The
 * registrations follow, on the worker, a region at a time: without a queue pair they are of
 * no use.  A session that waited for this one is let in after the fence.
 */
void session_close(struct session *session, const char *why);

/**
 * session_blame() - say what it is that ends a session, before session_close()
 * @session: may be dead already
 * @kind: whose code
 * @code: of a completion, a CM event or an async event
 *
 * After why the session was closed the log then says what to check.
 */
void session_blame(struct session *session, enum explain_kind kind, int code);

/* session_close_device() - close all sessions of a device */
void session_close_device(struct server *server, const struct device *device, const char *why);

/* session_settle_all() - look whether adapters are gone that sessions' fences wait for */
void session_settle_all(struct server *server);

/* session_wait() - a session that has said HELLO gets time for its rival to be fenced */
void session_wait(struct session *session);

/* session_live() - it is this client's, which has no other session */
void session_live(struct session *session, struct client *client);

/* session_of() - the session of a client that is not over; NULL if there is none */
struct session *session_of(const struct client *client);

/* session_reaping() - does a dead session still have registrations of these slabs? */
bool session_reaping(const struct server *server, struct slab_run run);

/* session_is_asked() - a request of a live session is worked on, or its answer is on its way */
static inline bool session_is_asked(const struct session *session)
{
	return session->stage > DIALOG_IDLE;
}

/* session_queues() - queues that are connected */
unsigned int session_queues(const struct session *session);

#endif /* SESSION_H */
