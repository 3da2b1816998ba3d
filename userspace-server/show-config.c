// SPDX-License-Identifier: GPL-2.0
/*
 * show-config.c - farmemd --show-config: the configuration, for other programs.
 *
 * Owns the names in its JSON, which farmemd(8) promises: an option's is its own, the others
 * stand beside them.  farmemctl doctor reads them.  Called by command-line.c.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "parse.h"
#include "pool-size.h"
#include "show-config.h"

/* JSON is UTF-8: of other bytes, as a path may have, each becomes a question mark. */
static json_t *show_config_text(const char *text)
{
	json_t *json = text ? json_string(text) : json_null();
	char *copy, *at;

	if (json)
		return json;
	copy = strdup(text);
	for (at = copy; at && *at; at++)
		if (*at & 0x80)
			*at = '?';
	json = copy ? json_string(copy) : NULL;
	free(copy);
	return json;
}

static json_t *show_config_listen(const struct options *opt)
{
	json_t *list = json_array();
	char text[ADDRESS_TEXT];
	unsigned int i;

	for (i = 0; i < opt->listen_count; i++)
		json_array_append_new(list, json_string(format_address((struct sockaddr *)&opt->listen[i],
								       text)));
	return list;
}

static json_t *show_config_metrics(const struct options *opt)
{
	char text[ADDRESS_TEXT];

	return opt->metrics.ss_family == AF_UNSPEC ? json_null() :
	       json_string(format_address((const struct sockaddr *)&opt->metrics, text));
}

/* Of the first address; IPv4 and IPv6 have it in the same place. */
static unsigned int show_config_port(const struct options *opt)
{
	const struct sockaddr_in *first = (const struct sockaddr_in *)&opt->listen[0];

	return opt->listen_count ? ntohs(first->sin_port) : FARMEM_DEFAULT_PORT;
}

static json_t *show_config_uuid(const struct options *opt)
{
	static const uint8_t none[FARMEM_ID_LEN];
	char text[UUID_TEXT];

	return memcmp(opt->uuid, none, sizeof(none)) ? json_string(format_uuid(opt->uuid, text)) :
	       json_null();
}

static json_t *show_config_clients(const struct options *opt)
{
	json_t *clients = json_object();
	const struct client_options *client;

	for (client = opt->clients; client; client = client->next)
		json_object_set_new(clients, client->name,
				    json_pack("{s:o, s:i}", "quota",
					      client->has_quota ? json_integer(client->quota) : json_null(),
					      "weight", client->weight));
	return clients;
}

/* The options, by the names that the file has for them. */
static json_t *show_config_options(const struct options *opt)
{
	return json_pack("{s:I, s:I, s:I, s:i, s:o, s:I, s:I, s:I, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o}",
			 "size", (json_int_t)opt->size, "spare", (json_int_t)opt->spare,
			 "headroom", (json_int_t)opt->headroom, "notice", opt->notice,
			 "listen", show_config_listen(opt),
			 "hugepages", (json_int_t)opt->hugepage_size,
			 "slab-size", (json_int_t)opt->slab_size, "quota", (json_int_t)opt->quota,
			 "max-clients", opt->max_clients, "max-queues", opt->max_queues,
			 "lease", opt->lease, "pool", show_config_text(opt->pool),
			 "keys", show_config_text(opt->keys), "uuid", show_config_uuid(opt),
			 "control", show_config_text(opt->control),
			 "status-socket", show_config_text(opt->status_socket),
			 "metrics", show_config_metrics(opt), "insecure", opt->insecure,
			 "verbose", opt->verbose, "clients", show_config_clients(opt));
}

/* What comes of them on this machine. */
static json_t *show_config_outcome(const struct options *opt)
{
	uint64_t locked = opt->size ? pool_size_mapped(opt->size, opt->slab_size,
						       opt->hugepage_size) : 0;

	return json_pack("{s:i, s:I, s:I}", "port", show_config_port(opt),
			 "locked", (json_int_t)locked,
			 "missing", (json_int_t)pool_size_missing(locked - opt->spare, opt->pool));
}

static json_t *show_config_file(const struct options *opt, int file, const char *error)
{
	const char *state = !file ? "read" : file == -ENOENT ? "absent" :
			    file == -EACCES ? "unreadable" : "wrong";

	return json_pack("{s:o, s:s?, s:o}", "config", show_config_text(opt->config),
			 "file", opt->config ? state : NULL, "error", show_config_text(error));
}

int show_config_print(const struct options *opt, int file, const char *error)
{
	json_t *all = show_config_file(opt, file, error);
	json_t *options = show_config_options(opt), *outcome = show_config_outcome(opt);
	int ret = -ENOMEM;

	if (all && !json_object_update(all, options) && !json_object_update(all, outcome))
		ret = json_dumpf(all, stdout, JSON_INDENT(2));
	puts("");
	json_decref(all);
	json_decref(options);
	json_decref(outcome);
	return ret ? -ENOMEM : 0;
}
