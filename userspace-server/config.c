// SPDX-License-Identifier: GPL-2.0
/*
 * config.c - farmemd.conf: the long options as keys, and quotas per client.
 *
 * Owns nothing but the file's grammar; libinih reads it, options_set() knows
 * the keys.  Called once, by options_parse().
 */
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "options.h"
#include "parse.h"

struct config_reader {
	struct options *opt;
	char message[160];	/* of the first bad line */
};

static struct quota *quota_of(struct options *opt, const char *name)
{
	struct quota *quota;

	for (quota = opt->quotas; quota; quota = quota->next)
		if (!strcmp(quota->name, name))
			return quota;
	quota = calloc(1, sizeof(*quota));
	if (!quota)
		return NULL;
	strcpy(quota->name, name);
	quota->bytes = UINT64_MAX;
	quota->next = opt->quotas;
	opt->quotas = quota;
	return quota;
}

static int set_client(struct options *opt, const char *name, const char *key,
		      const char *value, char *error, size_t size)
{
	struct quota *quota;

	if (!*name || strlen(name) >= FARMEM_NAME_LEN) {
		snprintf(error, size, "a client's name has 1 to %d bytes", FARMEM_NAME_LEN - 1);
		return -EINVAL;
	}
	if (strcmp(key, "quota")) {
		snprintf(error, size, "unknown key '%.40s' in [client %.40s]; there is only quota",
			 key, name);
		return -ENOENT;
	}
	quota = quota_of(opt, name);
	if (!quota)
		return -ENOMEM;
	if (parse_size(value, &quota->bytes)) {
		snprintf(error, size, "quota: '%.40s' is not a size such as 512M or 4G", value);
		return -EINVAL;
	}
	return 0;
}

static int set_key(struct config_reader *reader, const char *section,
		   const char *key, const char *value)
{
	static const char client[] = "client ";
	char *error = reader->message;
	size_t size = sizeof(reader->message);

	if (!strncmp(section, client, strlen(client)))
		return set_client(reader->opt, section + strlen(client), key, value, error, size);
	if (*section && strcmp(section, "farmemd")) {
		snprintf(error, size, "unknown section [%.40s]; there are [farmemd] and [client NAME]",
			 section);
		return -EINVAL;
	}
	if (!strcmp(key, "config") || !strcmp(key, "check") ||
	    !strcmp(key, "help") || !strcmp(key, "version")) {
		snprintf(error, size, "'%s' is for the command line only", key);
		return -EINVAL;
	}
	return options_set(reader->opt, key, value, error, size);
}

static int handle_line(void *user, const char *section, const char *key, const char *value)
{
	struct config_reader *reader = user;

	/* libinih reads on after an error, but reports only the first line. */
	if (*reader->message)
		return 0;
	return !set_key(reader, section, key, value);
}

int config_read(struct options *opt, const char *path, char *error, size_t size)
{
	struct config_reader reader = { .opt = opt };
	FILE *file = fopen(path, "re");
	int line;

	if (!file) {
		int err = errno;

		snprintf(error, size, "%s: %s", path, strerror(err));
		return -err;
	}
	line = ini_parse_file(file, handle_line, &reader);
	fclose(file);
	if (!line)
		return 0;
	if (line < 0)
		snprintf(error, size, "%s: cannot be read", path);
	else
		snprintf(error, size, "%s:%d: %s", path, line,
			 *reader.message ? reader.message : "not a section, 'key = value' or comment");
	return -EINVAL;
}
