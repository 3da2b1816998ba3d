// SPDX-License-Identifier: GPL-2.0
#include "cli.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "farmem-proto.h"
#include "farmem-release.h"
#include "progress.h"
#include "table.h"

/* What getopt gives for a long option: above all letters, and its own ':' and '?'. */
#define LONG_BASE 256

struct cli_option {
	const char *name;
	char letter;
	const char *argument;	/* NULL: a switch */
	const char *text;
};

/* Two ids may share a name where two commands mean different things by it. */
static const struct cli_option options[OPT_LAST] = {
	[OPT_HELP] = { "help", 'h', NULL, "show this help" },
	[OPT_SIZE] = { "size", 0, "SIZE", "capacity of the volume: 512M, 4G, 1T" },
	[OPT_SERVER] = { "server", 0, "ADDR[:PORT]",
		"the memory server, or \"local\" for this node's own memory" },
	[OPT_SESSION] = { "session", 0, "NAME", "an existing session, instead of --server" },
	[OPT_CLIENT] = { "client", 0, "NAME",
		"name of this node towards the server (default: its host name)" },
	[OPT_KEY] = { "key", 0, "FILE",
		"file with this node's key, or keyring:DESCRIPTION (default: no key)" },
	[OPT_SOURCE] = { "source", 0, "ADDR", "local address to connect from" },
	[OPT_QUEUES] = { "queues", 0, "N", "at most N queue pairs (default: 0, three per CPU)" },
	[OPT_UUID] = { "uuid", 0, "UUID",
		"identity of the volume (default: from the client and the name)" },
	[OPT_SYNC] = { "sync", 0, NULL, "synchronous volume: lower latency, Linux 6.11 or newer" },
	[OPT_CHECKSUM] = { "checksum", 0, "KIND", "compare each page that is read: crc32c (default: none)" },
	[OPT_TAKEOVER] = { "takeover", 0, NULL,
		"fence another live client of the same name" },
	[OPT_CONNECT_TIMEOUT] = { "connect-timeout", 0, "SECONDS",
		"time after which connecting fails (default: 20)" },
	[OPT_RECONNECT_DELAY] = { "reconnect-delay", 0, "SECONDS",
		"time between the first attempts to reconnect (default: 1; 0: never reconnect)" },
	[OPT_RECONNECT_MAX] = { "reconnect-max", 0, "SECONDS",
		"longest time between two attempts (default: 30)" },
	[OPT_HEARTBEAT] = { "heartbeat", 0, "SECONDS",
		"time between two heartbeats (default: 5; 0: none)" },
	[OPT_PEER_TIMEOUT] = { "peer-timeout", 0, "SECONDS",
		"time without an acknowledgment after which the server is gone (default: 7)" },
	[OPT_IO_DEADLINE] = { "io-deadline", 0, "SECONDS",
		"time that I/O waits for a lost server (default: 30; 0: not at all, -1: for ever)" },
	[OPT_PARTNER] = { "partner", 0, "VOLUME",
		"the mirror's other leg: I/O fails only while that serves (default: '', none)" },
	[OPT_IF_ABSENT] = { "if-absent", 0, NULL,
		"succeed if it exists already; a volume must be what the command asks for" },
	[OPT_FAIL_IO] = { "force", 0, NULL, "first fail the I/O that waits for a lost server" },
	[OPT_KEEP] = { "keep", 0, NULL, "leave the data on the server" },
	[OPT_DRY_RUN] = { "dry-run", 0, NULL, "print the commands, and change nothing" },
	[OPT_UNDO] = { "undo", 0, NULL, "remove the volumes, whose data is kept but for that of swap, and stop the groups" },
	[OPT_INTERVAL] = { "interval", 0, "SECONDS", "repeat; later reports cover the interval" },
	[OPT_COUNT] = { "count", 0, "N", "stop after N reports (with --interval)" },
	[OPT_STATE] = { "state", 0, "STATE",
		"state to wait for: off, live, recovering, failed or lost (default: live)" },
	[OPT_TIMEOUT] = { "timeout", 0, "SECONDS",
		"fail after this time (default: never; 0: look once)" },
	[OPT_RUN] = { "run", 0, "DIR", "run each program in DIR for each change" },
	[OPT_LATENCY] = { "latency", 0, NULL, "show how long reads, writes and page faults take" },
	[OPT_HOLDER] = { "client", 0, "NAME", "the client, by its name" },
	[OPT_VOLUME] = { "volume", 0, "UUID", "only this volume (default: all of the client)" },
	[OPT_KEY_FILE] = { "key", 0, "FILE", "the client's file, with the line that key generate printed" },
	[OPT_SERVER_UUID] = { "uuid", 0, "UUID",
		"identity of the server: farmemctl server show on its node prints it" },
	[OPT_FORCE] = { "force", 0, NULL, "go on even if data is lost" },
	[OPT_WAIT] = { "timeout", 0, "SECONDS",
		"go on after this time without servers that are away, if they hold nothing newer (default: 60)" },
	[OPT_DELAY] = { "delay", 0, "SECONDS",
		"wait before each repair, and up to half of that on top (default: 60)" },
	[OPT_CONTROL] = { "control", 0, "PATH",
		"farmemd's control socket (default: /run/farmem/farmemd.sock)" },
	[OPT_CONFIG] = { "config", 0, "FILE", "the agent's file (default: /etc/farmem/agent.conf)" },
	[OPT_LENDER] = { "server", 0, "ADDR[:PORT][@DOMAIN]",
		"a memory server, and what fails together with it; repeat for each server" },
	[OPT_CHUNK] = { "chunk", 0, "SIZE", "most bytes that lie in one chunk (default: 2G)" },
	[OPT_COPIES] = { "copies", 0, "N", "of each byte, on different servers: 1 or 2 (default: 1)" },
	[OPT_FROM] = { "from", 0, "ADDR[:PORT]", "the server that the chunks leave" },
	[OPT_TO] = { "to", 0, "ADDR[:PORT]", "the server that gets them (default: the one that holds least of the group)" },
	[OPT_WANTED] = { "wanted", 0, NULL, "as much as servers want back, from each of them" },
	[OPT_NODE] = { "node", 0, "KIND",
		"kind of this node: compute, memory or both (default: the doctor guesses)" },
	[OPT_FIX] = { "fix", 0, NULL, "run the commands that repair what was found, and print each" },
	[OPT_JSON] = { "json", 'J', NULL, "print JSON: all columns, sizes in bytes" },
	[OPT_BYTES] = { "bytes", 'b', NULL, "print sizes in bytes" },
	[OPT_NOHEADINGS] = { "noheadings", 'n', NULL, "print no headings" },
	[OPT_OUTPUT] = { "output", 'o', "COL[,COL]", "columns to print; +COL adds to the usual ones" },
};

