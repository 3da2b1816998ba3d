// SPDX-License-Identifier: GPL-2.0
/*
 * log.c - the server's log.
 *
 * Owns the decision how a line looks and whether debug lines are printed.  Called by all
 * files, from all threads.  A line is one write, so that lines never mix, and no thread
 * waits for the reader of the log.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"

#define LIMIT_SECONDS	5
#define LIMIT_LINES	10

static bool log_verbose;
static bool log_prefix;
static atomic_uint log_lost;

/* JOURNAL_STREAM is inherited by children too, so compare it with stderr. */
static bool log_is_journal(void)
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
	log_prefix = log_is_journal();
}

/* A pipe with room has room for a line: its reader does not hold farmemd up. */
static bool log_may_write(void)
{
	struct pollfd fd = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&fd, 1, 0) > 0;
}

static void log_put(const char *line, size_t len)
{
	unsigned int lost;
	char text[64];
	int used;

	if (!log_may_write()) {
		atomic_fetch_add(&log_lost, 1);
		return;
	}
	lost = atomic_exchange(&log_lost, 0);
	if (lost) {
		used = snprintf(text, sizeof(text), "%s%u lines lost: no program read the log\n",
				log_prefix ? "<4>" : "", lost);
		if (write(STDERR_FILENO, text, used) < 0)
			log_verbose = false;
	}
	if (write(STDERR_FILENO, line, len) < 0)
		log_verbose = false;	/* nobody reads: save the work */
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
	log_put(line, used);
	errno = saved;
}

void log_limit_report(struct log_limit *limit, uint64_t now)
{
	if (now - limit->since < LIMIT_SECONDS)
		return;
	if (limit->more)
		log_warn("%u more %s", limit->more, limit->what);
	limit->since = now;
	limit->lines = 0;
	limit->more = 0;
}

bool log_limit(struct log_limit *limit, uint64_t now)
{
	log_limit_report(limit, now);
	if (limit->lines == LIMIT_LINES) {
		limit->more++;
		return false;
	}
	limit->lines++;
	return true;
}
