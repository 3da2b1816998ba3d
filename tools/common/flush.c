// SPDX-License-Identifier: GPL-2.0
#include "flush.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

/**
 * flush_output() - has what the program printed arrived?
 * @status: its exit code, if so
 *
 * A full disk shows when what is buffered is written, or earlier, and over a network when
 * the file is closed.  A failure that was reported already stays the only one.
 * Return: the exit code.
 */
int flush_output(int status)
{
	bool lost = ferror(stdout), pending = __fpending(stdout);
	int error = 0;

	/* An output that was closed from the start is not missed if nothing was printed. */
	if (fclose(stdout) && (pending || errno != EBADF))
		error = errno;
	if ((!lost && !error) || (status && status != 3))
		return status;
	fprintf(stderr, "%s: standard output can't be written%s%s (the output is incomplete; changes that the command made stay)\n",
		program_invocation_short_name, error ? ": " : "", error ? strerror(error) : "");
	return EXIT_FAILURE;
}
