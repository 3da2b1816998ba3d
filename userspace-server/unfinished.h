/* SPDX-License-Identifier: GPL-2.0 */
/* unfinished.h - sessions that are nobody's yet, and how many there may be */
#ifndef UNFINISHED_H
#define UNFINISHED_H

#include <stdbool.h>
#include <stddef.h>

struct server;
struct sockaddr;

/* Of one peer address; of all there are no more than --max-clients. */
#define UNFINISHED_MAX	8

/**
 * unfinished_make_room() - may one more session begin?
 * @server: the server
 * @peer: where it comes from; what the sender of the request says
 * @why: if not, room for the reason
 * @size: of @why
 *
 * At a limit the oldest session is closed for it that has not proved a key: whoever
 * sends requests in another's name can't keep that one out for as long as such
 * sessions last, nor by having them refused.
 */
bool unfinished_make_room(struct server *server, const struct sockaddr *peer, char *why,
			  size_t size);

#endif /* UNFINISHED_H */
