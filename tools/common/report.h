/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report.h - what goes wrong, and what to type next.
 *
 * Owns standard error.  An error is one line that names the cause, followed by
 * "  next: COMMAND" lines.  Nothing here writes to standard output.
 */
#ifndef FARMEMCTL_REPORT_H
#define FARMEMCTL_REPORT_H

struct option;

/* Exit codes of the whole tool; ABI. */
enum {
	RC_OK		= 0,
	RC_FAILURE	= 1,
	RC_USAGE	= 2,
	RC_WARNING	= 3,	/* doctor's: nothing fails, and something could be better */
	RC_LOST		= 4,	/* group start's: the servers no longer have its bytes */
};

#define PRINTF_LIKE(n) __attribute__((format(printf, n, n + 1)))

int fail(const char *fmt, ...) PRINTF_LIKE(1);
int next_step(const char *fmt, ...) PRINTF_LIKE(1);
int misuse(const char *command, const char *fmt, ...) PRINTF_LIKE(2);
int misuse_option(const char *command, int value, const char *letters,
		  const struct option *longs, char **argv);

/* A word that may be mistyped, and the nearest of those that near_try() was shown. */
struct near {
	const char *word;	/* as given */
	const char *best;	/* NULL: none is near */
	unsigned int distance;	/* of the best */
};

void near_try(struct near *near, const char *known);
int misuse_unknown(const char *command, const char *what, const struct near *near);

#endif
