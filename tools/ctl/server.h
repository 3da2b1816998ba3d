/* SPDX-License-Identifier: GPL-2.0 */
/*
 * server.h - the server verbs: what farmemd lends, on the memory node.
 */
#ifndef FARMEMCTL_SERVER_H
#define FARMEMCTL_SERVER_H

#include "table.h"

struct cli_args;

extern const struct table server_table;
extern const struct table loan_table;

int server_show(const struct cli_args *args);
int server_list(const struct cli_args *args);
int server_release(const struct cli_args *args);
int server_disconnect(const struct cli_args *args);
int server_reload(const struct cli_args *args);
int server_stop(const struct cli_args *args);

#endif
