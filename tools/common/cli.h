/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cli.h - the command tree: usage, help and parsing come from one table.
 *
 * farmemctl.c holds the table of commands, cli.c the table of options.  So the
 * help can't drift from what is parsed; tests/cli holds the man page to it.
 */
#ifndef FARMEMCTL_CLI_H
#define FARMEMCTL_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t;
struct table;

enum cli_option_id {
	OPT_HELP,
	OPT_SIZE,
	OPT_SERVER,
	OPT_SESSION,
	OPT_CLIENT,
	OPT_KEY,
	OPT_SOURCE,
	OPT_QUEUES,
	OPT_UUID,
	OPT_SYNC,
	OPT_CHECKSUM,
	OPT_TAKEOVER,
	OPT_CONNECT_TIMEOUT,
	OPT_RECONNECT_DELAY,
	OPT_RECONNECT_MAX,
	OPT_HEARTBEAT,
	OPT_PEER_TIMEOUT,
	OPT_IO_DEADLINE,
	OPT_PARTNER,
	OPT_IF_ABSENT,
	OPT_FAIL_IO,
	OPT_KEEP,
	OPT_DRY_RUN,
	OPT_UNDO,
	OPT_INTERVAL,
	OPT_COUNT,
	OPT_STATE,
	OPT_TIMEOUT,
	OPT_RUN,
	OPT_LATENCY,
	OPT_HOLDER,
	OPT_VOLUME,
	OPT_KEY_FILE,
	OPT_SERVER_UUID,
	OPT_FORCE,
	OPT_WAIT,
	OPT_DELAY,
	OPT_CONTROL,
	OPT_CONFIG,
	OPT_LENDER,
	OPT_CHUNK,
	OPT_COPIES,
	OPT_FROM,
	OPT_TO,
	OPT_WANTED,
	OPT_NODE,
	OPT_FIX,
	OPT_JSON,
	OPT_BYTES,
	OPT_NOHEADINGS,
	OPT_OUTPUT,
	OPT_LAST
};

#define OPTION(id) (1ull << OPT_##id)
#define OPTIONS_TABLE \
	(OPTION(JSON) | OPTION(BYTES) | OPTION(NOHEADINGS) | OPTION(OUTPUT))
#define OPTIONS_CONNECT \
	(OPTION(SERVER) | OPTION(CLIENT) | OPTION(KEY) | OPTION(SOURCE) | OPTION(QUEUES) | \
	 OPTION(TAKEOVER) | OPTION(CONNECT_TIMEOUT) | OPTION(RECONNECT_DELAY) | \
	 OPTION(RECONNECT_MAX) | OPTION(HEARTBEAT) | OPTION(PEER_TIMEOUT))

struct cli_args;

/**
 * struct cli_command - one line of the command tree
 * @object: first word
 * @verb: second word, NULL if the object has no verbs
 * @argument: what follows, "NAME", "[VOLUME]" or "[VOLUME...]", NULL if nothing does
 * @summary: one line of help
 * @note: more help, NULL if there is none to add
 * @options: those it takes, OPTION(...) | ...; --help is always there
 * @required: those it can't do without
 * @table: its columns, NULL if it prints no table
 * @latency_table: those with --latency
 * @vertical: the table stands on its side: a line for each column
 * @help: prints more of its --help, NULL if there is none
 * @run: does it; returns an exit code
 */
struct cli_command {
	const char *object;
	const char *verb;
	const char *argument;
	const char *summary;
	const char *note;
	uint64_t options;
	uint64_t required;
	const struct table *table;
	const struct table *latency_table;
	bool vertical;
	void (*help)(void);
	int (*run)(const struct cli_args *args);
};

/**
 * struct cli_args - a parsed command line
 * @command: what is to be done
 * @title: "volume create", for messages
 * @name: the argument, or the first of several, NULL if none was given
 * @names: all of several, NULL behind the last; NULL if the command takes one
 * @value: of each option that was given, "" for one without an argument; of one that may be
 *	given again all values, with commas between
 * @joined: those values, to free
 */
struct cli_args {
	const struct cli_command *command;
	const char *title;
	const char *name;
	char *const *names;
	const char *value[OPT_LAST];
	char *joined;
};

int cli_main(const struct cli_command *tree, size_t count, int argc, char **argv);
char *cli_words(const char *text);
int cli_number(const struct cli_args *args, enum cli_option_id id, double min,
	       double max, double *number);

/* control.c: farmemd's control socket. */
#define CONTROL_FILE "/farmem/farmemd.sock"	/* below run_root() */
#define CONTROL_PATH "/run" CONTROL_FILE

int control_reach(const char *path);
struct json_t *control_ask(const char *path, const char *next, struct json_t *request);

#endif
