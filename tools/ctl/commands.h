/* SPDX-License-Identifier: GPL-2.0 */
/*
 * commands.h - what farmemctl.c's tree of commands runs, and the tables that they print.
 */
#ifndef FARMEMCTL_COMMANDS_H
#define FARMEMCTL_COMMANDS_H

#include "table.h"

struct cli_args;

extern const struct table volume_table, session_table, server_table, loan_table, stats_table;

/* volume.c looks at volumes and removes them; create.c: all or nothing. */
int volume_list(const struct cli_args *args);
int volume_show(const struct cli_args *args);
int volume_create(const struct cli_args *args);
int volume_delete(const struct cli_args *args);

/* session.c */
int session_list(const struct cli_args *args);
int session_show(const struct cli_args *args);
int session_create(const struct cli_args *args);
int session_delete(const struct cli_args *args);

/* key.c: new ones, and what one is for a server. */
int key_generate(const struct cli_args *args);
int key_derive(const struct cli_args *args);

/* stats.c: the counters of the volumes' disks; monitor.c: the kernel's own uevents. */
int stats_run(const struct cli_args *args);
int monitor_run(const struct cli_args *args);

/* server.c: what farmemd lends, on the memory node. */
int server_show(const struct cli_args *args);
int server_list(const struct cli_args *args);
int server_release(const struct cli_args *args);
int server_disconnect(const struct cli_args *args);
int server_reload(const struct cli_args *args);
int server_stop(const struct cli_args *args);

#endif
