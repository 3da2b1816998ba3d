// SPDX-License-Identifier: GPL-2.0
#include "report.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEAR_MAX 31	/* letters of a word that may be meant */

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

static unsigned int smaller(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* How many letters must be changed, added, left out or swapped with the next to make @known. */
static unsigned int distance(const char *letters, size_t length, const char *known)
{
	unsigned int d[NEAR_MAX + 1][NEAR_MAX + 1];	/* of the first i letters and the first n */
	size_t i, n;

	for (i = 0; i <= length; i++)
		for (n = 0; n <= strlen(known); n++) {
			d[i][n] = i + n;
			if (!i || !n)
				continue;
			d[i][n] = smaller(d[i - 1][n - 1] + (letters[i - 1] != known[n - 1]),
					  smaller(d[i - 1][n], d[i][n - 1]) + 1);
			if (i > 1 && n > 1 && letters[i - 1] == known[n - 2] &&
			    letters[i - 2] == known[n - 1])
				d[i][n] = smaller(d[i][n], d[i - 2][n - 2] + 1);
		}
	return d[length][strlen(known)];
}

/** near_try() - is @known what was meant?  Two letters and less than half of it may differ */
void near_try(struct near *near, const char *known)
{
	const char *letters = near->word + strspn(near->word, "-");
	size_t length = strcspn(letters, "=");
	unsigned int found;

	if (length > NEAR_MAX || strlen(known) > NEAR_MAX)
		return;
	found = distance(letters, length, known);
	if (found > 2 || found * 2 >= length || (near->best && found >= near->distance))
		return;
	near->best = known;
	near->distance = found;
}

/** misuse_unknown() - refuse a word, @what it should be, and name the nearest.  Return: RC_USAGE */
int misuse_unknown(const char *command, const char *what, const struct near *near)
{
	if (!near->best)
		return misuse(command, "%s %s", what, near->word);
	return misuse(command, "%s %s; did you mean %.*s%s?", what, near->word,
		      (int)strspn(near->word, "-"), near->word, near->best);
}

/**
 * misuse_option() - refuse the option at which getopt_long() stopped, of @argv
 * @value: its return value: ':' or '?'
 * @letters: the short options that it was given
 * @longs: the long ones
 */
int misuse_option(const char *command, int value, const char *letters,
		  const struct option *longs, char **argv)
{
	const char *word = argv[optind - 1];
	struct near near = { .word = word };

	if (value == ':')
		return misuse(command, "option %s needs an argument", word);
	/* Of letters in a row the word is passed over with the last one, not with this. */
	if (optopt > 0 && optopt < 128 && !strchr(letters, optopt))
		return misuse(command, "unknown option -%c", optopt);
	/* A long one that is known, and was given a value. */
	if (optopt)
		return misuse(command, "option %.*s takes no argument",
			      (int)strcspn(word, "="), word);
	for (; longs->name; longs++)
		near_try(&near, longs->name);
	return misuse_unknown(command, "unknown option", &near);
}
