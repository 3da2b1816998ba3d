/* SPDX-License-Identifier: GPL-2.0 */
/*
 * process.h - several client processes at once, and what they share.
 */
#ifndef VERBS_PROCESS_H
#define VERBS_PROCESS_H

#include "output.h"

#define PROCESSES_MAX 16

int process_run(const struct options *options, struct row *rows, size_t *count);

#endif
