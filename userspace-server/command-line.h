/* SPDX-License-Identifier: GPL-2.0 */
/* command-line.h - what farmemd was told to do */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

struct options;

/* What command_line_parse() wants its caller to do. */
enum command_line_action {
	COMMAND_LINE_RUN,
	COMMAND_LINE_EXIT_OK,	/* it has printed what was asked for */
	COMMAND_LINE_EXIT_FAILURE,	/* the configuration file is wrong */
	COMMAND_LINE_EXIT_USAGE,	/* the command line is wrong */
};

/**
 * command_line_parse() - read the configuration file, then the command line
 * @opt: result; options_free() it in every case
 * @argc: as main()
 * @argv: as main()
 *
 * The command line wins over the file; --listen replaces the file's addresses.
 * Errors are printed.
 */
enum command_line_action command_line_parse(struct options *opt, int argc, char **argv);

#endif /* COMMAND_LINE_H */
