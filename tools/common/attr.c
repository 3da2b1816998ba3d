// SPDX-License-Identifier: GPL-2.0
#include "attr.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A one-value file of sysfs or configfs is at most a page. */
#define ATTR_MAX 4096

static const char *root(const char *variable, const char *fallback)
{
	const char *path = secure_getenv(variable);

	return path && *path ? path : fallback;
}

/** configfs_root() - the module's directory in configfs */
const char *configfs_root(void)
{
	return root("FARMEM_CONFIGFS", "/sys/kernel/config/farmem");
}

/** sysfs_root() - where sysfs is mounted */
const char *sysfs_root(void)
{
	return root("FARMEM_SYSFS", "/sys");
}

/** proc_root() - where procfs is mounted */
const char *proc_root(void)
{
	return root("FARMEM_PROC", "/proc");
}

/** run_root() - where files are that last until the next boot */
const char *run_root(void)
{
	return root("FARMEM_RUN", "/run");
}

/** file_root() - what stands before all other paths: "" unless a test says otherwise */
const char *file_root(void)
{
	return root("FARMEM_ROOT", "");
}

/** checked() - memory that must be there: without it the program ends */
void *checked(void *pointer)
{
	if (!pointer)
		exit(fail("out of memory"));
	return pointer;
}

/** text_vformat() - vprintf into a new string, to free */
char *text_vformat(const char *fmt, va_list ap)
{
	char *text = NULL;

	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	return checked(text);
}

/** text_format() - printf into a new string, to free */
char *text_format(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = text_vformat(fmt, ap);
	va_end(ap);
	return text;
}

/** text_copy() - a copy to free; NULL of NULL */
char *text_copy(const char *text)
{
	return text ? checked(strdup(text)) : NULL;
}

/** text_add() - add @more to a text to free, behind @between unless the text is NULL so far */
void text_add(char **text, const char *between, const char *more)
{
	CLEANUP_FREE char *before = *text;

	*text = text_format("%s%s%s", before ? before : "", before ? between : "", more);
}

/** text_visible() - whether it is visible ASCII alone, without blanks, as names are */
bool text_visible(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

/** attr_read() - a one-value file without its newline, to free; NULL with errno set */
char *attr_read(const char *fmt, ...)
{
	CLEANUP_FREE char *buffer = checked(calloc(1, ATTR_MAX + 1));
	CLEANUP_FREE char *path = NULL;
	va_list ap;
	ssize_t got;
	int fd;

	va_start(ap, fmt);
	path = text_vformat(fmt, ap);
	va_end(ap);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	got = read(fd, buffer, ATTR_MAX);
	close(fd);
	if (got < 0)
		return NULL;
	while (got > 0 && strchr(" \n", buffer[got - 1]))
		buffer[--got] = '\0';
	return text_copy(buffer);
}

/** file_missing() - is there no file of that path?  @fmt: as for printf */
bool file_missing(const char *fmt, ...)
{
	CLEANUP_FREE char *path = NULL;
	va_list ap;

	va_start(ap, fmt);
	path = text_vformat(fmt, ap);
	va_end(ap);
	return access(path, F_OK);
}

/**
 * attr_write() - write a one-value file, in one write(2) as configfs wants it
 *
 * Return: 0 or a negative errno, the kernel's answer to the value.
 */
int attr_write(const char *path, const char *value)
{
	int rc = 0;
	int fd;

	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* Of nothing the kernel would not hear. */
	value = *value ? value : "\n";
	if (write(fd, value, strlen(value)) < 0)
		rc = -errno;
	close(fd);
	return rc;
}

/** disk_attr() - /sys/block/DEVICE/NAME, as attr_read(); NULL for the device "" */
char *disk_attr(const char *device, const char *name)
{
	if (!device || !*device)
		return NULL;
	return attr_read("%s/block/%s/%s", sysfs_root(), device, name);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/**
 * name_list() - the names in a directory, in natural order (farmem2 < farmem10)
 *
 * Return: a NULL-terminated array for name_list_free(); NULL with errno set.
 */
char **name_list(const char *fmt, ...)
{
	CLEANUP_FREE char *path = NULL;
	struct dirent **entries;
	char **names;
	va_list ap;
	int count;
	int i;

	va_start(ap, fmt);
	path = text_vformat(fmt, ap);
	va_end(ap);
	count = scandir(path, &entries, is_visible, versionsort);
	if (count < 0)
		return NULL;
	names = checked(calloc(count + 1, sizeof(*names)));
	for (i = 0; i < count; i++) {
		names[i] = text_copy(entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return names;
}

/** name_list_free() - free what name_list() returned, or NULL */
void name_list_free(char **names)
{
	char **name;

	for (name = names; name && *name; name++)
		free(*name);
	free(names);
}
