// SPDX-License-Identifier: GPL-2.0
/*
 * report.c - what the control socket can be asked: status, clients, volumes,
 * release, disconnect, reload, stop.
 *
 * Owns the JSON; jansson reads and writes it.  Called by control.c with one
 * request at a time.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "clock.h"
#include "cm.h"
#include "farmem-release.h"
#include "format.h"
#include "keyring.h"
#include "log.h"
#include "parse.h"
#include "report.h"
#include "server.h"
#include "session.h"
#include "shutdown.h"
#include "status.h"
#include "volume.h"

#define REPORT_VERSION 1

static char *report_finish(json_t *answer)
{
	char *text, *line = NULL;

	if (!answer)
		return NULL;
	text = json_dumps(answer, JSON_COMPACT);
	json_decref(answer);
	if (text && asprintf(&line, "%s\n", text) < 0)
		line = NULL;
	free(text);
	return line;
}

char *report_error(const char *message)
{
	return report_finish(json_pack("{s:b, s:s}", "ok", 0, "error", message));
}

static char *report_finish_ok(const char *key, json_t *value)
{
	json_t *answer = json_pack("{s:b, s:i}", "ok", 1, "version", REPORT_VERSION);

	if (!answer || json_object_set_new(answer, key, value)) {
		json_decref(answer);
		return NULL;
	}
	return report_finish(answer);
}

static json_t *report_listen(const struct server *server)
{
	struct sockaddr_storage addr[OPTIONS_LISTEN_MAX];
	unsigned int count = cm_addresses(server, addr);
	json_t *list = json_array();
	char text[ADDRESS_TEXT];
	unsigned int i;

	for (i = 0; i < count; i++)
		json_array_append_new(list, json_string(format_address((struct sockaddr *)&addr[i],
								       text)));
	return list;
}

static json_int_t report_slab_bytes(const struct server *server, uint64_t slabs)
{
	return slabs * server->pool.slab_size;
}

static char *report_status(struct server *server)
{
	const uint32_t *in = server->slabs.in;
	char generation[17], uuid[UUID_TEXT];
	json_t *answer;

	snprintf(generation, sizeof(generation), "%016" PRIx64, server->pool.generation);
	answer = json_pack("{s:b, s:i, s:i, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:s, s:o, s:b, s:b, s:I}",
			   "ok", 1, "version", REPORT_VERSION,
			   "pid", (int)getpid(),
			   "release", FARMEM_RELEASE,
			   "uuid", format_uuid(server->uuid, uuid),
			   "size", (json_int_t)server->pool.size,
			   "free", (json_int_t)server_free(server),
			   "lent", report_slab_bytes(server, in[SLAB_LENT] + in[SLAB_RESERVED]),
			   "dirty", report_slab_bytes(server, in[SLAB_DIRTY] + in[SLAB_ZEROING]),
			   "quarantined", report_slab_bytes(server, in[SLAB_QUARANTINED]),
			   "held", report_slab_bytes(server, server->slabs.count - in[SLAB_ABSENT]),
			   "given_back", report_slab_bytes(server, server->headroom.given),
			   "wanted", (json_int_t)server->wanted,
			   "slab_size", (json_int_t)server->pool.slab_size,
			   "pressure", (int)server->pressure / 100,
			   "generation", generation,
			   "listen", report_listen(server),
			   "cordoned", (int)server->cordoned,
			   "insecure", (int)server->opt.insecure,
			   "uptime_s", (json_int_t)(clock_seconds() - server->started));
	return report_finish(answer);
}

static json_t *report_client(const struct client *client)
{
	const struct session *session = session_of(client);
	char identity[2 * FARMEM_ID_LEN + 1], incarnation[17];
	json_t *peer = json_null(), *silent = json_null();
	unsigned int i;

	for (i = 0; i < FARMEM_ID_LEN; i++)
		sprintf(identity + 2 * i, "%02x", client->identity[i]);
	snprintf(incarnation, sizeof(incarnation), "%016" PRIx64, client->incarnation);
	if (session)
		peer = json_stringn(session->label, strcspn(session->label, " "));
	else
		silent = json_integer(clock_seconds() - client->silent_since);
	return json_pack("{s:s, s:s, s:b, s:o, s:i, s:s, s:i, s:I, s:I, s:I, s:o, s:I}",
			 "name", client->name, "identity", identity,
			 "connected", session != NULL, "peer", peer,
			 "queues", session ? (int)session_queues(session) : 0,
			 "incarnation", incarnation,
			 "volumes", (int)client->volume_count,
			 "bytes", (json_int_t)volume_bytes(client),
			 "quarantined", (json_int_t)client_quarantined(client),
			 "wanted", (json_int_t)client->wanted,
			 "silent_since_s", silent,
			 "lease_s", (json_int_t)client->server->opt.lease);
}

static char *report_clients(struct server *server)
{
	json_t *list = json_array();
	const struct client *client;

	LIST_FOREACH(client, &server->clients, link)
		json_array_append_new(list, report_client(client));
	return report_finish_ok("clients", list);
}

static json_t *report_volume(const struct volume *volume)
{
	const struct client *client = volume->client;
	char uuid[UUID_TEXT], name[NAME_TEXT];

	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:b}",
			 "client", client->name, "uuid", format_uuid(volume->uuid, uuid),
			 "name", format_name(volume->name, name),
			 "bytes", report_slab_bytes(client->server, volume->slabs.slabs),
			 "regions", (json_int_t)(volume->grant ? volume->grant->regions :
						 volume->slabs.runs),
			 "open", volume->grant != NULL);
}

static char *report_volumes(struct server *server)
{
	json_t *list = json_array();
	const struct client *client;
	const struct volume *volume;

	LIST_FOREACH(client, &server->clients, link)
		LIST_FOREACH(volume, &client->volumes, link)
			json_array_append_new(list, report_volume(volume));
	return report_finish_ok("volumes", list);
}

/* A connected client is fenced first.  @uuid: of one of its volumes; NULL: all of them. */
static char *report_release_from(struct client *client, const uint8_t *uuid)
{
	struct server *server = client->server;
	struct volume *volume = uuid ? volume_find(client, uuid) : NULL;
	uint64_t bytes = volume ? volume->slabs.slabs * server->pool.slab_size :
				  volume_bytes(client);
	char size[SIZE_TEXT], name[FARMEM_NAME_LEN];

	strcpy(name, client->name);
	log_info("(%s): %s released by the administrator", name, format_size(bytes, size));
	if (client->session)
		session_close(client->session, "its memory is released by the administrator");
	/* A volume that was being made goes with its session, and perhaps the client too. */
	client = client_find_name(server, name);
	volume = client && uuid ? volume_find(client, uuid) : NULL;
	if (volume) {
		volume_release(volume);
		client_drop_idle(client);
	} else if (client && !uuid) {
		volume_release_all(client);
	}
	return report_finish_ok("released", json_integer(bytes));
}

