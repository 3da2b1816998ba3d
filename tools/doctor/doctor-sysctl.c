// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-sysctl.c - does what the administrator's file of settings says hold?
 *
 * packaging/sysctl.d has an example of that file.  Another file that is read later, or a
 * program, may have set something else since; a file that is new waits for the next boot.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "doctor.h"

#define BLANKS		" \t\r\n"

/* A line of the file; both texts are to free. */
struct setting {
	char *name;
	char *value;
	bool optional;		/* this kernel may lack it */
};

struct settings {
	struct setting *list;	/* to free, as what is in it */
	size_t count;
	int error;		/* of opening the file */
};

/* A value with one blank between its words, as the kernel may print tabs; to free. */
static char *words_of(char *text)
{
	char *words = NULL, *word;

	while ((word = strsep(&text, BLANKS)))
		if (*word)
			text_add(&words, " ", word);
	return words ? words : text_copy("");
}

/* The file's own name of a setting has dots or slashes; the first one tells which. */
static void name_to_dots(char *name)
{
	char *at;

	if (name[strcspn(name, "./")] != '/')
		return;
	for (at = name; *at; at++)
		*at = *at == '/' ? '.' : *at == '.' ? '/' : *at;
}

static char *path_of(const char *name)
{
	char *path = text_copy(name), *full, *at;

	for (at = path; *at; at++)
		*at = *at == '.' ? '/' : *at == '/' ? '.' : *at;
	full = text_format("%s/sys/%s", proc_root(), path);
	free(path);
	return full;
}

static struct setting *find_setting(struct settings *settings, const char *name)
{
	size_t i;

	for (i = 0; i < settings->count; i++)
		if (!strcmp(settings->list[i].name, name))
			return &settings->list[i];
	return NULL;
}

/* The last line of a setting is the one that holds, as for sysctl(8). */
static void take_line(struct settings *settings, char *line)
{
	char *key = line + strspn(line, BLANKS), *value = strchr(key, '=');
	struct setting *setting;
	bool optional = *key == '-';

	if (!value || strchr("#;", *key))
		return;
	*value++ = '\0';
	/* A pattern means what there is when the file is read: nothing tells what it set. */
	if (strpbrk(key, "*?["))
		return;
	key = words_of(key + optional);
	name_to_dots(key);
	setting = find_setting(settings, key);
	if (setting) {
		free(setting->name);
		free(setting->value);
	} else {
		settings->list = checked(reallocarray(settings->list, settings->count + 1,
						      sizeof(*settings->list)));
		setting = &settings->list[settings->count++];
	}
	*setting = (struct setting){ key, words_of(value), optional };
}

static struct settings read_settings(void)
{
	CLEANUP_FREE char *path = text_format("%s" SYSCTL_FILE, file_root());
	CLEANUP_FREE char *line = NULL;
	FILE *file = fopen(path, "re");
	struct settings settings = { .error = file ? 0 : errno };
	size_t room = 0;

	while (file && getline(&line, &room, file) >= 0)
		take_line(&settings, line);
	if (file)
		fclose(file);
	return settings;
}

static void free_settings(struct settings *settings)
{
	while (settings->count) {
		free(settings->list[--settings->count].name);
		free(settings->list[settings->count].value);
	}
	free(settings->list);
}

/** doctor_sysctl_wanted() - what the file sets a setting to, to free; NULL: nothing */
char *doctor_sysctl_wanted(const char *name)
{
	struct settings settings = read_settings();
	struct setting *setting = find_setting(&settings, name);
	char *value = setting ? text_copy(setting->value) : NULL;

	free_settings(&settings);
	return value;
}

/* Says what differs; false: nothing does. */
static bool check_setting(struct doctor *doctor, const struct setting *setting)
{
	CLEANUP_FREE char *path = path_of(setting->name);
	CLEANUP_FREE char *text = attr_read("%s", path);
	CLEANUP_FREE char *value = text ? words_of(text) : NULL;

	if (!value && !setting->optional) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s can't be read, and " SYSCTL_FILE " sets it", path);
		doctor_advise(doctor, "sysctl -p " SYSCTL_FILE "    (as root: it says what is wrong with that line)");
	} else if (value && strcmp(value, setting->value)) {
		doctor_say(doctor, VERDICT_WARN, "%s is %s, " SYSCTL_FILE " has %s", setting->name,
			   value, setting->value);
		doctor_repair(doctor, "sysctl", "-p", SYSCTL_FILE, NULL);
		doctor_advise(doctor, "if it differs again after a boot: grep -s %s /etc/sysctl.conf /etc/sysctl.d/* /run/sysctl.d/* /usr/lib/sysctl.d/*    (the last by name wins)",
			      setting->name);
	} else {
		return false;
	}
	return true;
}

void check_sysctl(struct doctor *doctor)
{
	struct settings settings = read_settings();
	size_t i, differ = 0;

	for (i = 0; i < settings.count; i++)
		differ += check_setting(doctor, &settings.list[i]);
	if (settings.error == ENOENT) {
		doctor_say(doctor, VERDICT_OK, "there is no " SYSCTL_FILE);
	} else if (settings.error) {
		doctor_say(doctor, VERDICT_UNKNOWN, SYSCTL_FILE ": %s", strerror(settings.error));
		doctor_advise(doctor, "run the doctor as root");
	} else if (!differ) {
		doctor_say(doctor, VERDICT_OK, "what " SYSCTL_FILE " sets holds");
	}
	free_settings(&settings);
}
