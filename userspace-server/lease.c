// SPDX-License-Identifier: GPL-2.0
/*
 * lease.c - how long the memory of a silent client is kept.
 *
 * Owns client->lease, which client_heard() ends.  Called by admit.c, when a client's
 * session is fenced, and by main() for a pool that was kept.
 */
#include <string.h>

#include "client.h"
#include "clock.h"
#include "cm.h"
#include "lease.h"
#include "log.h"
#include "server.h"
#include "session.h"
#include "volume.h"

/* A connection says that it is this client; only its HELLO proves that. */
static bool lease_may_be_coming(const struct client *client)
{
	const struct session *session;

	LIST_FOREACH(session, &client->server->sessions, link)
		if (session->state == SESSION_NEW &&
		    !memcmp(session->identity, client->identity, FARMEM_ID_LEN))
			return true;
	return false;
}

static void lease_start(struct client *client, unsigned int seconds);

/*
 * A client that is just connecting gets the time of a HELLO on top of its lease.  It does so
 * once: another peer that sends requests in its name does not keep its memory for longer.
 */
static void lease_ends(struct client *client)
{
	unsigned int lease = client->server->opt.lease;

	if (!client->waited && lease_may_be_coming(client)) {
		client->waited = true;
		log_info("(%s): its lease of %u s ends %u s later: a connection says that it is this client",
			 client->name, lease, SESSION_HELLO_SECONDS);
		lease_start(client, SESSION_HELLO_SECONDS);
		return;
	}
	log_warn("(%s): silent for %u s, its lease: its volumes are released", client->name,
		 lease);
	volume_release_all(client);
}

static int lease_on_timer(sd_event_source *source, uint64_t usec, void *data)
{
	struct client *client = data;
	unsigned int lease = client->server->opt.lease;

	(void)source;
	(void)usec;
	if (cm_is_listening(client->server)) {
		lease_ends(client);
		return 0;
	}
	log_info("(%s): its lease of %u s begins again: an RDMA device of this server is missing",
		 client->name, lease);
	lease_start(client, lease);
	return 0;
}

static void lease_start(struct client *client, unsigned int seconds)
{
	struct server *server = client->server;

	client->lease = sd_event_source_disable_unref(client->lease);
	if (sd_event_add_time_relative(server->event, &client->lease, CLOCK_MONOTONIC,
				       seconds * 1000000ull, 0, lease_on_timer, client) < 0)
		log_err("(%s): cannot start its lease: release its volumes by hand (farmemctl server release)", client->name);
}

void lease_begin(struct client *client)
{
	client->session = NULL;
	client->silent_since = clock_seconds();
	client->waited = false;
	if (client->server->opt.lease && !LIST_EMPTY(&client->volumes))
		lease_start(client, client->server->opt.lease);
	client_drop_idle(client);
}

void lease_begin_all(struct server *server)
{
	struct client *client;

	LIST_FOREACH(client, &server->clients, link)
		lease_begin(client);
}
