/* SPDX-License-Identifier: GPL-2.0 */
/* probe.h - is the client at the other end alive? */
#ifndef PROBE_H
#define PROBE_H

#include <infiniband/verbs.h>

struct server;
struct session;

/**
 * probe_start() - ask, with an RDMA WRITE of no bytes on queue 0
 * @session: with a connected queue 0
 *
 * Takes up to 8 s.  A dead client's session is closed; a living one's held
 * request is refused.  Does nothing if a probe is on its way.
 *
 * Context: event loop; the session may be closed when this returns.
 */
void probe_start(struct session *session);

/* probe_completed() - the probe's completion arrived; may close the session */
void probe_completed(struct session *session, enum ibv_wc_status status);

/**
 * probe_watch() - probe all sessions now and then
 * @server: with its event loop
 *
 * A passive server learns in no other way of a client that just stopped.
 * Return: 0 or -errno.
 */
int probe_watch(struct server *server);

#endif /* PROBE_H */