static bool takes(const struct cli_command *command, int id)
{
	return id == OPT_HELP || (command->options & (1ull << id));
}

/* "volume create", to free. */
static char *title(const struct cli_command *command)
{
	return text_format("%s%s%s", command->object, command->verb ? " " : "",
			   command->verb ? command->verb : "");
}

static void print_option(const struct cli_option *option)
{
	CLEANUP_FREE char *left = text_format("%s%s%s", option->name, option->argument ? " " : "",
		option->argument ? option->argument : "");

	if (option->letter)
		printf(" -%c, --%-25s %s\n", option->letter, left, option->text);
	else
		printf("     --%-25s %s\n", left, option->text);
}

static void print_synopsis(const struct cli_command *command)
{
	CLEANUP_FREE char *name = title(command);
	int id;

	printf(" farmemctl %s", name);
	if (command->argument)
		printf(" %s", command->argument);
	for (id = 0; id < OPT_LAST; id++)
		if (command->required & (1ull << id))
			printf(" --%s %s", options[id].name, options[id].argument);
	printf(" [options]\n");
}

static int help_command(const struct cli_command *command)
{
	int id;

	printf("Usage:\n");
	print_synopsis(command);
	printf("\n%s\n", command->summary);
	if (command->note)
		printf("%s\n", command->note);
	printf("\nOptions:\n");
	for (id = 1; id < OPT_LAST; id++)
		if (takes(command, id))
			print_option(&options[id]);
	print_option(&options[OPT_HELP]);
	if (command->table)
		table_help(command->table, NULL);
	if (command->latency_table)
		table_help(command->latency_table, " with --latency");
	if (command->help)
		command->help();
	printf("\nFor more details see farmemctl(8).\n");
	return RC_OK;
}

