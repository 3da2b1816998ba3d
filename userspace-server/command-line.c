// SPDX-License-Identifier: GPL-2.0
/*
 * command-line.c - the command line, and the configuration file that it names.
 *
 * Owns nothing: options.c has the table of options.  Called by main() once.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command-line.h"
#include "config.h"
#include "farmem-release.h"
#include "options.h"
#include "show-config.h"

/* Above all letters, for getopt's options that have none. */
#define LONG_BASE	256

static void command_line_print_row(const struct option_row *row)
{
	const char letter[] = { '-', row->letter, ',', ' ', '\0' };
	const char *text = row->text, *end;
	char left[32];

	snprintf(left, sizeof(left), "%s %s", row->name, row->argument ? row->argument : "");
	printf("  %s--%-20s", row->letter ? letter : "    ", left);
	for (; (end = strchr(text, '\n')); text = end + 1)
		printf("%.*s\n%28s", (int)(end - text), text, "");
	printf(row->usual ? "%s (default %s)\n" : "%s%s\n", text, row->usual ? row->usual : "");
}

static enum command_line_action command_line_print_help(void)
{
	const struct option_row *row;

	puts("farmemd - lend this machine's memory over RDMA\n\n"
	     "Usage: farmemd --size SIZE --keys FILE [OPTION]...\n");
	for (row = option_rows; row->name; row++)
		command_line_print_row(row);
	puts("\nSee farmemd(8) and farmemd.conf(5).");
	return COMMAND_LINE_EXIT_OK;
}

/* What getopt_long() gives for an option. */
static int command_line_value(const struct option_row *row)
{
	return row->letter ? row->letter : LONG_BASE + (row - option_rows);
}

static void command_line_fill(struct option *longs, char *letters)
{
	const struct option_row *row;

	for (row = option_rows; row->name; row++) {
		*longs++ = (struct option){ row->name, row->argument ? required_argument :
					    no_argument, NULL, command_line_value(row) };
		if (row->letter)
			letters += sprintf(letters, "%c%s", row->letter, row->argument ? ":" : "");
	}
}

/* Is there another option?  @row: without a name if it is unknown, which getopt has said. */
static bool command_line_next(int argc, char **argv, const struct option_row **row)
{
	struct option longs[OPTION_ROWS_MAX] = { 0 };
	char letters[2 * OPTION_ROWS_MAX] = "";
	int value;

	command_line_fill(longs, letters);
	value = getopt_long(argc, argv, letters, longs, NULL);
	for (*row = option_rows; (*row)->name && command_line_value(*row) != value; (*row)++)
		;
	return value != -1;
}

static enum command_line_action command_line_usage(const char *error)
{
	if (error)
		fprintf(stderr, "farmemd: %s\n", error);
	fprintf(stderr, "Try 'farmemd --help'.\n");
	return COMMAND_LINE_EXIT_USAGE;
}

/* The file comes first: before farmemd has read it, only what no file can say counts. */
static enum command_line_action command_line_walk(struct options *opt, int argc, char **argv,
						  bool before_file)
{
	const struct option_row *row;
	bool own_listen = false;
	char error[256];

	optind = 1;
	while (command_line_next(argc, argv, &row)) {
		if (!row->name)
			return command_line_usage(NULL);
		if (row->letter == 'h')
			return command_line_print_help();
		if (row->letter == 'V') {
			puts("farmemd " FARMEM_RELEASE);
			return COMMAND_LINE_EXIT_OK;
		}
		if (before_file && !row->line_only)
			continue;
		if (row->repeats && !own_listen) {
			own_listen = true;
			opt->listen_count = 0;
		}
		if (options_set(opt, row->name, optarg, error, sizeof(error)))
			return command_line_usage(error);
	}
	if (optind == argc)
		return COMMAND_LINE_RUN;
	snprintf(error, sizeof(error), "'%.200s' is not an option", argv[optind]);
	return command_line_usage(error);
}

/* @file: what config_read() returned; @error: of the file or the options, NULL if there is none */
static enum command_line_action command_line_judge(const struct options *opt, int file,
						   const char *error)
{
	bool shown = opt->show_config && !show_config_print(opt, file, error);

	if (file) {
		fprintf(stderr, "farmemd: %s\n", error);
		return COMMAND_LINE_EXIT_FAILURE;
	}
	if (error)
		return command_line_usage(error);
	if (!opt->show_config)
		return COMMAND_LINE_RUN;
	if (!shown)
		fprintf(stderr, "farmemd: out of memory\n");
	return shown ? COMMAND_LINE_EXIT_OK : COMMAND_LINE_EXIT_FAILURE;
}

enum command_line_action command_line_parse(struct options *opt, int argc, char **argv)
{
	enum command_line_action action;
	char error[256];
	int ret = 0, file = 0;

	options_defaults(opt);
	action = command_line_walk(opt, argc, argv, true);
	if (action != COMMAND_LINE_RUN)
		return action;
	if (opt->config)
		ret = file = config_read(opt, opt->config, error, sizeof(error));
	if (!file) {
		action = command_line_walk(opt, argc, argv, false);
		if (action != COMMAND_LINE_RUN)
			return action;
		ret = options_verify(opt, error, sizeof(error));
	}
	return command_line_judge(opt, file, ret ? error : NULL);
}
