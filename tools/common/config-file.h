/* SPDX-License-Identifier: GPL-2.0 */
/* config-file.h - configuration files: sections, 'key = value', comments */
#ifndef CONFIG_FILE_H
#define CONFIG_FILE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct config_grammar - what may stand in a file
 * @main: the section of the keys that stand before any section
 * @section: a section begins; returns NULL, or what is wrong with its name
 * @set: takes a key and its value; returns 0, or writes into @error what is wrong
 * @repeats: may a key be given more than once in a section?  NULL: none may
 */
struct config_grammar {
	const char *main;
	const char *(*section)(void *user, const char *name);
	int (*set)(void *user, const char *section, const char *key, const char *value,
		   char *error, size_t size);
	bool (*repeats)(const char *key);
};

/**
 * config_file_read() - read a configuration file
 * @path: the file
 * @grammar: what may stand in it
 * @user: for @grammar
 * @error: room for a message, which names file and line
 * @size: of @error
 *
 * Return: 0, -EINVAL or what opening the file gave.
 */
int config_file_read(const char *path, const struct config_grammar *grammar, void *user,
		     char *error, size_t size);

#endif /* CONFIG_FILE_H */