/* Help for one object, or for all of them when @object is NULL. */
static int help_tree(const struct cli_command *tree, size_t count, const char *object)
{
	size_t i;

	printf("Usage:\n farmemctl %s VERB [ARGUMENT] [options]\n\nCommands:\n",
	       object ? object : "OBJECT");
	for (i = 0; i < count; i++) {
		CLEANUP_FREE char *name = title(&tree[i]);
		CLEANUP_FREE char *left = text_format("%s %s", name,
			tree[i].argument ? tree[i].argument : "");

		if (!object || !strcmp(object, tree[i].object))
			printf(" %-24s %s\n", left, tree[i].summary);
	}
	printf("\nOptions:\n");
	print_option(&options[OPT_HELP]);
	if (!object)
		printf(" -V, --%-25s %s\n", "version", "show the release and the protocol version");
	printf("\nEvery command has its own --help. For more details see farmemctl(8).\n");
	return RC_OK;
}

/* Fill getopt's tables with the options that the command takes. */
static void fill_getopt(const struct cli_command *command, struct option *longs, char *shorts)
{
	int id;

	*shorts++ = ':';
	for (id = 0; id < OPT_LAST; id++) {
		if (!takes(command, id))
			continue;
		*longs++ = (struct option) {
			.name = options[id].name,
			.has_arg = options[id].argument ? required_argument : no_argument,
			.val = LONG_BASE + id,
		};
		if (options[id].letter) {
			*shorts++ = options[id].letter;
			if (options[id].argument)
				*shorts++ = ':';
		}
	}
	*longs = (struct option) { 0 };
	*shorts = '\0';
}

static int id_of(int value)
{
	int id;

	for (id = 0; id < OPT_LAST; id++)
		if (value == LONG_BASE + id || value == options[id].letter)
			return id;
	return -1;
}

static void take_option(struct cli_args *args, int id, const char *value)
{
	args->value[id] = value;
	if (id == OPT_LENDER) {
		text_add(&args->joined, ",", value);
		args->value[id] = args->joined;
	}
}

static int parse_options(struct cli_args *args, int argc, char **argv)
{
	struct option longs[OPT_LAST + 1];
	char shorts[2 * OPT_LAST + 2];
	int value;

	fill_getopt(args->command, longs, shorts);
	opterr = 0;
	while ((value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (value == ':' || value == '?')
			return misuse_option(args->title, value, shorts, longs, argv);
		take_option(args, id_of(value), optarg ? optarg : "");
	}
	return RC_OK;
}

static int check_required(const struct cli_args *args)
{
	int id;

	for (id = 0; id < OPT_LAST; id++)
		if ((args->command->required & (1ull << id)) && !args->value[id])
			return misuse(args->title, "--%s %s is required",
				      options[id].name, options[id].argument);
	return RC_OK;
}

static int check_argument(struct cli_args *args, int argc, char **argv)
{
	const char *wanted = args->command->argument;

	if (wanted && optind < argc)
		args->name = argv[optind++];
	if (wanted && strstr(wanted, "...")) {
		args->names = argv + optind - !!args->name;
		optind = argc;
	}
	if (wanted && *wanted != '[' && !args->name)
		return misuse(args->title, "%s is missing", wanted);
	if (optind < argc)
		return misuse(args->title, "unexpected argument %s", argv[optind]);
	return RC_OK;
}

static int run_parsed(struct cli_args *args, int argc, char **argv)
{
	int rc;

	if (args->value[OPT_HELP] || (optind < argc && !strcmp(argv[optind], "help")))
		return help_command(args->command);
	rc = check_argument(args, argc, argv);
	if (!rc)
		rc = check_required(args);
	if (!rc && args->command->table)
		rc = table_check(args);
	if (args->value[OPT_JSON])
		progress_forbid();
	return rc ? rc : args->command->run(args);
}

/* argv[0] is the command's last word. */
static int run(const struct cli_command *command, int argc, char **argv)
{
	CLEANUP_FREE char *name = title(command);
	struct cli_args args = { .command = command, .title = name };
	int rc = parse_options(&args, argc, argv);

	if (!rc)
		rc = run_parsed(&args, argc, argv);
	free(args.joined);
	return rc;
}

/* The option that a parameter of the module goes by here; -1: none. */
static int option_of(const char *parameter, size_t length)
{
	int id;

	for (id = OPT_SIZE; id <= OPT_PARTNER; id++) {
		const char *name = options[id].name;
		size_t i;

		for (i = 0; i < length && name[i] &&
		     (name[i] == parameter[i] || (name[i] == '-' && parameter[i] == '_')); i++)
			;
		if (i == length && !name[i])
			return id;
	}
	return -1;
}

/**
 * cli_words() - a sentence of the module in words of this program, to free
 * @text: it names parameters, "lower queues=", "takeover=1"; the answer names options
 */
char *cli_words(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
	char *said = text_copy("");

	while (*text) {
		CLEANUP_FREE char *before = said;
		size_t length = strspn(text, letters);
		int id = length && text[length] == '=' ? option_of(text, length) : -1;

		if (id < 0) {
			length += !length;
			said = text_format("%s%.*s", before, (int)length, text);
		} else {
			said = text_format("%s--%s", before, options[id].name);
			length++;
			/* Of a switch the value goes, of others the "=" if there is none. */
			if (!options[id].argument && text[length] == '1')
				length++;
			else if (text[length] && !strchr(" ,;)", text[length]))
				length--;
		}
		text += length;
	}
	return said;
}

static bool asks_help(const char *word)
{
	return !strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h");
}

static const struct cli_command *find(const struct cli_command *tree, size_t count,
				      const char *object, const char *verb)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(tree[i].object, object) &&
		    (!verb || !tree[i].verb || !strcmp(tree[i].verb, verb)))
			return &tree[i];
	return NULL;
}

