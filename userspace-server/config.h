/* SPDX-License-Identifier: GPL-2.0 */
/* config.h - the configuration file, farmemd.conf(5) */
#ifndef FARMEMD_CONFIG_H
#define FARMEMD_CONFIG_H

#include <stddef.h>

struct options;

/**
 * config_read() - apply an INI file to the options
 * @opt: to change
 * @path: the file
 * @error: room for a message, which names file and line
 * @size: of @error
 *
 * Return: 0, -EINVAL or what opening the file gave.
 */
int config_read(struct options *opt, const char *path, char *error, size_t size);

#endif /* FARMEMD_CONFIG_H */
