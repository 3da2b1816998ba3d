// SPDX-License-Identifier: GPL-2.0
#include "report.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In one piece: what is started at once shares a terminal, or a log. */
static void say(const char *prefix, const char *fmt, va_list ap)
{
	char *text = NULL;

	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	dprintf(STDERR_FILENO, "%s: %s\n", prefix, text ? text : fmt);
	free(text);
}

/** fail() - say why a command failed: a sentence without its full stop.  Return: RC_FAILURE */
int fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(program_invocation_short_name, fmt, ap);
	va_end(ap);
	return RC_FAILURE;
}

/** next_step() - add what to type to the error just reported.  Return: RC_FAILURE */
int next_step(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("  next", fmt, ap);
	va_end(ap);
	return RC_FAILURE;
}

/** misuse() - refuse a command line of @command: "" or "volume create".  Return: RC_USAGE */
int misuse(const char *command, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(program_invocation_short_name, fmt, ap);
	va_end(ap);
	next_step("%s %s%s--help", program_invocation_short_name, command,
		  *command ? " " : "");
	return RC_USAGE;
}

/**
 * misuse_option() - refuse the option at which getopt_long() stopped, of @argv
 * @value: its return value: ':' or '?'
 * @letters: the short options that it was given
 */
int misuse_option(const char *command, int value, const char *letters, char **argv)
{
	const char *word = argv[optind - 1];

	if (value == ':')
		return misuse(command, "option %s needs an argument", word);
	/* Of letters in a row the word is passed over with the last one, not with this. */
	if (optopt > 0 && optopt < 128 && !strchr(letters, optopt))
		return misuse(command, "unknown option -%c", optopt);
	/* A long one that is known, and was given a value. */
	if (optopt)
		return misuse(command, "option %.*s takes no argument",
			      (int)strcspn(word, "="), word);
	return misuse(command, "unknown option %s", word);
}
