/* SPDX-License-Identifier: GPL-2.0 */
/* beat.h - heartbeats: what the server shows to clients, and hears from them */
#ifndef BEAT_H
#define BEAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

struct farmem_status;
struct ibv_mr;
struct ibv_pd;
struct message_welcome;
struct server;

/**
 * struct beat - what a session shows to its client, and what that tells of being alive
 * @link: the server's list
 * @server: back pointer
 * @status: what the client READs, alone in a page
 * @count: a little-endian number that it WRITEs, alone in a page
 * @seen: what it was when beat_heard() looked
 * @mr: its registration
 * @status_mr: that of @status
 */
struct beat {
	LIST_ENTRY(beat) link;
	struct server *server;
	struct farmem_status *status;
	uint64_t *count;
	uint64_t seen;
	struct ibv_mr *mr;
	struct ibv_mr *status_mr;
};

/* beat_show() - bring the status pages up to date; a few stores a session */
void beat_show(const struct server *server);

/* beat_look() - the same, and what the kernel says about memory pressure */
void beat_look(struct server *server);

/* beat_alloc() - make the pages of a session.  Return: 0 or -ENOMEM. */
int beat_alloc(struct beat *beat, struct server *server);

/* beat_free() - its queue pairs are gone; does nothing without beat_alloc() */
void beat_free(struct beat *beat);

/* beat_want() - show how many bytes the client is to give up, and in how many seconds */
void beat_want(struct beat *beat, uint64_t bytes, uint32_t within);

/* beat_ask() - show which token the client is to say on each queue; 0: none */
void beat_ask(struct beat *beat, uint32_t token);

/**
 * beat_register() - let a client read the status page and write its counter
 * @beat: of a session that is being welcomed
 * @pd: the session's
 * @welcome: its addresses and keys are filled in
 *
 * Only now: a client that is not welcome gets no key.  Return: 0 or -errno.
 */
int beat_register(struct beat *beat, struct ibv_pd *pd, struct message_welcome *welcome);

/* beat_deregister() - its queue pairs are gone.  Context: worker. */
void beat_deregister(struct beat *beat);

/* beat_heard() - has the client's counter moved since this was asked last? */
bool beat_heard(struct beat *beat);

#endif /* BEAT_H */
