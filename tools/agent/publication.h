/* SPDX-License-Identifier: GPL-2.0 */
/* publication.h - a key that etcd is to have, as long as this node has its lease */
#ifndef AGENT_PUBLICATION_H
#define AGENT_PUBLICATION_H

#include <stdbool.h>
#include <time.h>

#include "lease.h"

/**
 * struct publication - a key, and what etcd has of it
 * @lease: that it is put under
 * @key: its name
 * @call: that tells etcd; NULL: none
 * @text: that etcd has; NULL: nothing, or it is not known
 * @sent: that etcd is being told; NULL while it is to forget the key
 * @there: etcd has the key under this lease, or may have it
 * @at: CLOCK_MONOTONIC seconds of the last time that it was told
 * @retry: CLOCK_MONOTONIC seconds: etcd is not told before
 * @told: is called after each attempt; @error is NULL if etcd has it
 * @data: for @told
 *
 * Context: event loop only.
 */
struct publication {
	struct lease *lease;
	char *key;
	struct etcd_call *call;
	char *text;
	char *sent;
	bool there;
	time_t at;
	time_t retry;
	void (*told)(void *data, const struct publication *publication, const char *error);
	void *data;
};

/* publication_now() - CLOCK_MONOTONIC seconds */
time_t publication_now(void);

/* publication_may() - could etcd be told now?  With a lease, no call under way, not too soon after an error. */
bool publication_may(const struct publication *publication);

/* publication_is_old() - is it to be told again, whatever etcd seems to have? */
bool publication_is_old(const struct publication *publication);

/* publication_tell() - tell etcd; @text is taken.  Only when publication_may() */
void publication_tell(struct publication *publication, char *text);

/* publication_follow() - tell etcd if it may be told and has something else; @text is taken */
void publication_follow(struct publication *publication, char *text);

/* publication_withdraw() - have etcd forget the key.  Only when publication_may() */
void publication_withdraw(struct publication *publication);

/* publication_forget() - there is another lease, or none: etcd has nothing of it, or will have */
void publication_forget(struct publication *publication);

/* publication_close() - forget it, and its name */
void publication_close(struct publication *publication);

#endif /* AGENT_PUBLICATION_H */
