/* SPDX-License-Identifier: GPL-2.0 */
/*
 * server.h - the end that answers.
 */
#ifndef VERBS_SERVER_H
#define VERBS_SERVER_H

#include "options.h"

int server_main(struct options *options);

#endif
