// SPDX-License-Identifier: GPL-2.0
/*
 * Everything that rdma_cm does ends with an event.  Each must be acknowledged, or what it
 * is about cannot be destroyed.  While one waits for an event the other end may give up,
 * and says why on the control connection: so that is looked at, too.
 */
#include "event.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"
#include "session.h"
#include "trouble.h"

#define NAP_MS 200		/* and a look at the control connection */
#define LAST_WORD_MS 1000	/* in which the other end's reason follows its deed */

/**
 * event_is_failure() - does it end the run?
 * @event: what came
 */
bool event_is_failure(enum rdma_cm_event_type event)
{
	switch (event) {
	case RDMA_CM_EVENT_ADDR_ERROR:
	case RDMA_CM_EVENT_ROUTE_ERROR:
	case RDMA_CM_EVENT_CONNECT_ERROR:
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_REJECTED:
	case RDMA_CM_EVENT_DISCONNECTED:
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		return true;
	/* The address moved to another port: what is connected stays connected. */
	case RDMA_CM_EVENT_ADDR_CHANGE:
	/* The queue pair's number may be used again. */
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
	/* Not asked for here: multicast, and queue pairs that the caller leads itself. */
	case RDMA_CM_EVENT_MULTICAST_JOIN:
	case RDMA_CM_EVENT_MULTICAST_ERROR:
	case RDMA_CM_EVENT_CONNECT_RESPONSE:
	/* These are progress. */
	case RDMA_CM_EVENT_ADDR_RESOLVED:
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
	case RDMA_CM_EVENT_CONNECT_REQUEST:
	case RDMA_CM_EVENT_ESTABLISHED:
		return false;
	}
	return false;
}

/* The status of an event is an errno, negative; of a rejection, the CM's reason. */
static void explain(const struct rdma_cm_event *event)
{
	if (event->event == RDMA_CM_EVENT_REJECTED)
		trouble_explain(EXPLAIN_CM, event->event, "rdma_cm, reason %d", event->status);
	else if (event->status < 0)
		trouble_explain(EXPLAIN_CM, event->event, "rdma_cm, %s",
				strerror(-event->status));
	else
		trouble_explain(EXPLAIN_CM, event->event, "rdma_cm");
}

/* The other end's reason, if it has given one; before there is a control connection, none. */
static bool has_given_up(struct session *session)
{
	if (session->talk->fd < 0 || !talk_ended(session->talk))
		return false;
	talk_receive(session->talk);
	return true;
}

/**
 * event_give_up() - say what ends the run
 * @session: the session
 * @event: that ends it; acknowledged
 *
 * Where the other end has a reason, that is worth more than the event, and the network may
 * bring it later.
 */
void event_give_up(struct session *session, struct rdma_cm_event *event)
{
	struct pollfd look = { .fd = session->talk->fd, .events = POLLIN };

	if (look.fd >= 0)
		poll(&look, 1, LAST_WORD_MS);
	if (!has_given_up(session))
		explain(event);
	rdma_ack_cm_event(event);
}

/**
 * event_reject() - refuse a request
 * @id: the request's own; gone afterwards
 */
void event_reject(struct rdma_cm_id *id)
{
	rdma_reject(id, NULL, 0);
	rdma_destroy_id(id);
}

/**
 * event_pass_over() - an event that nobody waits for
 * @event: acknowledged; a request has an id of its own, and is refused
 */
void event_pass_over(struct rdma_cm_event *event)
{
	bool asks = event->event == RDMA_CM_EVENT_CONNECT_REQUEST;
	struct rdma_cm_id *id = event->id;

	/* An id cannot be destroyed while an event of it is not acknowledged. */
	rdma_ack_cm_event(event);
	if (asks)
		event_reject(id);
}

/**
 * event_next() - the next event of the session's channel
 * @session: the session
 * @end: of the time for it
 * @late: gets whether it is over
 *
 * Return: the event, for rdma_ack_cm_event(); NULL: the other end gave up, which is said,
 * there was trouble, or with *@late set, the time is over.
 */
struct rdma_cm_event *event_next(struct session *session, uint64_t end, bool *late)
{
	struct pollfd look[] = {
		{ .fd = session->cm.channel->fd, .events = POLLIN },
		{ .fd = session->talk->fd, .events = POLLIN },
	};
	struct rdma_cm_event *event;
	uint64_t now;

	*late = false;
	while ((now = measure_now()) < end) {
		uint64_t left = (end - now) / 1000000 + 1;

		poll(look, 2, left < NAP_MS ? left : NAP_MS);
		if (has_given_up(session))
			return NULL;
		if (look[1].revents)
			look[1].fd = -1;	/* it is ahead of us, and goes on later */
		if (!look[0].revents)
			continue;
		if (!rdma_get_cm_event(session->cm.channel, &event))
			return event;
		trouble_verbs("rdma_get_cm_event");
		return NULL;
	}
	*late = true;
	return NULL;
}

/**
 * event_too_late() - say that an event did not come
 * @wanted: the event
 * @seconds: that it had
 *
 * Return: -1.
 */
int event_too_late(enum rdma_cm_event_type wanted, unsigned int seconds)
{
	trouble("rdma_cm: no %s within %u s", rdma_event_str(wanted), seconds);
	trouble_advice("does a firewall drop UDP port 4791 (RoCE), here or there?");
	return -1;
}
