// SPDX-License-Identifier: GPL-2.0
/* sim - simulates how tools/group/placement.c spreads chunks over servers; `make sim` */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "table.h"

static const struct {
	const char *name;
	void (*make)(const struct options *options);
} tables[] = {
	{ "fixed", tables_fixed },
	{ "policies", tables_policies },
	{ "sizes", tables_sizes },
	{ "widths", tables_widths },
	{ "shares", tables_shares },
	{ "pools", tables_pools },
	{ "ages", tables_ages },
	{ "racks", tables_racks },
	{ "repair", tables_repair },
	{ "churn", tables_churn },
	{ "etcd", tables_etcd },
	{ "published", tables_published },
};

static void usage(FILE *file)
{
	size_t i;

	fputs("usage: sim [--seed N] [--runs N] [--table NAME] [--json FILE]\n"
	      "  --seed N       other random numbers; 1\n"
	      "  --runs N       clusters a line of \"fixed\", 10 at least; 100; others have a tenth or a fifth\n"
	      "  --table NAME   one table: ", file);
	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		fprintf(file, "%s%s", i ? ", " : "", tables[i].name);
	fputs("\n  --json FILE    the tables as JSON as well\n", file);
}

static int misuse(void)
{
	usage(stderr);
	return 2;
}

static int make(const struct options *options, const char *name)
{
	size_t made = 0, i;

	printf("seed %llu; a line of \"fixed\" is of %zu clusters, in each of which servers die %zu times;\n"
	       "+- is half of an interval of 95 %%\n",
	       (unsigned long long)options->seed, options->runs, options->draws);
	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (name && strcmp(name, tables[i].name))
			continue;
		tables[i].make(options);
		made++;
	}
	return made ? 0 : misuse();
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "runs", required_argument, NULL, 'r' },
		{ "table", required_argument, NULL, 't' },
		{ "json", required_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct options options = { .seed = 1, .runs = 100, .draws = 400 };
	const char *name = NULL;
	FILE *json = NULL;
	int option, status;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1)
		switch (option) {
		case 's':
			options.seed = strtoull(optarg, NULL, 0);
			break;
		case 'r':
			options.runs = strtoul(optarg, NULL, 0);
			break;
		case 't':
			name = optarg;
			break;
		case 'j':
			json = fopen(optarg, "w");
			if (!json) {
				fprintf(stderr, "sim: %s: %s\n", optarg, strerror(errno));
				return 1;
			}
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			return misuse();
		}
	if (optind < argc || options.runs < 10)
		return misuse();
	table_open(json);
	status = make(&options, name);
	table_close();
	return status;
}
