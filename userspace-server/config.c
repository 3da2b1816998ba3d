// SPDX-License-Identifier: GPL-2.0
/*
 * config.c - farmemd.conf: the long options as keys, and quotas per client.
 *
 * Owns nothing but the file's grammar; libinih reads it, the table of options has
 * the keys.  Called once, by command-line.c.
 */
#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "keys.h"
#include "options.h"
#include "size.h"

#define BLANKS " \t\r\n\v\f"

/* A key that was given, with the section it stands in. */
struct seen {
	struct seen *next;
	char text[];
};

/* Only what libinih reads as it was meant is its own to judge. */
struct config_reader {
	struct options *opt;
	FILE *file;
	struct seen *seen;
	char *text;		/* of the last line, as long as it is */
	size_t room;
	int line;		/* its number */
	char section[256];	/* that it is in: libinih keeps 49 bytes of a name */
	int bad;		/* the first line that libinih would misread; 0: none */
	const char *flaw;	/* of that */
	char message[160];	/* of the first bad line */
};

static struct quota *config_quota_of(struct options *opt, const char *name)
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

static int config_set_client(struct options *opt, const char *name, const char *key,
			     const char *value, char *error, size_t size)
{
	struct quota *quota;

	/* A quota of another name would be void. */
	if (!keys_is_name(name)) {
		snprintf(error, size, "a client's name has 1 to %d visible ASCII characters",
			 FARMEM_NAME_LEN - 1);
		return -EINVAL;
	}
	if (strcmp(key, "quota")) {
		snprintf(error, size, "unknown key '%.40s' in [client %.40s]; the only key there is quota",
			 key, name);
		return -ENOENT;
	}
	quota = config_quota_of(opt, name);
	if (!quota)
		return -ENOMEM;
	if (size_parse(value, &quota->bytes)) {
		snprintf(error, size, "quota: '%.40s' is not a size such as 512M or 4G", value);
		return -EINVAL;
	}
	return 0;
}

/* A key that is given twice hides one of its values, unless it may have several. */
static int config_see(struct config_reader *reader, const char *section, const char *key)
{
	const char *in = *section ? section : "farmemd";
	size_t room = strlen(in) + strlen(key) + 2;
	struct seen *seen = malloc(sizeof(*seen) + room);
	const struct option_row *row = options_find(key);
	struct seen *other;

	if (!seen)
		return -ENOMEM;
	snprintf(seen->text, room, "%s\n%s", in, key);
	for (other = reader->seen; other; other = other->next)
		if (!strcmp(other->text, seen->text))
			break;
	seen->next = reader->seen;
	reader->seen = seen;
	if (!other || (row && row->repeats))
		return 0;
	snprintf(reader->message, sizeof(reader->message),
		 "'%.40s' is given a second time; remove one of the two", key);
	return -EINVAL;
}

static void config_forget(struct config_reader *reader)
{
	struct seen *seen;

	while ((seen = reader->seen)) {
		reader->seen = seen->next;
		free(seen);
	}
}

static int config_set_key(struct config_reader *reader, const char *section,
			  const char *key, const char *value)
{
	static const char client[] = "client ";
	const struct option_row *row = options_find(key);
	char *error = reader->message;
	size_t size = sizeof(reader->message);

	if (!strncmp(section, client, strlen(client)))
		return config_set_client(reader->opt, section + strlen(client), key, value, error,
					 size);
	if (*section && strcmp(section, "farmemd")) {
		snprintf(error, size, "unknown section [%.40s]; there are [farmemd] and [client NAME]",
			 section);
		return -EINVAL;
	}
	if (row && row->line_only) {
		snprintf(error, size, "'%s' is for the command line only", key);
		return -EINVAL;
	}
	return options_set(reader->opt, key, value, error, size);
}

static int config_handle_line(void *user, const char *section, const char *key, const char *value)
{
	struct config_reader *reader = user;

	(void)section;
	/* libinih reads on after an error, but reports only the first line. */
	if (*reader->message)
		return 0;
	return !config_see(reader, reader->section, key) &&
	       !config_set_key(reader, reader->section, key, value);
}

/* Is the rest of a line only blanks and a comment? */
static bool config_is_over(const char *text)
{
	text += strspn(text, BLANKS);
	return !*text || *text == '#' || *text == ';';
}

/* Between its brackets; false: something follows them, which libinih passes over. */
static bool config_take_section(struct config_reader *reader)
{
	const char *name = reader->text + 1, *end = strchr(name, ']');

	if (!end)
		return true;
	snprintf(reader->section, sizeof(reader->section), "%.*s", (int)(end - name), name);
	return config_is_over(end + 1);
}

/*
 * libinih takes a line that begins with a blank for more of the value before it.  It takes
 * the rest of a line that is too long for a line of its own.  A key would vanish, or appear.
 */
static const char *config_flaw(struct config_reader *reader, size_t length, int room)
{
	if (strlen(reader->text) < length)
		return "has a byte that is 0";
	if (length >= (size_t)room)
		return "is too long; only a comment may be that long";
	if (strspn(reader->text, BLANKS))
		return "begins with a blank; begin each key and section at the start of its line";
	if (*reader->text == '[' && !config_take_section(reader))
		return "has text after the ] that ends the section's name";
	return NULL;
}

static void config_pass_mark(char *text, ssize_t *length)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (strncmp(text, mark, strlen(mark)))
		return;
	*length -= strlen(mark);
	memmove(text, text + strlen(mark), *length + 1);
}

/* A line for libinih: whole, and of comments, which may be of any length, nothing. */
static char *config_next_line(char *text, int room, void *stream)
{
	struct config_reader *reader = stream;
	ssize_t length = getline(&reader->text, &reader->room, reader->file);
	const char *wrong;

	if (length < 0)
		return NULL;
	if (!reader->line++)
		config_pass_mark(reader->text, &length);
	*text = '\0';
	if (strlen(reader->text) == (size_t)length && config_is_over(reader->text))
		return text;
	wrong = config_flaw(reader, length, room);
	if (!wrong)
		return memcpy(text, reader->text, length + 1);
	if (!reader->bad) {
		reader->bad = reader->line;
		reader->flaw = wrong;
	}
	return text;
}

static void config_complain(const struct config_reader *reader, int line, const char *path,
			    char *error, size_t size)
{
	if (line < 0)
		snprintf(error, size, "%s: cannot be read", path);
	else if (reader->bad && (!line || reader->bad <= line))
		snprintf(error, size, "%s:%d: %s", path, reader->bad, reader->flaw);
	else
		snprintf(error, size, "%s:%d: %s", path, line,
			 *reader->message ? reader->message : "not a section, 'key = value' or comment");
}

int config_read(struct options *opt, const char *path, char *error, size_t size)
{
	struct config_reader reader = { .opt = opt, .file = fopen(path, "re") };
	bool unreadable;
	int line;

	if (!reader.file) {
		int err = errno;

		snprintf(error, size, "%s: %s", path, strerror(err));
		return -err;
	}
	line = ini_parse_stream(config_next_line, &reader, config_handle_line, &reader);
	unreadable = ferror(reader.file) || (!line && !feof(reader.file));
	fclose(reader.file);
	config_forget(&reader);
	free(reader.text);
	if (unreadable)
		line = -1;
	if (!line && !reader.bad)
		return 0;
	config_complain(&reader, line, path, error, size);
	return -EINVAL;
}
