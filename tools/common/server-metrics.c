// SPDX-License-Identifier: GPL-2.0
/*
 * server-metrics.c - the metrics of a farmemd, of what its control socket answers.
 *
 * Owns their names.  Called by farmemctl metrics, and by farmemd's own thread of metrics.
 */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "metric.h"
#include "server-metrics.h"

/* A number or yes and no in an answer. */
struct server_metric {
	const char *field;
	const char *name;	/* behind the prefix */
	const char *help;
};

static const struct server_metric of_server[] = {
	{ "size", "size_bytes", "memory in the pool" },
	{ "free", "free_bytes", "memory that is free to lend" },
	{ "lent", "lent_bytes", "memory lent to clients" },
	{ "dirty", "dirty_bytes", "memory that clients gave back and that is not zeroed yet" },
	{ "quarantined", "quarantined_bytes", "memory that clients gave back, and that is not free yet" },
	{ "held", "held_bytes", "memory of the pool that farmemd has now; the rest is the machine's" },
	{ "given_back", "given_back_bytes_total", "memory of the pool that went back to the machine" },
	{ "wanted", "wanted_bytes", "memory that clients are asked to give back, since this machine needs it" },
	{ "slab_size", "slab_size_bytes", "unit in which farmemd lends memory" },
	{ "cordoned", "cordoned", "whether the server lends nothing more" },
	{ "insecure", "insecure", "whether clients need no key" },
	{ "uptime_s", "uptime_seconds", "seconds since farmemd started" },
	{ NULL, NULL, NULL },
};

static const struct server_metric of_client[] = {
	{ "connected", "client_connected", "whether the client is connected" },
	{ "bytes", "client_bytes", "memory lent to the client" },
	{ "quarantined", "client_quarantined_bytes", "memory that the client gave back, and that is not free yet" },
	{ "wanted", "client_wanted_bytes", "memory that the client is asked to give back" },
	{ "queues", "client_queues", "queue pairs of the client" },
	{ "volumes", "client_volumes", "volumes of the client" },
	{ "silent_since_s", "client_silent_seconds", "since the server last heard from a client that is not connected" },
	{ "lease_s", "client_lease_seconds", "that the server keeps the memory of a silent client; 0: until released" },
	{ NULL, NULL, NULL },
};

/* The digits, or "" of what is no number. */
static const char *server_metric_digits(const json_t *value, char text[24])
{
	*text = '\0';
	if (json_is_boolean(value) || json_is_integer(value))
		snprintf(text, 24, "%" JSON_INTEGER_FORMAT,
			 json_is_integer(value) ? json_integer_value(value) : json_is_true(value));
	return text;
}

static void server_metric_put(FILE *out, struct metric *metric, const struct metric_label *label,
			      const json_t *value)
{
	char text[24];

	metric_put(out, metric, label, server_metric_digits(value, text));
}

static void server_metrics_put_status(FILE *out, const json_t *status)
{
	struct metric info = { "farmem_server_info", "gauge", "what farmemd says of itself", false };
	const struct server_metric *row;
	char name[64];

	metric_put(out, &info,
		   METRIC_LABELS({ "uuid", json_string_value(json_object_get(status, "uuid")) },
				 { "release", json_string_value(json_object_get(status, "release")) },
				 { "generation", json_string_value(json_object_get(status, "generation")) }),
		   "1");
	for (row = of_server; row->field; row++) {
		struct metric metric = { name, strstr(row->name, "_total") ? "counter" : "gauge", row->help, false };

		snprintf(name, sizeof(name), "farmem_server_%s", row->name);
		server_metric_put(out, &metric, NULL, json_object_get(status, row->field));
	}
}

static void server_metrics_put_clients(FILE *out, const json_t *clients)
{
	const struct server_metric *row;
	char name[64];
	size_t i;

	for (row = of_client; row->field; row++) {
		struct metric metric = { name, "gauge", row->help, false };

		snprintf(name, sizeof(name), "farmem_server_%s", row->name);
		for (i = 0; i < json_array_size(clients); i++) {
			const json_t *client = json_array_get(clients, i);
			const json_t *title = json_object_get(client, "name");

			server_metric_put(out, &metric,
					  METRIC_LABELS({ "client", json_string_value(title) }),
					  json_object_get(client, row->field));
		}
	}
}

void server_metrics_put(FILE *out, const json_t *status, const json_t *clients)
{
	struct metric up = { "farmem_server_up", "gauge", "whether farmemd answers", false };
	bool answers = status && clients;

	metric_put(out, &up, NULL, answers ? "1" : "0");
	if (!answers)
		return;
	server_metrics_put_status(out, status);
	server_metrics_put_clients(out, json_object_get(clients, "clients"));
}
