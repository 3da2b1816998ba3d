// SPDX-License-Identifier: GPL-2.0
#include "trouble.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What the caller said, as printf() would. */
#define WORDS(text, fmt) do {				\
	va_list ap;					\
							\
	va_start(ap, fmt);				\
	vsnprintf(text, sizeof(text), fmt, ap);		\
	va_end(ap);					\
} while (0)

/* The first of a run: what follows is mostly its consequence. */
static char first[512];
static bool refused;

static void say(const char *text)
{
	fail("%s", text);
	if (!*first)
		snprintf(first, sizeof(first), "%s", text);
}

/**
 * trouble() - say why a run failed
 * @fmt: the cause, a sentence without its full stop
 *
 * Return: -1, for the caller to return in turn.
 */
int trouble(const char *fmt, ...)
{
	char text[512];

	WORDS(text, fmt);
	say(text);
	return -1;
}

/**
 * trouble_refuse() - say that the device, or its driver, cannot do what was asked for
 * @fmt: what
 *
 * Return: -1.
 */
int trouble_refuse(const char *fmt, ...)
{
	char text[512];

	WORDS(text, fmt);
	if (!*first)
		refused = true;
	return trouble("%s", text);
}

/**
 * trouble_errno() - the same, and what errno says
 * @fmt: what was being done
 */
int trouble_errno(const char *fmt, ...)
{
	char text[512];
	int error = errno;

	WORDS(text, fmt);
	trouble("%s: %s", text, strerror(error));
	errno = error;		/* for a caller that has advice about it */
	return -1;
}

/* What to look at when a call of verbs or rdma_cm fails with that. */
static const char *look_at(int error)
{
	switch (error) {
	case ENOMEM:
	case EAGAIN:
		return "use fewer --queues or a smaller --depth; 'rdma resource show' tells what is in use, 'ulimit -l' what may be locked";
	case EINVAL:
	case EOPNOTSUPP:
	case ENOSYS:
		return "'ibv_devinfo -v' tells what the device can do; leave out options that ask for more";
	case EPERM:
	case EACCES:
		return "run farmem-verbs as root, or as a user that may open /dev/infiniband/*";
	default:
		return "dmesg | tail; rdma link";
	}
}

/**
 * trouble_verbs() - a call of verbs or rdma_cm failed that does not fail as a rule
 * @fmt: what was being done
 *
 * With errno, and what to look at.
 *
 * Return: -1.
 */
int trouble_verbs(const char *fmt, ...)
{
	char text[512];
	int error = errno;

	WORDS(text, fmt);
	errno = error;
	trouble_errno("%s", text);
	next_step("%s", look_at(error));
	return -1;
}

/**
 * trouble_release() - the other end says what this release does not understand
 * @fmt: what it said
 *
 * Return: -1.
 */
int trouble_release(const char *fmt, ...)
{
	char text[512];

	WORDS(text, fmt);
	trouble("%s", text);
	next_step("farmem-verbs --version    (on both ends: both must be of one release)");
	return -1;
}

/**
 * trouble_advice() - add what to do to the error just said
 * @fmt: a command, or a sentence
 */
void trouble_advice(const char *fmt, ...)
{
	char text[512];

	WORDS(text, fmt);
	next_step("%s", text);
}

/**
 * trouble_show() - print the explanation of a code
 * @kind: whose number it is
 * @number: the code
 * @out: where to
 */
void trouble_show(enum explain_kind kind, int number, FILE *out)
{
	const struct explain *entry = explain_find(kind, number);

	if (!entry)
		return;
	fprintf(out, "  means:  %s\n  causes: %s\n  check:  %s\n", entry->means, entry->causes,
		entry->check);
}

/**
 * trouble_explain() - what verbs or the connection manager reported
 * @kind: whose number it is
 * @number: the code
 * @fmt: what it happened to
 *
 * Return: -1.
 */
int trouble_explain(enum explain_kind kind, int number, const char *fmt, ...)
{
	const struct explain *entry = explain_find(kind, number);
	char text[512];

	WORDS(text, fmt);
	trouble("%s: %s (%d)", text, entry ? entry->name : "unknown code", number);
	trouble_show(kind, number, stderr);
	return -1;
}

/** trouble_first() - the first trouble of this run, "" if there was none */
const char *trouble_first(void)
{
	return first;
}

/**
 * trouble_exit() - the exit code of a run
 * @rc: what it came to: 0 or -1
 */
int trouble_exit(int rc)
{
	if (!rc)
		return RC_OK;
	return refused ? RC_REFUSED : RC_FAILURE;
}