static int unknown_object(const struct cli_command *tree, size_t count, const char *object)
{
	struct near near = { .word = object };
	size_t i;

	for (i = 0; i < count; i++)
		near_try(&near, tree[i].object);
	return misuse_unknown("", "unknown object", &near);
}

static int unknown_verb(const struct cli_command *tree, size_t count, const char *object,
			const char *verb)
{
	CLEANUP_FREE char *what = text_format("%s has no verb", object);
	struct near near = { .word = verb };
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(tree[i].object, object))
			near_try(&near, tree[i].verb);
	return misuse_unknown(object, what, &near);
}

/**
 * cli_main() - find the command, parse its options, run it
 * @tree: all commands; the first of an object is what the bare object does, the very first
 *	what the bare tool does
 *
 * Return: the exit code.
 */
int cli_main(const struct cli_command *tree, size_t count, int argc, char **argv)
{
	const struct cli_command *command;
	const char *object;

	if (argc > 1 && asks_help(argv[1]))
		return help_tree(tree, count, NULL);
	if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))) {
		printf("farmemctl %s, protocol %d\n", FARMEM_RELEASE, FARMEM_VERSION);
		return RC_OK;
	}
	if (argc < 2 || *argv[1] == '-')
		return run(tree, argc, argv);

	object = argv[1];
	command = find(tree, count, object, NULL);
	if (!command)
		return unknown_object(tree, count, object);
	if (!command->verb)
		return run(command, argc - 1, argv + 1);
	if (argc > 2 && asks_help(argv[2]))
		return help_tree(tree, count, object);
	if (argc < 3 || *argv[2] == '-')
		return run(command, argc - 1, argv + 1);

	command = find(tree, count, object, argv[2]);
	if (!command)
		return unknown_verb(tree, count, object, argv[2]);
	return run(command, argc - 2, argv + 2);
}

/** cli_number() - the value of an option that was given and takes a number: RC_OK or RC_USAGE */
int cli_number(const struct cli_args *args, enum cli_option_id id, double min,
	       double max, double *number)
{
	char *end;

	*number = strtod(args->value[id], &end);
	if (end != args->value[id] && !*end && *number >= min && *number <= max)
		return RC_OK;
	return misuse(args->title, "--%s %s: expected a number from %g to %g",
		      options[id].name, args->value[id], min, max);
}
