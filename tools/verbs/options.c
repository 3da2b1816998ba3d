// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "size.h"

/* What getopt gives for a long option: above all letters, and its own ':' and '?'. */
#define LONG_BASE 256

#define FIELD(name) offsetof(struct options, name)
#define RUN (FOR_CLIENT | ON_WIRE)
#define END_POINTS (FOR_CLIENT | FOR_SWEEP)

static const char *const setups[] = { "hand", "cm", NULL };
static const char *const transports[] = { "rc", "uc", "ud", NULL };
static const char *const ops[] = { "send", "write", "write-imm", "read", "cas", "fadd", NULL };
static const char *const waits[] = { "poll", "event", NULL };
static const char *const shares[] = { "none", "fork", "shm", "import", NULL };
static const char *const shows[] = {
	"nothing", "rkey", "lkey", "bounds", "rnr", "length", "retry", "rejected", "window", NULL
};

#define CHOICE(users, n, field, start, names, arg, help) \
	{ n, KIND_CHOICE, users, FIELD(field), 0, 0, start, names, arg, help, 0 }
#define NUMBER(users, n, field, low, high, start, help) \
	{ n, KIND_NUMBER, users, FIELD(field), low, high, start, NULL, "N", help, 0 }
#define SWITCH(users, n, field, help) \
	{ n, KIND_SWITCH, users, FIELD(field), 0, 1, 0, NULL, NULL, help, 0 }
#define TEXT(users, n, field, arg, help) \
	{ n, KIND_TEXT, users, FIELD(field), 0, 0, 0, NULL, arg, help, 0 }

const struct option_row option_rows[] = {
	CHOICE(RUN, "setup", setup, SETUP_HAND, setups, "hand|cm",
	       "connect queue pairs step by step, or by rdma_cm"),
	CHOICE(RUN, "transport", transport, TRANSPORT_RC, transports, "rc|uc|ud",
	       "reliable connected, unreliable connected, unreliable datagram"),
	CHOICE(RUN, "op", op, AUTO, ops, "OP",
	       "send, write, write-imm, read, cas or fadd (default: write; ud send)"),
	{ "size", KIND_SIZE, RUN, FIELD(size), 1, 64 << 20, AUTO, NULL, "SIZE|all",
	  "bytes of a message (default: 4096; ud 1024), or all powers of two", 0 },
	NUMBER(RUN, "iterations", iterations, 1, 10000000, 1000,
	       "operations to measure, one at a time and in a stream"),
	NUMBER(RUN, "depth", depth, 1, 8192, 16, "operations under way at once, on each queue"),
	NUMBER(RUN, "signal-every", signal_every, 1, 8192, 1,
	       "one work request in N asks for a completion"),
	SWITCH(RUN, "inline", inline_data, "copy the data into the work request"),
	CHOICE(RUN, "wait", wait, WAIT_POLL, waits, "poll|event",
	       "look for completions without pause, or sleep until one is there"),
	NUMBER(RUN, "queues", queues, 1, 64, 1, "queue pairs"),
	SWITCH(RUN, "shared-cq", shared_cq, "one completion queue for all queue pairs"),
	SWITCH(RUN, "srq", srq, "one shared receive queue for all queue pairs"),
	NUMBER(RUN, "sge", sge, 1, 16, 1, "pieces of memory that a message is made of, here"),
	NUMBER(RUN, "remote-sge", remote_sge, 1, 16, 1, "pieces of memory that a receive of the server is made of"),
	SWITCH(RUN, "mw", mw, "open the target with a memory window of type 2"),
	NUMBER(RUN, "processes", processes, 1, 16, 1, "client processes at once"),
	CHOICE(RUN, "share", share, SHARE_NONE, shares, "none|fork|shm|import",
	       "what these processes share: see farmem-verbs(1)"),
	SWITCH(RUN, "order", order, "show in which order completions come"),
	SWITCH(RUN, "verify", verify, "check every byte (of WRITEs in a stream: the last --depth of each queue)"),
	CHOICE(RUN, "show", show, SHOW_NOTHING, shows, "FAULT",
	       "make a fault and explain it: rkey, lkey, bounds, rnr, length, retry, rejected, window"),
	NUMBER(RUN, "responder-resources", responder_resources, 0, 255, AUTO,
	       "READs and atomics that the server answers at once (default: the device's)"),
	NUMBER(RUN, "initiator-depth", initiator_depth, 0, 255, AUTO,
	       "READs and atomics under way at once (default: the device's)"),
	NUMBER(RUN, "retry-count", retry_count, 0, 7, 6, "times that a lost packet is sent again"),
	NUMBER(RUN, "rnr-retry", rnr_retry, 0, 7, 6,
	       "times that a message without a receive is sent again; 7: for ever"),
	NUMBER(RUN | FOR_SWEEP, "timeout", timeout, 1, 3600, 10,
	       "seconds without progress after which a run has failed"),
	{ "seed", KIND_NUMBER, ON_WIRE, FIELD(seed), 0, AUTO, 1, NULL, NULL, NULL, 0 },

	TEXT(FOR_SERVER, "bind", bind, "ADDR", "listen at this address (default: all)"),
	NUMBER(END_POINTS | FOR_SERVER, "port", port, 1, 65535, 7472, "TCP port of the server"),
	SWITCH(FOR_SERVER, "once", once, "end after one client"),
	TEXT(END_POINTS | FOR_SERVER, "device", device, "NAME",
	     "RDMA device (default: that of the address in use)"),
	NUMBER(END_POINTS | FOR_SERVER, "ib-port", ib_port, 1, 255, AUTO,
	       "port of the device (default: that of the address in use)"),
	NUMBER(END_POINTS | FOR_SERVER, "gid-index", gid_index, 0, 65535, AUTO,
	       "GID of the port (default: RoCE v2 of the address in use)"),
	NUMBER(END_POINTS, "connect-timeout", connect_timeout, 1, 3600, 10,
	       "seconds to wait until the server listens"),
	{ "json", KIND_SWITCH, END_POINTS | FOR_EXPLAIN, FIELD(json), 0, 1, 0, NULL, NULL,
	  "print JSON", 'J' },
};

