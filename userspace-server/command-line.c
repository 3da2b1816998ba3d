// SPDX-License-Identifier: GPL-2.0
/*
 * command-line.c - the command line, and the configuration file that it names.
 *
 * Owns nothing: options.c has the table of options.  Called by main() once.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "command-line.h"
#include "farmemd-config.h"
#include "farmemd-options.h"
#include "version.h"

static const char help_text[] =
	"farmemd - lend this machine's memory over RDMA\n"
	"\n"
	"Usage: farmemd --size SIZE --keys FILE [OPTION]...\n"
	"\n"
	"  -s, --size SIZE         memory to lend, for example 4G\n"
	"  -l, --listen ADDR:PORT  address to listen on, may be repeated; IPv6 as [ADDR]:PORT\n"
	"                          (default: all addresses, port 7471)\n"
	"  -c, --config FILE       read options from FILE; the command line wins\n"
	"      --hugepages SIZE    take the memory from huge pages of 2M or 1G\n"
	"      --slab-size SIZE    unit of lending, a power of two (default 16M)\n"
	"      --quota SIZE        most memory that one client may have (default: no limit)\n"
	"      --max-clients N     clients that may have a session or memory (default 256)\n"
	"      --max-queues N      queue pairs that one client may have (default 96)\n"
	"      --lease SECONDS     release the memory of a client that was silent\n"
	"                          for SECONDS (default 0: never)\n"
	"      --pool FILE         keep the memory in FILE, on tmpfs or hugetlbfs; the next\n"
	"                          farmemd takes over FILE and the data in it\n"
	"      --keys FILE         admit the clients that have a line in FILE: NAME UUID\n"
	"                          KEY, as 'farmemctl key derive' prints it\n"
	"      --uuid UUID         UUID of this server; keys are derived for it (default:\n"
	"                          made from the machine's ID and the control socket's path)\n"
	"      --control PATH      control socket (default " OPTIONS_CONTROL ")\n"
	"      --insecure          admit clients that have no key, too\n"
	"      --check             verify this configuration on this machine and exit\n"
	"  -v, --verbose           log more\n"
	"  -V, --version           print the version and exit\n"
	"  -h, --help              print this and exit\n"
	"\n"
	"See farmemd(8) and farmemd.conf(5).\n";

static enum command_line_action command_line_usage(const char *error)
{
	fprintf(stderr, "farmemd: %s\nTry 'farmemd --help'.\n", error);
	return COMMAND_LINE_EXIT_USAGE;
}

/* The file comes first, so look for its name before anything else. */
static enum command_line_action command_line_find_config(struct options *opt, int argc, char **argv)
{
	char error[64];
	int letter;

	while ((letter = getopt_long(argc, argv, "s:l:c:vVh", options_long, NULL)) != -1) {
		switch (letter) {
		case 'c':
			if (options_set(opt, "config", optarg, error, sizeof(error)))
				return COMMAND_LINE_EXIT_FAILURE;
			break;
		case 'h':
			fputs(help_text, stdout);
			return COMMAND_LINE_EXIT_OK;
		case 'V':
			puts("farmemd " FARMEMD_VERSION);
			return COMMAND_LINE_EXIT_OK;
		case '?':
			fprintf(stderr, "Try 'farmemd --help'.\n");
			return COMMAND_LINE_EXIT_USAGE;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "farmemd: '%s' is not an option\n", argv[optind]);
		fprintf(stderr, "Try 'farmemd --help'.\n");
		return COMMAND_LINE_EXIT_USAGE;
	}
	return COMMAND_LINE_RUN;
}

static enum command_line_action command_line_apply(struct options *opt, int argc, char **argv)
{
	bool own_listen = false;
	char error[256] = "out of memory";	/* which is all that says nothing itself */
	int letter, i;

	optind = 1;
	while ((letter = getopt_long(argc, argv, "s:l:c:vVh", options_long, NULL)) != -1) {
		const char *key = "";

		for (i = 0; options_long[i].name; i++)
			if (options_long[i].val == letter)
				key = options_long[i].name;
		if (letter == 'l' && !own_listen) {
			own_listen = true;
			opt->listen_count = 0;
		}
		if (options_set(opt, key, optarg, error, sizeof(error)))
			return command_line_usage(error);
	}
	return COMMAND_LINE_RUN;
}

enum command_line_action command_line_parse(struct options *opt, int argc, char **argv)
{
	enum command_line_action action;
	char error[256];

	options_defaults(opt);
	action = command_line_find_config(opt, argc, argv);
	if (action != COMMAND_LINE_RUN)
		return action;
	if (opt->config && config_read(opt, opt->config, error, sizeof(error))) {
		fprintf(stderr, "farmemd: %s\n", error);
		return COMMAND_LINE_EXIT_FAILURE;
	}
	action = command_line_apply(opt, argc, argv);
	if (action != COMMAND_LINE_RUN)
		return action;
	return options_verify(opt, error,
			      sizeof(error)) ? command_line_usage(error) : COMMAND_LINE_RUN;
}
