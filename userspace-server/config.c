// SPDX-License-Identifier: GPL-2.0
/*
 * config.c - farmemd.conf: the long options as keys, and settings for clients by name.
 *
 * The table of options has the keys.  Called once, by command-line.c.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config-file.h"
#include "config.h"
#include "keys.h"
#include "options.h"
#include "parse.h"
#include "size.h"

static struct client_options *config_client(struct options *opt, const char *name)
{
	struct client_options *client = opt->clients;

	while (client && strcmp(client->name, name))
		client = client->next;
	if (client)
		return client;
	client = calloc(1, sizeof(*client));
	if (!client)
		return NULL;
	strcpy(client->name, name);
	client->weight = 1;
	client->next = opt->clients;
	opt->clients = client;
	return client;
}

static int config_set_quota(struct client_options *client, const char *value, char *error, size_t size)
{
	client->has_quota = true;
	if (!size_parse(value, &client->quota))
		return 0;
	snprintf(error, size, "quota: '%.40s' is not a size such as 512M or 4G", value);
	return -EINVAL;
}

static int config_set_weight(struct client_options *client, const char *value, char *error, size_t size)
{
	uint64_t weight;

	if (parse_number(value, 1, OPTIONS_WEIGHT_MAX, &weight)) {
		snprintf(error, size, "weight: '%.40s' is not a number from 1 to %u", value, OPTIONS_WEIGHT_MAX);
		return -EINVAL;
	}
	client->weight = weight;
	return 0;
}

static int config_set_client(struct options *opt, const char *name, const char *key,
			     const char *value, char *error, size_t size)
{
	bool is_quota = !strcmp(key, "quota");
	struct client_options *client;

	/* A quota of another name would be void. */
	if (!keys_is_name(name)) {
		snprintf(error, size, "a client's name has 1 to %d visible ASCII characters",
			 FARMEM_NAME_LEN - 1);
		return -EINVAL;
	}
	if (!is_quota && strcmp(key, "weight")) {
		snprintf(error, size, "unknown key '%.40s' in [client %.40s]; there are quota and weight",
			 key, name);
		return -ENOENT;
	}
	client = config_client(opt, name);
	if (!client)
		return -ENOMEM;
	return is_quota ? config_set_quota(client, value, error, size) :
			  config_set_weight(client, value, error, size);
}

/* Of "[client NAME]" the name; NULL: it is another section. */
static const char *config_client_of(const char *section)
{
	static const char client[] = "client ";

	return strncmp(section, client, strlen(client)) ? NULL : section + strlen(client);
}

static const char *config_begin_section(void *user, const char *name)
{
	(void)user;
	return !strcmp(name, "farmemd") || config_client_of(name) ?
		       NULL : "unknown section; there are [farmemd] and [client NAME]";
}

static int config_set_key(void *user, const char *section, const char *key, const char *value,
			  char *error, size_t size)
{
	const char *client = config_client_of(section);
	const struct option_row *row = options_find(key);
	struct options *opt = user;

	if (client)
		return config_set_client(opt, client, key, value, error, size);
	if (row && row->line_only) {
		snprintf(error, size, "'%s' is for the command line only", key);
		return -EINVAL;
	}
	return options_set(opt, key, value, error, size);
}

static bool config_key_repeats(const char *key)
{
	const struct option_row *row = options_find(key);

	return row && row->repeats;
}

int config_read(struct options *opt, const char *path, char *error, size_t size)
{
	static const struct config_grammar grammar = {
		.main = "farmemd", .section = config_begin_section,
		.set = config_set_key, .repeats = config_key_repeats,
	};

	return config_file_read(path, &grammar, opt, error, size);
}
