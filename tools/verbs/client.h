/* SPDX-License-Identifier: GPL-2.0 */
/*
 * client.h - the end that asks.
 */
#ifndef VERBS_CLIENT_H
#define VERBS_CLIENT_H

#include "output.h"
#include "session.h"

#define ROWS_MAX 32		/* sizes in a sweep over sizes */

/**
 * struct client - a client's run
 * @options: of it
 * @process: which of several, from 0
 * @talk: control connection
 * @session: this end
 * @rows: measured
 * @count: of @rows
 */
struct client {
	struct options options;
	unsigned int process;
	struct talk talk;
	struct session session;
	struct row rows[ROWS_MAX];
	size_t count;
};

struct client *client_new(const struct options *options, unsigned int process);
int client_begin(struct client *client);
int client_go(struct client *client);
int client_end(struct client *client, int rc);

#endif
