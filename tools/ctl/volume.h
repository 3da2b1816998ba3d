/* SPDX-License-Identifier: GPL-2.0 */
/*
 * volume.h - the volume verbs that look at and remove volumes.
 */
#ifndef FARMEMCTL_VOLUME_H
#define FARMEMCTL_VOLUME_H

#include "table.h"

struct cli_args;

extern const struct table volume_table;

int volume_list(const struct cli_args *args);
int volume_show(const struct cli_args *args);
int volume_delete(const struct cli_args *args);

#endif