static char *report_release(struct server *server, const json_t *request)
{
	const char *name = NULL, *uuid_text = NULL;
	struct volume *volume = NULL;
	uint8_t uuid[FARMEM_ID_LEN];
	struct client *client;
	int force = 0;

	if (json_unpack((json_t *)request, "{s:s, s?s, s?b}", "client", &name,
			"volume", &uuid_text, "force", &force))
		return report_error("release takes client (a name), volume (a UUID) and force (true or false)");
	client = client_find_name(server, name);
	if (!client)
		return report_error("no such client; farmemctl server list shows all clients");
	if (uuid_text && parse_uuid(uuid_text, uuid))
		return report_error("volume: not a UUID; farmemctl server list shows the UUIDs");
	if (uuid_text)
		volume = volume_find(client, uuid);
	if (uuid_text && !volume)
		return report_error("this client has no such volume; farmemctl server list shows its volumes");
	if (LIST_EMPTY(&client->volumes))
		return report_error("this client has no volumes");
	if (session_of(client) && !force)
		return report_error("the client is connected; release the volume on the client's node, or use force and lose the data");
	return report_release_from(client, volume ? uuid : NULL);
}

/* The client may come back at once, if it has a key still; its data waits for it. */
static char *report_disconnect(struct server *server, const json_t *request)
{
	const char *name = NULL;
	struct session *session;
	struct client *client;
	uint64_t bytes;

	if (json_unpack((json_t *)request, "{s:s}", "client", &name))
		return report_error("disconnect takes client (a name)");
	client = client_find_name(server, name);
	if (!client)
		return report_error("no such client; farmemctl server list shows all clients");
	session = session_of(client);
	if (!session)
		return report_error("the client is not connected");
	bytes = volume_bytes(client);
	/* A client without volumes goes, too. */
	session_close(session, "disconnected by the administrator");
	return report_finish_ok("kept", json_integer(bytes));
}

