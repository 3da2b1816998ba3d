// SPDX-License-Identifier: GPL-2.0
/*
 * watch.c - devices and listeners: what they tell, and whether they are still there.
 *
 * Owns the table of what they tell (struct server_ops) and a slow timer.  Called by
 * main() once.
 */
#include "admit.h"
#include "barrier.h"
#include "cm.h"
#include "conn.h"
#include "device.h"
#include "dialog.h"
#include "evict.h"
#include "server.h"
#include "session.h"
#include "status.h"
#include "watch.h"

#define WATCH_USEC 1000000

static void watch_removed(struct device *device)
{
	struct server *server = device->server;
	struct ibv_context *verbs = device->verbs;

	session_close_device(server, device, "the RDMA device was removed");
	conn_disconnect_parked(device);
	device_put(device);
	/* The last, since a listener's id may be all that has kept the context. */
	cm_forget_device(server, verbs);
}

const struct server_ops watch_ops = {
	.request = admit_request,
	.completed = dialog_completions,
	.failed = dialog_failed,
	.removed = watch_removed,
	.closed = conn_let_keeper_go,
};

static int watch_devices(sd_event_source *source, uint64_t usec, void *data)
{
	struct server *server = data;
	struct device *device, *next;

	(void)usec;
	for (device = LIST_FIRST(&server->devices); device; device = next) {
		next = LIST_NEXT(device, link);
		if (!device->gone && !device_is_present(device))
			device_remove(device);
		else
			conn_disconnect_parked(device);
	}
	session_settle_all(server);
	barrier_look(server);
	evict_look(server);
	conn_report_rejects();
	if (server->status_due)
		status_report(server);
	sd_event_source_set_time_relative(source, WATCH_USEC);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

int watch_start(struct server *server)
{
	int ret = sd_event_add_time_relative(server->event, &server->device_timer, CLOCK_MONOTONIC,
					     WATCH_USEC, WATCH_USEC, watch_devices, server);

	return ret < 0 ? ret : 0;
}
