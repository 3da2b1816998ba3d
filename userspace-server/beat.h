/* SPDX-License-Identifier: GPL-2.0 */
/* beat.h - heartbeats: what the server shows to clients, and hears from them */
#ifndef BEAT_H
#define BEAT_H

#include <stdbool.h>
#include <stdint.h>

struct farmem_status;
struct ibv_mr;
struct ibv_pd;
struct message_welcome;
struct server;

/**
 * struct beat - what a client tells of being alive
 * @count: a little-endian number that it WRITEs, alone in a page
 * @seen: what it was when beat_heard() looked
 * @mr: its registration
 * @status_mr: that of the server's status page, for this client
 */
struct beat {
	uint64_t *count;
	uint64_t seen;
	struct ibv_mr *mr;
	struct ibv_mr *status_mr;
};

/* beat_open() - make the status page.  Return: 0 or -ENOMEM. */
int beat_open(struct server *server);

/* beat_close() - no session is left that could be reading it */
void beat_close(struct server *server);

/* beat_show() - bring the status page up to date; cheap */
void beat_show(const struct server *server);

/* beat_look() - the same, and what the kernel says about memory pressure */
void beat_look(struct server *server);

/* beat_alloc() - make the page of a session.  Return: 0 or -ENOMEM. */
int beat_alloc(struct beat *beat);

/**
 * beat_register() - let a client read the status page and write its counter
 * @beat: of a session that is being welcomed
 * @status: the page
 * @pd: the session's
 * @welcome: its addresses and keys are filled in
 *
 * Only now: a client that is not welcome gets no key.  Return: 0 or -errno.
 */
int beat_register(struct beat *beat, struct farmem_status *status, struct ibv_pd *pd,
		  struct message_welcome *welcome);

/* beat_deregister() - its queue pairs are gone.  Context: worker. */
void beat_deregister(struct beat *beat);

/* beat_heard() - has the client's counter moved since this was asked last? */
bool beat_heard(struct beat *beat);

#endif /* BEAT_H */
