// SPDX-License-Identifier: GPL-2.0
/*
 * probe.c - liveness of clients.
 *
 * Owns the probe state in struct session.  The adapter at the other end acknowledges a
 * WRITE of no bytes by itself, without software or memory.  A node that is up answers, one
 * that is gone does not.  Called by admit.c (two clients of one name), dialog.c
 * (completions) and a slow timer.
 */
#include <errno.h>
#include <string.h>

#include "beat.h"
#include "conn.h"
#include "mailbox.h"
#include "probe.h"
#include "server.h"
#include "session.h"

/* The queue pair gives up sooner; this is for adapters that do not. */
#define PROBE_USEC	8000000
/* Twice the beat that clients have unless told otherwise. */
#define WATCH_USEC	10000000

static void probe_answered(struct session *session)
{
	session->probing = false;
	session->probe_timer = sd_event_source_disable_unref(session->probe_timer);
	session->ops->alive(session);
}

static int probe_on_timeout(sd_event_source *source, uint64_t usec, void *data)
{
	(void)source;
	(void)usec;
	session_close(data, "no sign of life for 8 s");
	return 0;
}

void probe_start(struct session *session)
{
	struct ibv_send_wr *bad, wr = {
		.wr_id = MAILBOX_PROBE,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
	};

	if (session->probing)
		return;
	if (sd_event_add_time_relative(session->server->event, &session->probe_timer,
				       CLOCK_MONOTONIC, PROBE_USEC, 0, probe_on_timeout,
				       session) < 0) {
		session->ops->alive(session);
		return;
	}
	session->probing = true;
	if (ibv_post_send(session->conn[0]->qp, &wr, &bad))
		session_close(session, "its queue pair takes no requests");
}

void probe_completed(struct session *session, enum ibv_wc_status status)
{
	switch (status) {
	case IBV_WC_SUCCESS:
		probe_answered(session);
		break;
	case IBV_WC_REM_ACCESS_ERR:
	case IBV_WC_REM_INV_REQ_ERR:
	case IBV_WC_REM_OP_ERR:
		/* The client refused, so it lives; but a refusal ends the connection. */
		probe_answered(session);
		session_blame(session, EXPLAIN_WC, status);
		session_close(session, ibv_wc_status_str(status));
		break;
	default:
		session_blame(session, EXPLAIN_WC, status);
		session_close(session, "the client does not answer");
	}
}

static int probe_silent(sd_event_source *source, uint64_t usec, void *data)
{
	struct server *server = data;
	struct session *session, *next;

	(void)usec;
	beat_look(server);
	for (session = LIST_FIRST(&server->sessions); session; session = next) {
		next = LIST_NEXT(session, link);
		if (session->state == SESSION_LIVE && !beat_heard(&session->beat))
			probe_start(session);
	}
	sd_event_source_set_time_relative(source, WATCH_USEC);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

int probe_watch(struct server *server)
{
	int ret = sd_event_add_time_relative(server->event, NULL, CLOCK_MONOTONIC, WATCH_USEC,
					     WATCH_USEC / 10, probe_silent, server);

	beat_look(server);
	return ret < 0 ? ret : 0;
}
