/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stop.h - SIGINT and SIGTERM as a request to finish in good order.
 *
 * A command that changes things calls stop_catch(): the signal interrupts the
 * call it is in, and stop_requested() tells that everything must be taken back.
 * A command that loops also calls stop_block(): the signal arrives only inside
 * stop_wait(), so that it is never lost between a test and a wait.
 */
#ifndef FARMEMCTL_STOP_H
#define FARMEMCTL_STOP_H

#include <stdbool.h>

void stop_catch(void);
void stop_block(void);
bool stop_requested(void);
bool stop_wait(int fd, double seconds);

#endif
