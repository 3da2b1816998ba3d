/* SPDX-License-Identifier: GPL-2.0 */
/* log.h - one line a message, to stderr */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <syslog.h>

/**
 * log_open() - decide how lines look: once, before the first line
 * @verbose: print LOG_DEBUG lines too
 *
 * When stderr is the journal (JOURNAL_STREAM names it), every line gets the
 * "<N>" prefix that sd-daemon(3) describes; otherwise it is plain text.
 */
void log_open(bool verbose);

/**
 * log_line() - print one line; use the macros below
 * @level: LOG_ERR, LOG_WARNING, LOG_NOTICE, LOG_INFO or LOG_DEBUG
 * @peer: the peer that the line is about, put before the text; NULL for the server
 * @format: as printf(3), without a newline
 *
 * Context: any thread; keeps errno.
 */
void log_line(int level, const char *peer, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * struct log_limit - a kind of line that peers can cause
 * @what: what it counts, in the plural
 * @since: when the time that it counts in began, CLOCK_MONOTONIC seconds
 * @lines: printed since
 * @more: not printed since
 */
struct log_limit {
	const char *what;
	uint64_t since;
	unsigned int lines;
	unsigned int more;
};

/**
 * log_limit() - may one more of these lines be printed?
 * @limit: the kind
 * @now: CLOCK_MONOTONIC seconds
 *
 * Ten in five seconds may.  Context: event loop.
 */
bool log_limit(struct log_limit *limit, uint64_t now);

/* log_limit_report() - when the time is over: one line for those not printed */
void log_limit_report(struct log_limit *limit, uint64_t now);

#define log_err(...)	log_line(LOG_ERR, NULL, __VA_ARGS__)
#define log_warn(...)	log_line(LOG_WARNING, NULL, __VA_ARGS__)
#define log_info(...)	log_line(LOG_INFO, NULL, __VA_ARGS__)
#define log_debug(...)	log_line(LOG_DEBUG, NULL, __VA_ARGS__)

#define peer_warn(peer, ...)	log_line(LOG_WARNING, peer, __VA_ARGS__)
#define peer_info(peer, ...)	log_line(LOG_INFO, peer, __VA_ARGS__)
#define peer_debug(peer, ...)	log_line(LOG_DEBUG, peer, __VA_ARGS__)

#endif /* LOG_H */
