/* SPDX-License-Identifier: GPL-2.0 */
/*
 * volume-file.h - files of /etc/farmem/volumes.d, a volume or a group each: NAME.conf
 *
 * [volume] has the long options of "farmemctl volume create" as keys, [group] those of "group
 * create".  [swap], if it is there, says that the disk is swap, and how.
 */
#ifndef VOLUME_FILE_H
#define VOLUME_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define VOLUME_FILES "/etc/farmem/volumes.d"
#define VOLUME_FILE_OPTIONS 64
#define VOLUME_FILE_GROUP_NAME 24	/* characters of a group's name */

/**
 * struct volume_file - what such a file says
 * @name: the volume's
 * @path: the file's
 * @group: it is a group
 * @option: of "volume create" or "group create", as words of a command line: "--size=4G"
 * @count: of @option
 * @start: of "group start": how long it waits for servers; NULL unless said
 * @swap: it is swap
 * @priority: of that, NULL unless said
 * @discard: of that, as swapon takes it: "no", "yes", "once" or "pages"; NULL unless said
 */
struct volume_file {
	char *name;
	char *path;
	bool group;
	char *option[VOLUME_FILE_OPTIONS];
	unsigned int count;
	char *start;
	bool swap;
	char *priority;
	char *discard;
};

/* volume_file_names() - the volumes that have a file, for name_list_free(); NULL: no folder */
char **volume_file_names(void);

/**
 * volume_file_read() - read a volume's file
 * @file: filled in, for volume_file_free(), also after an error
 * @name: the volume's
 * @error: room for a message, which names file and line
 * @size: of @error
 *
 * Return: 0, -EINVAL, or what opening the file gave.
 */
int volume_file_read(struct volume_file *file, const char *name, char *error, size_t size);

/* volume_file_has() - does it give the option of that name, which takes a value? */
bool volume_file_has(const struct volume_file *file, const char *name);

void volume_file_free(struct volume_file *file);

#endif /* VOLUME_FILE_H */
