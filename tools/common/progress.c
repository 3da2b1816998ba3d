// SPDX-License-Identifier: GPL-2.0
/*
 * progress.c - a line on standard error, for as long as something takes.
 *
 * A thread writes it: the command itself stands in a system call, which only a signal would
 * interrupt.  The thread takes no signal, so that each one still reaches the command, and it
 * ends with a command that is killed.
 */
#include "progress.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "attr.h"
#include "terminal.h"

#define SILENT_MS	2000	/* what ends sooner needs no word */
#define LOOK_MS		200

static bool forbidden;

/*
 * What is waited for: of the command alone, but while its thread runs.
 * @running: there is a thread
 * @over: tells the thread that it is over
 */
static struct {
	bool running;
	pthread_t thread;
	int over;
	long begin;
	char *what;
} progress;

/* A shell that runs us in the background has its prompt there. */
static bool is_in_front(void)
{
	return tcgetpgrp(STDERR_FILENO) == getpgrp();
}

/* No line is wrapped, or it could not be erased. */
static void draw(long seconds)
{
	int room = terminal_size(STDERR_FILENO).ws_col - 1;
	char line[256];

	snprintf(line, sizeof(line), "%ld s: %s", seconds, progress.what);
	dprintf(STDERR_FILENO, "\r%.*s" CLEAR_REST, room, line);
}

static void *show(void *unused)
{
	struct pollfd over = { .fd = progress.over, .events = POLLIN };
	long drawn = -1;

	do {
		long ms = clock_ms() - progress.begin;

		if (ms < SILENT_MS || ms / 1000 == drawn || !is_in_front())
			continue;
		drawn = ms / 1000;
		draw(drawn);
	} while (!poll(&over, 1, LOOK_MS));
	if (drawn >= 0 && is_in_front())
		dprintf(STDERR_FILENO, "\r" CLEAR_REST);
	return NULL;
}

/** progress_forbid() - this command shows none: another program reads what it prints */
void progress_forbid(void)
{
	forbidden = true;
}

/** progress_wanted() - does a person look? */
bool progress_wanted(void)
{
	return !forbidden && terminal_wanted(STDERR_FILENO) && is_in_front();
}

/** progress_begin() - from two seconds on, show what is waited for; @fmt: as for printf */
void progress_begin(const char *fmt, ...)
{
	sigset_t all, before;
	va_list ap;

	if (!progress_wanted())
		return;
	progress.over = eventfd(0, EFD_CLOEXEC);
	if (progress.over < 0)
		return;
	va_start(ap, fmt);
	progress.what = text_vformat(fmt, ap);
	va_end(ap);
	progress.begin = clock_ms();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	progress.running = !pthread_create(&progress.thread, NULL, show, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!progress.running) {
		close(progress.over);
		free(progress.what);
	}
}

/** progress_end() - it is over, and so is the line; errno stays */
void progress_end(void)
{
	int error = errno;

	if (!progress.running)
		return;
	eventfd_write(progress.over, 1);
	pthread_join(progress.thread, NULL);
	close(progress.over);
	free(progress.what);
	progress.running = false;
	errno = error;
}
