// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "config-file.h"
#include "parse.h"
#include "size.h"
#include "volume-file.h"

#define SUFFIX ".conf"

/*
 * A key, and what its value may be: NULL, or what is wrong with @value.  The module knows
 * the bounds of seconds and counts, and refuses what is out of them.
 */
struct volume_key {
	const char *section;
	const char *name;
	const char *(*wrong)(const char *value);
	bool is_switch;
};

static const char *wrong_text(const char *value)
{
	return *value && text_visible(value) ? NULL : "give visible ASCII characters without blanks";
}

static const char *wrong_size(const char *value)
{
	uint64_t bytes;

	return size_parse(value, &bytes) || !bytes ? "give a size such as 512M or 4G" : NULL;
}

static const char *wrong_number(const char *value)
{
	uint64_t number;

	return parse_number(value, 0, INT32_MAX, &number) ? "give a number" : NULL;
}

static const char *wrong_copies(const char *value)
{
	return strcmp(value, "1") && strcmp(value, "2") ? "give 1 or 2" : NULL;
}

static const char *wrong_seconds(const char *value)
{
	uint64_t ms;

	return parse_seconds(value, &ms) ? "give seconds, such as 7 or 0.5" : NULL;
}

static const char *wrong_deadline(const char *value)
{
	return strcmp(value, "-1") && wrong_seconds(value) ?
		       "give seconds, 0: not at all, or -1: for ever" : NULL;
}

/* The service that starts a group has 600 s for all of it. */
static const char *wrong_start_timeout(const char *value)
{
	uint64_t number;

	return parse_number(value, 0, 500, &number) ? "give seconds from 0 to 500" : NULL;
}

static const char *wrong_priority(const char *value)
{
	uint64_t number;

	return parse_number(value, 0, 32767, &number) ? "give a number from 0 to 32767" : NULL;
}

static const char *wrong_uuid(const char *value)
{
	uint8_t uuid[16];

	return parse_uuid(value, uuid) ? "give a UUID" : NULL;
}

/* A unit of systemd has no folder of its own to begin from. */
static const char *wrong_key(const char *value)
{
	return *value == '/' || (!strncmp(value, "keyring:", 8) && value[8]) ?
		       NULL : "give a path that begins with /, or keyring:DESCRIPTION";
}

static const char *wrong_checksum(const char *value)
{
	return strcmp(value, "crc32c") && strcmp(value, "none") ? "give crc32c or none" : NULL;
}

static const char *wrong_switch(const char *value)
{
	return strcmp(value, "yes") && strcmp(value, "no") ? "give yes or no" : NULL;
}

static const char *wrong_discard(const char *value)
{
	return strcmp(value, "once") && strcmp(value, "pages") && wrong_switch(value) ?
		       "give yes, no, once or pages" : NULL;
}

static const struct volume_key keys[] = {
	{ "volume", "server", wrong_text, false },
	{ "volume", "size", wrong_size, false },
	{ "volume", "client", wrong_text, false },
	{ "volume", "key", wrong_key, false },
	{ "volume", "source", wrong_text, false },
	{ "volume", "queues", wrong_number, false },
	{ "volume", "uuid", wrong_uuid, false },
	{ "volume", "sync", wrong_switch, true },
	{ "volume", "checksum", wrong_checksum, false },
	{ "volume", "connect-timeout", wrong_number, false },
	{ "volume", "reconnect-delay", wrong_number, false },
	{ "volume", "reconnect-max", wrong_number, false },
	{ "volume", "heartbeat", wrong_number, false },
	{ "volume", "peer-timeout", wrong_seconds, false },
	{ "volume", "io-deadline", wrong_deadline, false },
	{ "volume", "partner", wrong_text, false },
	{ "group", "server", wrong_text, false },
	{ "group", "size", wrong_size, false },
	{ "group", "chunk", wrong_size, false },
	{ "group", "copies", wrong_copies, false },
	{ "group", "client", wrong_text, false },
	{ "group", "key", wrong_key, false },
	{ "group", "source", wrong_text, false },
	{ "group", "queues", wrong_number, false },
	{ "group", "checksum", wrong_checksum, false },
	{ "group", "heartbeat", wrong_number, false },
	{ "group", "peer-timeout", wrong_seconds, false },
	{ "group", "start-timeout", wrong_start_timeout, false },
	{ "swap", "priority", wrong_priority, false },
	{ "swap", "discard", wrong_discard, false },
	{ 0 }
};

static const struct volume_key *find_key(const char *section, const char *name)
{
	const struct volume_key *key;

	for (key = keys; key->name; key++)
		if (!strcmp(key->section, section) && !strcmp(key->name, name))
			return key;
	return NULL;
}

