// SPDX-License-Identifier: GPL-2.0
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** terminal_wanted() - is that output a terminal that can be written over? */
bool terminal_wanted(int fd)
{
	const char *kind = getenv("TERM");

	return isatty(fd) && kind && *kind && strcmp(kind, "dumb");
}

/** terminal_size() - its rows and columns, or the usual ones if it does not know */
struct winsize terminal_size(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col || !size.ws_row)
		size = (struct winsize) { .ws_row = 24, .ws_col = 80 };
	return size;
}