/* Bytes and number of the volumes that end with farmemd, unless the pool is kept. */
static uint64_t report_doomed_bytes(const struct server *server, unsigned int *count)
{
	const struct client *client;
	uint64_t bytes = 0;

	*count = 0;
	LIST_FOREACH(client, &server->clients, link) {
		*count += client->volume_count;
		bytes += volume_bytes(client);
	}
	return bytes;
}

static char *report_stop(struct server *server, const json_t *request)
{
	bool kept = pool_is_kept(&server->pool, &server->opt);
	char why[160], size[SIZE_TEXT];
	unsigned int count;
	uint64_t bytes = report_doomed_bytes(server, &count);
	int force = 0;

	if (json_unpack((json_t *)request, "{s?b}", "force", &force))
		return report_error("stop takes force (true or false)");
	if (count && !kept && !force) {
		snprintf(why, sizeof(why),
			 "%u volumes, %s, would be lost: there is no pool file%s; swapoff and delete them at their clients, or use force and lose them",
			 count, format_size(bytes, size),
			 server->opt.pool ? " any more" : "");
		return report_error(why);
	}
	if (shutdown_begin(server, "asked by the administrator"))
		return report_error("farmemd cannot end its event loop; stop farmemd with 'systemctl stop farmemd'");
	return report_finish_ok("lost", json_integer(kept ? 0 : bytes));
}

static char *report_cordon(struct server *server, const char *verb)
{
	const uint32_t *in = server->slabs.in;
	bool cordoned = !!strcmp(verb, "uncordon");
	bool draining = cordoned && (server->draining || !strcmp(verb, "drain"));

	if (server->cordoned != cordoned || server->draining != draining)
		log_info(draining ? "drained by the administrator: clients are asked for all that they have" :
			 cordoned ? "cordoned by the administrator: no volume is made or grows" :
				    "uncordoned by the administrator");
	server->cordoned = cordoned;
	server->draining = draining;
	status_report(server);
	return report_finish_ok("lent", json_integer(report_slab_bytes(server, in[SLAB_LENT] + in[SLAB_RESERVED])));
}

static char *report_reload(struct server *server)
{
	if (keyring_reload(server))
		return report_error("the file of keys is rejected, and the former keys stay in force; farmemd's log says why");
	return report_finish_ok("keys", json_boolean(server->opt.keys));
}

char *report_answer(struct server *server, bool shows, const char *request, size_t len)
{
	json_t *json = json_loadb(request, len, JSON_REJECT_DUPLICATES, NULL);
	const char *verb = NULL;
	char *answer;

	if (json_unpack(json, "{s:s}", "verb", &verb))
		answer = report_error("send one JSON object a line, with a verb: status, clients, volumes, release, disconnect, cordon, drain, uncordon, reload or stop");
	else if (!strcmp(verb, "status"))
		answer = report_status(server);
	else if (shows)
		answer = report_error("this socket answers status alone; the control socket takes the other verbs");
	else if (!strcmp(verb, "clients"))
		answer = report_clients(server);
	else if (!strcmp(verb, "volumes"))
		answer = report_volumes(server);
	else if (!strcmp(verb, "release"))
		answer = report_release(server, json);
	else if (!strcmp(verb, "disconnect"))
		answer = report_disconnect(server, json);
	else if (!strcmp(verb, "cordon") || !strcmp(verb, "drain") || !strcmp(verb, "uncordon"))
		answer = report_cordon(server, verb);
	else if (!strcmp(verb, "reload"))
		answer = report_reload(server);
	else if (!strcmp(verb, "stop"))
		answer = report_stop(server, json);
	else
		answer = report_error("unknown verb; there are status, clients, volumes, release, disconnect, cordon, drain, uncordon, reload and stop");
	json_decref(json);
	return answer;
}