static const char *begin_section(void *user, const char *name)
{
	struct volume_file *file = user;

	if (!strcmp(name, "swap"))
		file->swap = true;
	else if (!strcmp(name, "group") && file->count && !file->group)
		return "[group] and keys of a volume are in one file";
	else if (!strcmp(name, "group"))
		file->group = true;
	else if (!strcmp(name, "volume") && file->group)
		return "[volume] and [group] are in one file";
	else if (strcmp(name, "volume"))
		return "unknown section; there are [volume], [group] and [swap]";
	return NULL;
}

static void take(struct volume_file *file, const struct volume_key *key, const char *value)
{
	if (!strcmp(key->name, "priority"))
		file->priority = text_copy(value);
	else if (!strcmp(key->name, "discard"))
		file->discard = text_copy(value);
	else if (!strcmp(key->name, "start-timeout"))
		file->start = text_format("--timeout=%s", value);
	else if (!key->is_switch)
		file->option[file->count++] = text_format("--%s=%s", key->name, value);
	else if (!strcmp(value, "yes"))
		file->option[file->count++] = text_format("--%s", key->name);
}

static int set_key(void *user, const char *section, const char *name, const char *value,
		   char *error, size_t size)
{
	const struct volume_key *key = find_key(section, name);
	const char *wrong = key ? key->wrong(value) : NULL;
	struct volume_file *file = user;

	if (!key)
		snprintf(error, size, "unknown key '%.40s' in [%s]", name, section);
	else if (wrong)
		snprintf(error, size, "%s: '%.40s': %s", name, value, wrong);
	else if (!file->group && volume_file_has(file, name) && !strcmp(name, "server"))
		snprintf(error, size, "'server' is given a second time; several are for a [group]");
	else if (file->count == VOLUME_FILE_OPTIONS)
		snprintf(error, size, "more than %d keys", VOLUME_FILE_OPTIONS);
	else
		take(file, key, value);
	return *error ? -EINVAL : 0;
}

bool volume_file_has(const struct volume_file *file, const char *name)
{
	CLEANUP_FREE char *begin = text_format("--%s=", name);
	unsigned int i;

	for (i = 0; i < file->count; i++)
		if (!strncmp(file->option[i], begin, strlen(begin)))
			return true;
	return false;
}

/* [group] may name many; [volume] takes one, see set_key(). */
static bool may_repeat(const char *key)
{
	return !strcmp(key, "server");
}

/* It names a unit of systemd and a link of udev as well. */
static bool is_name(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_.-";

	return *name && *name != '.' && !name[strspn(name, plain)] &&
	       strlen(name) < FARMEM_VOLUME_NAME_LEN;
}

int volume_file_read(struct volume_file *file, const char *name, char *error, size_t size)
{
	static const struct config_grammar grammar = {
		.main = "volume", .section = begin_section, .set = set_key, .repeats = may_repeat,
	};
	const char *lacks;
	int err;

	*file = (struct volume_file) {
		.name = text_copy(name),
		.path = text_format("%s" VOLUME_FILES "/%s" SUFFIX, file_root(), name),
	};
	if (!is_name(name)) {
		snprintf(error, size, "%s: the name of a volume that has a file consists of 1 to %d letters, digits, '_', '-' and '.', and begins with no '.'",
			 file->path, FARMEM_VOLUME_NAME_LEN - 1);
		return -EINVAL;
	}
	err = config_file_read(file->path, &grammar, file, error, size);
	if (err)
		return err;
	if (file->group && (strchr(name, '.') || *name == '-' || strlen(name) > VOLUME_FILE_GROUP_NAME)) {
		snprintf(error, size, "%s: the name of a group consists of 1 to %d letters, digits, '_' and '-', and begins with no '-'",
			 file->path, VOLUME_FILE_GROUP_NAME);
		return -EINVAL;
	}
	/* Of a group they are found in the cluster's directory. */
	lacks = !file->group && !volume_file_has(file, "server") ? "server" :
		!volume_file_has(file, "size") ? "size" : NULL;
	if (!lacks)
		return 0;
	snprintf(error, size, "%s: [%s] lacks %s", file->path,
		 file->group ? "group" : "volume", lacks);
	return -EINVAL;
}

void volume_file_free(struct volume_file *file)
{
	while (file->count)
		free(file->option[--file->count]);
	free(file->name);
	free(file->path);
	free(file->start);
	free(file->priority);
	free(file->discard);
}

char **volume_file_names(void)
{
	char **all = name_list("%s" VOLUME_FILES, file_root());
	char **name, **kept = all;

	for (name = all; name && *name; name++) {
		char *end = *name + strlen(*name) - strlen(SUFFIX);

		if (end > *name && !strcmp(end, SUFFIX)) {
			*end = '\0';
			*kept++ = *name;
		} else {
			free(*name);
		}
	}
	if (all)
		*kept = NULL;
	return all;
}
