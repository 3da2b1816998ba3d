// SPDX-License-Identifier: GPL-2.0
/*
 * config-file.c - the grammar of configuration files.
 *
 * libinih reads them.  Only what it reads as it was meant is the caller's to judge: it takes
 * some lines for what they are not, and keeps 49 bytes of a section's name.
 */
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config-file.h"

#define BLANKS " \t\r\n\v\f"

/* A key that was given, with the section it stands in. */
struct seen {
	struct seen *next;
	char text[];
};

struct config_reader {
	const struct config_grammar *grammar;
	void *user;
	FILE *file;
	struct seen *seen;
	char *text;		/* of the last line, as long as it is */
	size_t room;
	int line;		/* its number */
	char section[256];	/* that it is in */
	int bad;		/* the first line that libinih would misread; 0: none */
	const char *flaw;	/* of that */
	char message[160];	/* of the first bad line */
};

/* A key that is given twice hides one of its values, unless it may have several. */
static int config_see(struct config_reader *reader, const char *key)
{
	size_t room = strlen(reader->section) + strlen(key) + 2;
	struct seen *seen = malloc(sizeof(*seen) + room);
	struct seen *other;

	if (!seen)
		return -ENOMEM;
	snprintf(seen->text, room, "%s\n%s", reader->section, key);
	for (other = reader->seen; other; other = other->next)
		if (!strcmp(other->text, seen->text))
			break;
	seen->next = reader->seen;
	reader->seen = seen;
	if (!other || (reader->grammar->repeats && reader->grammar->repeats(key)))
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

static int config_handle_line(void *user, const char *section, const char *key, const char *value)
{
	struct config_reader *reader = user;

	(void)section;
	/* libinih reads on after an error, but reports only the first line. */
	if (*reader->message)
		return 0;
	return !config_see(reader, key) &&
	       !reader->grammar->set(reader->user, reader->section, key, value, reader->message,
				     sizeof(reader->message));
}

/* Is the rest of a line only blanks and a comment? */
static bool config_is_over(const char *text)
{
	text += strspn(text, BLANKS);
	return !*text || *text == '#' || *text == ';';
}

/* Between its brackets; libinih passes over what follows them. */
static const char *config_take_section(struct config_reader *reader)
{
	const char *name = reader->text + 1, *end = strchr(name, ']');

	if (!end)
		return NULL;
	snprintf(reader->section, sizeof(reader->section), "%.*s", (int)(end - name), name);
	if (!config_is_over(end + 1))
		return "has text after the ] that ends the section's name";
	return reader->grammar->section(reader->user, reader->section);
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
	return *reader->text == '[' ? config_take_section(reader) : NULL;
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

int config_file_read(const char *path, const struct config_grammar *grammar, void *user,
		     char *error, size_t size)
{
	struct config_reader reader = {
		.grammar = grammar, .user = user, .file = fopen(path, "re"),
	};
	bool unreadable;
	int line;

	if (!reader.file) {
		int err = errno;

		snprintf(error, size, "%s: %s", path, strerror(err));
		return -err;
	}
	snprintf(reader.section, sizeof(reader.section), "%s", grammar->main);
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
