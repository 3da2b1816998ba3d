/* SPDX-License-Identifier: GPL-2.0 */
/*
 * progress.h - what a command waits for, shown on a terminal.
 *
 * Between progress_begin() and progress_end() nothing else may be printed.
 */
#ifndef FARMEMCTL_PROGRESS_H
#define FARMEMCTL_PROGRESS_H

#include <stdbool.h>

#include "report.h"

void progress_forbid(void);
bool progress_wanted(void);
void progress_begin(const char *fmt, ...) PRINTF_LIKE(1);
void progress_end(void);

#endif