const size_t option_count = sizeof(option_rows) / sizeof(option_rows[0]);

/**
 * options_largest() - the largest message of the run, in bytes
 * @options: that is settled
 */
unsigned int options_largest(const struct options *options)
{
	return options->size == SIZE_ALL ? SIZE_ALL_MAX : options->size;
}

/**
 * options_number() - the field of a number, a choice or a switch
 * @row: the option; not one of KIND_TEXT
 * @options: whose field
 */
unsigned int *options_number(const struct option_row *row, const struct options *options)
{
	return (unsigned int *)((char *)options + row->offset);
}

/**
 * options_init() - the run that nobody said anything about
 * @options: to fill
 */
void options_init(struct options *options)
{
	size_t i;

	memset(options, 0, sizeof(*options));
	for (i = 0; i < option_count; i++)
		if (option_rows[i].kind != KIND_TEXT)
			*options_number(&option_rows[i], options) = option_rows[i].initial;
}

/**
 * options_settle() - choose what follows from the other options
 * @options: of a run that is complete
 */
void options_settle(struct options *options)
{
	switch (options->show) {
	case SHOW_RNR:
	case SHOW_LENGTH:
		options->op = OP_SEND;
		break;
	case SHOW_WINDOW:
		options->mw = 1;
		break;
	}
	if (options->order)
		options->shared_cq = 1;
	if (options->op == AUTO)
		options->op = options->transport == TRANSPORT_UD ? OP_SEND : OP_WRITE;
	if (options->size != AUTO)
		return;
	if (options->op == OP_CAS || options->op == OP_FADD)
		options->size = ATOMIC_SIZE;
	else
		options->size = options->transport == TRANSPORT_UD ? 1024 : 4096;
}

/**
 * options_find() - the option of a name
 * @name: without the two hyphens
 *
 * Return: it or NULL.
 */
const struct option_row *options_find(const char *name)
{
	size_t i;

	for (i = 0; i < option_count; i++)
		if (!strcmp(option_rows[i].name, name))
			return &option_rows[i];
	return NULL;
}

static int set_choice(const struct option_row *row, const char *value, unsigned int *number)
{
	unsigned int i;

	for (i = 0; row->choices[i]; i++) {
		if (strcmp(row->choices[i], value))
			continue;
		*number = i;
		return 0;
	}
	return -1;
}

static int set_number(const struct option_row *row, const char *value, unsigned int *number)
{
	unsigned long n;
	char *end;

	if (*value < '0' || *value > '9')
		return -1;
	n = strtoul(value, &end, 10);
	if (*end || n < row->min || n > row->max)
		return -1;
	*number = n;
	return 0;
}

static int set_size(const struct option_row *row, const char *value, unsigned int *number)
{
	uint64_t bytes;

	if (!strcmp(value, "all")) {
		*number = SIZE_ALL;
		return 0;
	}
	if (size_parse(value, &bytes) || bytes < row->min || bytes > row->max)
		return -1;
	*number = bytes;
	return 0;
}

/**
 * options_set() - give one option a value
 * @options: the run
 * @row: the option
 * @value: as it is written; not freed before @options
 *
 * Return: 0, or -1 if it cannot have that value.
 */
int options_set(struct options *options, const struct option_row *row, const char *value)
{
	unsigned int *number = options_number(row, options);

	switch (row->kind) {
	case KIND_TEXT:
		*(const char **)((char *)options + row->offset) = value;
		return 0;
	case KIND_CHOICE:
		return set_choice(row, value, number);
	case KIND_SIZE:
		return set_size(row, value, number);
	default:
		return set_number(row, value, number);
	}
}

/**
 * options_value() - an option as it is written
 * @options: the run
 * @row: the option; not one of KIND_TEXT
 * @text: where a number is written to
 * @size: of @text
 *
 * Return: the value, in @text or constant.
 */
const char *options_value(const struct options *options, const struct option_row *row,
			  char *text, size_t size)
{
	unsigned int number = *options_number(row, options);

	if (row->kind == KIND_CHOICE)
		return row->choices[number];
	if (row->kind == KIND_SIZE && number == SIZE_ALL)
		return "all";
	snprintf(text, size, "%u", number);
	return text;
}

