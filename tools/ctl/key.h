/* SPDX-License-Identifier: GPL-2.0 */
/* key.h - keys: new ones, what they are for a server, and where one is. */
#ifndef FARMEMCTL_KEY_H
#define FARMEMCTL_KEY_H

struct cli_args;

int key_generate(const struct cli_args *args);
int key_derive(const struct cli_args *args);
int key_reference(const struct cli_args *args, const char *given, char **reference);

#endif
