/* SPDX-License-Identifier: GPL-2.0 */
/*
 * terminal.h - is an output a terminal that can be written over, and how large is it?
 */
#ifndef FARMEMCTL_TERMINAL_H
#define FARMEMCTL_TERMINAL_H

#include <stdbool.h>
#include <sys/ioctl.h>

/* The terminal's own command, as ECMA-48 has it: nothing is left behind the cursor. */
#define CLEAR_REST "\033[K"

bool terminal_wanted(int fd);
struct winsize terminal_size(int fd);

#endif
