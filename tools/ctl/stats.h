/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stats.h - the counters of the volumes' disks, once or at an interval.
 */
#ifndef FARMEMCTL_STATS_H
#define FARMEMCTL_STATS_H

#include "table.h"

struct cli_args;

extern const struct table stats_table;

int stats_run(const struct cli_args *args);

#endif
