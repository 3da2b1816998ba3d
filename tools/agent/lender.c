// SPDX-License-Identifier: GPL-2.0
/*
 * lender.c - asks farmemd for its status each second, and tells etcd what is news of it.
 *
 * Owns the keys servers/UUID and load/UUID of one farmemd.  While that is away the lease is
 * not renewed: a farmemd that is started anew finds its keys, one that stays away loses them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "control-socket.h"
#include "directory.h"
#include "lender.h"
#include "publication.h"
#include "trouble.h"
#include "../group/placement.h"

#define LOOK_USEC	1000000ull
#define ASK_SECONDS	2
#define PRESSURE_NEWS	10	/* percent */

struct lender {
	const struct agent_config *config;
	sd_event_source *timer;
	struct lease lease;
	struct directory_server server;
	struct directory_load load, told_load;
	struct publication who, use;
	struct trouble trouble;
	char host[256];
	const char *away;	/* why nothing is known of farmemd, as it was said; NULL: it answers */
	bool listed;	/* that this server is in the directory was said */
};

/* Another lease, or none: what etcd had under the last one is gone, or goes. */
static void lender_lease_changed(void *data, const char *error)
{
	struct lender *lender = data;

	publication_forget(&lender->who);
	publication_forget(&lender->use);
	if (error || lender->lease.id)
		trouble_tell(&lender->trouble, "", &lender->lease, error);
}

static void lender_told(void *data, const struct publication *publication, const char *error)
{
	struct lender *lender = data;

	trouble_tell(&lender->trouble, "", publication, error);
	if (error || publication != &lender->who)
		return;
	if (!lender->listed)
		printf("server %s is in the directory: %s, failure domain %s\n", lender->server.uuid,
		       lender->server.addresses, lender->server.domain);
	lender->listed = true;
}

/* Nobody is to wait for a cordon, or for what is wanted, to be known. */
static bool lender_load_is_news(const struct lender *lender)
{
	const struct directory_load *told = &lender->told_load, *load = &lender->load;

	if (publication_is_old(&lender->use) || load->cordoned != told->cordoned || load->size != told->size ||
	    !load->wanted != !told->wanted)
		return true;
	return publication_now() >= lender->use.at + PLACEMENT_NEWS_SECONDS &&
	       (abs((int)load->pressure - (int)told->pressure) >= PRESSURE_NEWS ||
		placement_is_news(load->size, told->free, load->free) ||
		placement_is_news(load->size, told->wanted, load->wanted));
}

static void lender_publish(struct lender *lender)
{
	publication_follow(&lender->who, directory_server_text(&lender->server));
	if (!publication_may(&lender->use) || !lender_load_is_news(lender))
		return;
	lender->told_load = lender->load;
	publication_tell(&lender->use, directory_load_text(&lender->load));
}

/* farmemd's status, to json_decref(); JSON's null: no status; NULL, with errno: no answer. */
static json_t *lender_ask(const struct lender *lender)
{
	int fd = control_socket_open(lender->config->status_socket, ASK_SECONDS);
	CLEANUP_FREE char *line = fd >= 0 ? control_socket_ask(fd, "{\"verb\":\"status\"}") : NULL;
	json_t *status;

	if (!line) {
		errno = fd < 0 ? -fd : errno ? errno : ECONNRESET;
		return NULL;
	}
	status = json_loads(line, JSON_DECODE_ANY, NULL);
	return status ? status : json_null();
}

static void lender_away(struct lender *lender, const char *why)
{
	if (!lender->away || strcmp(lender->away, why))
		fail("%s: %s; the directory forgets this server unless that ends", lender->config->status_socket, why);
	lender->away = why;
	lease_want(&lender->lease, false);
}

/* A client can't connect to "all addresses".  Behind them there may be a port. */
static bool lender_reachable(const char *addresses)
{
	static const char *const all[] = { "0.0.0.0", "[::]" };
	size_t i;

	for (; *addresses; addresses += strcspn(addresses, " "), addresses += strspn(addresses, " "))
		for (i = 0; i < sizeof(all) / sizeof(*all); i++)
			if (!strncmp(addresses, all[i], strlen(all[i])) && strchr(" :", addresses[strlen(all[i])]))
				return false;
	return true;
}

/* What is to be published of a farmemd.  Return: NULL, or why nothing is. */
static const char *lender_learn(const struct lender *lender, const json_t *status,
				struct directory_server *server, struct directory_load *load)
{
	if (!directory_of_status(server, load, status))
		return "what answers there is no farmemd, or one of another release";
	server->host = text_copy(lender->host);
	server->domain = text_copy(lender->config->domain ? lender->config->domain : lender->host);
	if (lender->config->addresses) {
		free(server->addresses);
		server->addresses = text_copy(lender->config->addresses);
	}
	return lender_reachable(server->addresses) ? NULL :
	       "farmemd listens on all addresses; give address = ADDR:PORT in the agent's file";
}

/* Another farmemd has other keys; the old ones go with their lease. */
static void lender_name(struct lender *lender, struct publication *publication, const char *folder, const char *uuid)
{
	publication_close(publication);
	*publication = (struct publication){
		.lease = &lender->lease, .key = text_format("%s%s", folder, uuid), .told = lender_told, .data = lender,
	};
}

static void lender_take(struct lender *lender, struct directory_server server, struct directory_load load)
{
	if (!lender->server.uuid || strcmp(lender->server.uuid, server.uuid)) {
		lender->listed = false;
		lease_lost(&lender->lease);
		lender_name(lender, &lender->who, DIRECTORY_SERVERS, server.uuid);
		lender_name(lender, &lender->use, DIRECTORY_LOAD, server.uuid);
	}
	directory_server_free(&lender->server);
	lender->server = server;
	lender->load = load;
}

static void lender_look(struct lender *lender)
{
	json_t *status = lender_ask(lender);
	struct directory_server server = { 0 };
	struct directory_load load = { 0 };
	const char *why = status ? lender_learn(lender, status, &server, &load) : strerrordesc_np(errno);

	json_decref(status);
	if (why) {
		directory_server_free(&server);
		lender_away(lender, why);
		return;
	}
	lender_take(lender, server, load);
	lender->away = NULL;
	lease_want(&lender->lease, true);
	lender_publish(lender);
}

static int lender_tick(sd_event_source *source, uint64_t usec, void *data)
{
	lender_look(data);
	sd_event_source_set_time_relative(source, LOOK_USEC);
	sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
	return 0;
}

struct lender *lender_open(sd_event *event, struct etcd *etcd, const struct agent_config *config)
{
	struct lender *lender = calloc(1, sizeof(*lender));

	if (!lender)
		return NULL;
	lender->config = config;
	lender->lease = (struct lease){
		.etcd = etcd, .ttl = config->ttl, .changed = lender_lease_changed, .data = lender,
	};
	gethostname(lender->host, sizeof(lender->host) - 1);
	if (lease_open(&lender->lease, event) >= 0 &&
	    sd_event_add_time_relative(event, &lender->timer, CLOCK_MONOTONIC, 0, 0, lender_tick, lender) >= 0)
		return lender;
	lender_close(lender);
	return NULL;
}

void lender_close(struct lender *lender)
{
	if (!lender)
		return;
	sd_event_source_disable_unref(lender->timer);
	publication_close(&lender->who);
	publication_close(&lender->use);
	lease_close(&lender->lease);
	directory_server_free(&lender->server);
	free(lender);
}

int64_t lender_lease(const struct lender *lender)
{
	return lender->lease.id;
}
