// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static volatile sig_atomic_t requested;

static void on_signal(int number)
{
	requested = 1;
}

/** stop_catch() - from now on a signal is a request */
void stop_catch(void)
{
	struct sigaction action = { .sa_handler = on_signal };	/* no SA_RESTART */

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* Nor does a command end half way because its output has no reader. */
	signal(SIGPIPE, SIG_IGN);
}

/** stop_block() - let the request arrive only inside stop_wait() */
void stop_block(void)
{
	sigset_t set;

	/* It changes nothing, and ends with its reader. */
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/** stop_requested() - whether a signal has arrived */
bool stop_requested(void)
{
	return requested;
}

/**
 * stop_wait() - wait for a file, for time to pass, or for the request to stop
 * @fd: to be readable, or -1
 * @seconds: at most so long; negative for ever
 *
 * Return: false when asked to stop.
 */
bool stop_wait(int fd, double seconds)
{
	struct pollfd watched = { .fd = fd, .events = POLLIN };
	struct timespec limit = {
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9),
	};
	sigset_t mask;
	sigset_t pending;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	sigdelset(&mask, SIGINT);
	sigdelset(&mask, SIGTERM);
	ppoll(&watched, fd >= 0, seconds < 0 ? NULL : &limit, &mask);
	/* ppoll() delivers no signal when it finds the file readable at once. */
	sigpending(&pending);
	return !requested && !sigismember(&pending, SIGINT) && !sigismember(&pending, SIGTERM);
}
