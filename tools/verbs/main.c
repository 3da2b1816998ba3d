// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-verbs - every way of using verbs, measured, and explained when it fails.
 *
 * To learn verbs from it, read in this order:
 *
 *   options.c   what a run is; mode.c, what goes with what, and why not
 *   trouble.c   how errors are said, and explained
 *   talk.c      the control connection over TCP: what must be agreed on before
 *   session.h   what one end consists of; queue.h, the same of a queue pair
 *   device.c    device, port, GID;      memory.c   registrations, lkey and rkey
 *   queue.c     queue pairs by hand: INIT, RTR, RTS; completion queues
 *   hand.c      connecting by hand;     cm.c       by rdma_cm, and event.c its events
 *   session.c   all of these put together, and taken apart again
 *   work.c      posting work;           wait.c     seeing it completed
 *   pattern.c   bytes that tell whose they are; data.c, checking every one
 *   round.c     an operation of the run and its data, for the two halves of a round:
 *   latency.c   one operation at a time; stream.c  many, with credit
 *   measure.c   the samples, and what is said about them; output.c prints it
 *   server.c    the end that answers;   client.c   the end that asks
 *   order.c     in which order completions come
 *   process.c   one process or several, and what these can share
 *   show.c      doing it wrong on purpose
 *   sweep.c     trying everything with everything; pairs.c how little that takes
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "client.h"
#include "explain-command.h"
#include "farmem-release.h"
#include "flush.h"
#include "mode.h"
#include "options.h"
#include "output.h"
#include "process.h"
#include "report.h"
#include "server.h"
#include "sweep.h"

/**
 * struct command - one command
 * @name: on the command line
 * @argument: what it takes besides options; NULL: nothing
 * @text: one line of help
 * @user: FOR_..., whose options it takes
 * @run: does it; returns an exit code
 */
struct command {
	const char *name, *argument, *text;
	unsigned int user;
	int (*run)(struct options *options);
};

static int explain(struct options *options)
{
	return explain_command(options->server, options->json);
}

/* Do a run, and print what was measured. */
static int run_client(struct options *options)
{
	struct row *rows;
	const char *why;
	size_t count;
	int rc, printed;

	options_settle(options);
	why = mode_refusal(options);
	if (why)
		return misuse("client", "%s", why);
	if (getrandom(&options->seed, sizeof(options->seed), 0) < 0)
		options->seed = getpid();
	options->seed &= 0xffffff;
	rows = calloc(options->processes * ROWS_MAX, sizeof(*rows));
	if (!rows)
		return fail("out of memory");
	rc = process_run(options, rows, &count);
	/* Of a run that failed half way, what it has measured. */
	printed = count ? output_runs(rows, count, options->json) : RC_OK;
	free(rows);
	return rc ? rc : printed;
}

static const struct command commands[] = {
	{ "server", NULL, "answer clients until a signal ends it", FOR_SERVER, server_main },
	{ "client", "SERVER", "run, measure and check one way of using verbs", FOR_CLIENT,
	  run_client },
	{ "sweep", "SERVER", "run short checks in which every two options meet", FOR_SWEEP, sweep_main },
	{ "explain", "CODE|all", "explain a status or an event, and say what to check",
	  FOR_EXPLAIN, explain },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int help(void)
{
	size_t i;

	printf("Usage:\n farmem-verbs COMMAND [ARGUMENT] [options]\n\nCommands:\n");
	for (i = 0; i < COMMANDS; i++) {
		char left[32];

		snprintf(left, sizeof(left), "%s %s", commands[i].name,
			 commands[i].argument ? commands[i].argument : "");
		printf(" %-20s %s\n", left, commands[i].text);
	}
	printf("\nOptions:\n -h, --help            show this help\n"
	       " -V, --version         show the release\n"
	       "\nEvery command has its own --help. For more details see farmem-verbs(1).\n");
	return RC_OK;
}

static int help_command(const struct command *command)
{
	printf("Usage:\n farmem-verbs %s %s%s[options]\n\n%s\n\nOptions:\n", command->name,
	       command->argument ? command->argument : "", command->argument ? " " : "",
	       command->text);
	options_help(command->user);
	printf("     --%-27s %s\n", "help", "show this help");
	printf("\nFor more details see farmem-verbs(1).\n");
	return RC_OK;
}

static bool asks_help(const char *word)
{
	return !strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h");
}

static int run(const struct command *command, int argc, char **argv)
{
	struct options options;
	int i, rc;

	for (i = 1; i < argc; i++)
		if (asks_help(argv[i]))
			return help_command(command);
	options_init(&options);
	rc = options_parse(&options, command->user, command->name, argc, argv);
	if (rc)
		return rc;
	if (command->argument && optind < argc)
		options.server = argv[optind++];
	else if (command->argument)
		return misuse(command->name, "%s is missing", command->argument);
	if (optind < argc)
		return misuse(command->name, "unexpected argument %s", argv[optind]);
	return command->run(&options);
}

static int command_line(int argc, char **argv)
{
	size_t i;

	/* Lines of several processes shall not mix. */
	setvbuf(stderr, NULL, _IOLBF, 0);
	if (argc < 2) {
		misuse("", "no command");
		return RC_USAGE;
	}
	if (asks_help(argv[1]))
		return help();
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("farmem-verbs %s\n", FARMEM_RELEASE);
		return RC_OK;
	}
	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return run(&commands[i], argc - 1, argv + 1);
	return misuse("", "unknown command %s", argv[1]);
}

int main(int argc, char **argv)
{
	return flush_output(command_line(argc, argv));
}