static int refuse_choice(const char *command, const struct option_row *row, const char *value)
{
	char text[128] = "";
	size_t used = 0;
	unsigned int i;

	for (i = 0; row->choices[i] && used < sizeof(text); i++)
		used += snprintf(text + used, sizeof(text) - used, "%s%s", i ? ", " : "",
				 row->choices[i]);
	return misuse(command, "--%s %s: there is only %s", row->name, value, text);
}

static int refuse(const char *command, const struct option_row *row, const char *value)
{
	switch (row->kind) {
	case KIND_CHOICE:
		return refuse_choice(command, row, value);
	case KIND_SIZE:
		return misuse(command, "--%s %s: expected a number of bytes from %u to %u, or all", row->name,
			      value, row->min, row->max);
	default:
		return misuse(command, "--%s %s: expected a number from %u to %u", row->name,
			      value, row->min, row->max);
	}
}

/* The options of a command for getopt; those with a letter are switches. */
static void fill_getopt(unsigned int user, struct option *longs, char *shorts)
{
	size_t i;

	*shorts++ = ':';
	for (i = 0; i < option_count; i++) {
		if (!(option_rows[i].users & user))
			continue;
		*longs++ = (struct option) {
			.name = option_rows[i].name,
			.has_arg = option_rows[i].argument ? required_argument : no_argument,
			.val = LONG_BASE + i,
		};
		if (option_rows[i].letter)
			*shorts++ = option_rows[i].letter;
	}
	*shorts = '\0';
}

/* The option that getopt_long() found, NULL if it found none. */
static const struct option_row *of_getopt(int value)
{
	size_t i;

	for (i = 0; i < option_count; i++)
		if (value == (int)(LONG_BASE + i) || value == option_rows[i].letter)
			return &option_rows[i];
	return NULL;
}

/**
 * options_parse() - read a command's line
 * @options: where to; options_init() done
 * @user: FOR_..., whose line it is
 * @command: its name, for messages
 * @argc: as in main(), from the command's name on
 * @argv: likewise
 *
 * Return: RC_OK with optind at the first argument that is no option, or RC_USAGE.
 */
int options_parse(struct options *options, unsigned int user, const char *command,
		  int argc, char **argv)
{
	struct option longs[sizeof(option_rows) / sizeof(option_rows[0]) + 1] = { 0 };
	char shorts[sizeof(option_rows) / sizeof(option_rows[0]) + 2];
	int value;

	fill_getopt(user, longs, shorts);
	opterr = 0;
	while ((value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct option_row *row = of_getopt(value);

		if (value == ':' || value == '?')
			return misuse_option(command, value, shorts, longs, argv);
		if (options_set(options, row, optarg ? optarg : "1"))
			return refuse(command, row, optarg);
	}
	return RC_OK;
}

static void print_initial(const struct option_row *row)
{
	struct options initial;
	char text[16];

	options_init(&initial);
	if (row->kind != KIND_SWITCH && row->kind != KIND_TEXT && row->initial != AUTO)
		printf(" (default: %s)", options_value(&initial, row, text, sizeof(text)));
}

/**
 * options_help() - list the options of a command
 * @user: FOR_...
 */
void options_help(unsigned int user)
{
	char left[64];
	size_t i;

	for (i = 0; i < option_count; i++) {
		if (!(option_rows[i].users & user))
			continue;
		snprintf(left, sizeof(left), "%s %s", option_rows[i].name,
			 option_rows[i].argument ? option_rows[i].argument : "");
		if (option_rows[i].letter)
			printf(" -%c, ", option_rows[i].letter);
		else
			printf("     ");
		printf("--%-27s %s", left, option_rows[i].text);
		print_initial(&option_rows[i]);
		printf("\n");
	}
}

/**
 * options_write() - what the client tells the server: "setup=cm transport=rc ..."
 * @options: the run
 * @line: where to
 * @size: of @line
 */
void options_write(const struct options *options, char *line, size_t size)
{
	size_t i, used = 0;
	char text[16];

	*line = '\0';
	for (i = 0; i < option_count && used < size; i++) {
		const struct option_row *row = &option_rows[i];

		if (!(row->users & ON_WIRE) || *options_number(row, options) == AUTO)
			continue;
		used += snprintf(line + used, size - used, "%s%s=%s", used ? " " : "", row->name,
				 options_value(options, row, text, sizeof(text)));
	}
}

/**
 * options_read() - the server's half of options_write()
 * @options: where to; its other fields stay
 * @line: what the client sent; cut into pieces
 *
 * The line comes from a peer: what is not in the table, or out of range, is refused.
 *
 * Return: 0, or -1 when it is not a run.
 */
int options_read(struct options *options, char *line)
{
	char *rest = line;
	char *name;

	while ((name = strsep(&rest, " "))) {
		char *value = strchr(name, '=');
		const struct option_row *row;

		if (!value)
			return -1;
		*value++ = '\0';
		row = options_find(name);
		if (!row || !(row->users & ON_WIRE) || options_set(options, row, value))
			return -1;
	}
	return 0;
}
