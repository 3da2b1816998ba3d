/* SPDX-License-Identifier: GPL-2.0 */
/*
 * monitor.h - state changes as they happen, from the kernel's own uevents.
 */
#ifndef FARMEMCTL_MONITOR_H
#define FARMEMCTL_MONITOR_H

struct cli_args;

int monitor_run(const struct cli_args *args);

#endif
