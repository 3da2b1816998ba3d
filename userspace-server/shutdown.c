// SPDX-License-Identifier: GPL-2.0
/*
 * shutdown.c - the end of farmemd begins: clients and systemd are told.
 *
 * Owns server->stopping until main() takes all down.  Called by signals.c and report.c.
 */
#include "beat.h"
#include "client.h"
#include "dialog.h"
#include "format.h"
#include "log.h"
#include "notify.h"
#include "server.h"
#include "session.h"
#include "shutdown.h"
#include "volume.h"

#define GOODBYE_USEC 500000

static void shutdown_log_fates(const struct server *server)
{
	bool kept = pool_is_kept(&server->pool, &server->opt);
	const struct client *client;
	char size[SIZE_TEXT];

	LIST_FOREACH(client, &server->clients, link) {
		if (!client->volume_count)
			continue;
		format_size(volume_bytes(client), size);
		if (kept)
			log_info("(%s): the data of %u volumes, %s, stays in %s", client->name,
				 client->volume_count, size, server->opt.pool);
		else
			log_warn("(%s): the data of %u volumes, %s, is lost with the pool",
				 client->name, client->volume_count, size);
	}
}

static int shutdown_on_goodbye(sd_event_source *source, uint64_t usec, void *data)
{
	struct server *server = data;

	(void)source;
	(void)usec;
	return sd_event_exit(server->event, 0);
}

int shutdown_begin(struct server *server, const char *why)
{
	struct session *session;
	int ret;

	if (server->stopping)
		return 0;
	log_info("stopping: %s", why);
	notify_send("STOPPING=1");
	server->stopping = true;
	beat_show(server);
	shutdown_log_fates(server);
	LIST_FOREACH(session, &server->sessions, link)
		dialog_goodbye(session);
	if (LIST_EMPTY(&server->sessions))
		return sd_event_exit(server->event, 0);
	ret = sd_event_add_time_relative(server->event, NULL, CLOCK_MONOTONIC, GOODBYE_USEC, 0,
					 shutdown_on_goodbye, server);
	/* Without the timer it ends at once: a second signal would change nothing. */
	return ret < 0 ? sd_event_exit(server->event, 0) : 0;
}
