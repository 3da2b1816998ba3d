// SPDX-License-Identifier: GPL-2.0
/*
 * status.c - how much memory is free, for systemd and for clients.
 *
 * Owns server->status_due.  Called whenever slabs were taken or given back, and by a
 * timer while systemd does not listen.
 */
#include <errno.h>

#include "beat.h"
#include "format.h"
#include "notify.h"
#include "server.h"
#include "status.h"

void status_report(struct server *server)
{
	uint64_t avail = server_free(server);
	char size[SIZE_TEXT], left[SIZE_TEXT];
	int ret;

	ret = notify_send("STATUS=%s of %s free, %u clients", format_size(avail, left),
			  format_size(server->pool.size, size), server->client_count);
	server->status_due = ret == -EAGAIN;
	beat_show(server);
}
