/* SPDX-License-Identifier: GPL-2.0 */
/* show-config.h - farmemd --show-config: the configuration, for other programs */
#ifndef SHOW_CONFIG_H
#define SHOW_CONFIG_H

struct options;

/**
 * show_config_print() - print the effective configuration as JSON
 * @opt: as far as the file and the command line could be read
 * @file: what config_read() returned; 0 if there was no file to read
 * @error: what is wrong with the file, or with the options; NULL: nothing
 *
 * It looks at the pool's file, and changes nothing.
 * Return: 0 or -ENOMEM.
 */
int show_config_print(const struct options *opt, int file, const char *error);

#endif /* SHOW_CONFIG_H */
