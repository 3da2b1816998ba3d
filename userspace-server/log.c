// SPDX-License-Identifier: GPL-2.0
/*
 * log.c - the server's log.
 *
 * Owns the decision how a line looks and whether debug lines are printed.
 * Called by everything, from both threads: a line is one write, so that lines
 * never mix.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"

static bool log_verbose;
static bool log_prefix;

/* JOURNAL_STREAM is inherited by children too, so compare it with stderr. */
static bool stderr_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long dev, ino;
	struct stat st;

	if (!stream || sscanf(stream, "%llu:%llu", &dev, &ino) != 2)
		return false;
	if (fstat(STDERR_FILENO, &st))
		return false;
	return st.st_dev == dev && st.st_ino == ino;
}

void log_open(bool verbose)
{
	log_verbose = verbose;
	log_prefix = stderr_is_journal();
}

void log_line(int level, const char *peer, const char *format, ...)
{
	int saved = errno;
	char line[1024];
	size_t used = 0;
	va_list args;

	if (level == LOG_DEBUG && !log_verbose)
		return;
	if (log_prefix)
		used += snprintf(line, sizeof(line), "<%d>", level);
	if (peer)
		used += snprintf(line + used, sizeof(line) - used, "%.200s: ", peer);
	va_start(args, format);
	used += vsnprintf(line + used, sizeof(line) - used, format, args);
	va_end(args);
	if (used > sizeof(line) - 2)
		used = sizeof(line) - 2;
	line[used++] = '\n';
	if (write(STDERR_FILENO, line, used) < 0)
		log_verbose = false;	/* nobody reads: save the work */
	errno = saved;
}
