/* SPDX-License-Identifier: GPL-2.0 */
/* key.h - where a key is. */
#ifndef FARMEMCTL_KEY_H
#define FARMEMCTL_KEY_H

struct cli_args;

int key_reference(const struct cli_args *args, const char *given, char **reference);

#endif
