// SPDX-License-Identifier: GPL-2.0
/*
 * explain-command.c - `explain CODE|all`: entries of the table for people, and
 * as JSON for programs.  farmem-verbs calls it.
 */
#include "explain-command.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "explain.h"
#include "report.h"
#include "table.h"

#define WIDTH	80
#define INDENT	10

static const struct {
	const char *name;
	/* What the names begin with, in user space and in the kernel. */
	const char *prefix[2];
} kinds[EXPLAIN_KINDS] = {
	[EXPLAIN_WC] = { "work completion status", { "IBV_WC_", "IB_WC_" } },
	[EXPLAIN_CM] = { "RDMA_CM event", { "RDMA_CM_EVENT_", NULL } },
	[EXPLAIN_ASYNC] = { "async event", { "IBV_EVENT_", "IB_EVENT_" } },
};

const char *explain_kind_name(enum explain_kind kind)
{
	return kinds[kind].name;
}

static bool is_number(const char *code, int number)
{
	char *end;
	long value;

	if (!isdigit((unsigned char)*code))
		return false;
	value = strtol(code, &end, 10);
	return !*end && value == number;
}

/* The part of a name that differs within its kind: RETRY_EXC_ERR. */
static const char *bare(const struct explain *entry, const char *name)
{
	int i;

	for (i = 0; i < 2; i++) {
		const char *prefix = kinds[entry->kind].prefix[i];

		if (prefix && !strncasecmp(name, prefix, strlen(prefix)))
			return name + strlen(prefix);
	}
	return name;
}

bool explain_is(const struct explain *entry, const char *code)
{
	return is_number(code, entry->number) ||
	       !strcasecmp(bare(entry, code), bare(entry, entry->name)) ||
	       !strcasecmp(code, entry->words) ||
	       (entry->kernel && !strcasecmp(code, entry->kernel));
}

/* How a code is looked for, the strictest way first. */
static bool any(const struct explain *entry, const char *code)
{
	(void)entry;
	return !strcasecmp(code, "all");
}

static bool quoted(const struct explain *entry, const char *code)
{
	return explain_said(code) == entry;
}

static bool partly(const struct explain *entry, const char *code)
{
	return *code && (strcasestr(entry->words, code) || strcasestr(entry->name, code) ||
			 (entry->kernel && strcasestr(entry->kernel, code)));
}

typedef bool (*match_fn)(const struct explain *entry, const char *code);

static const match_fn ways[] = { any, explain_is, quoted, partly };

static bool matches(match_fn match, const char *code)
{
	const struct explain *entry = NULL;

	while ((entry = explain_next(entry)))
		if (match(entry, code))
			return true;
	return false;
}

static match_fn way_to(const char *code)
{
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (matches(ways[i], code))
			return ways[i];
	return NULL;
}

/* "  means:  text", filled to WIDTH, further lines below the text. */
static void print_field(const char *label, const char *text)
{
	int column = printf("  %-*s", INDENT - 2, label);
	const char *word = text;

	while (*word) {
		int len = strcspn(word, " ");

		if (column > INDENT && column + 1 + len > WIDTH)
			column = printf("\n%*s", INDENT, "") - 1;
		column += printf("%s%.*s", column > INDENT ? " " : "", len, word);
		word += len;
		word += strspn(word, " ");
	}
	putchar('\n');
}

static void print_text(match_fn match, const char *code)
{
	const struct explain *entry = NULL;
	const char *between = "";

	while ((entry = explain_next(entry))) {
		if (!match(entry, code))
			continue;
		printf("%s%s, %s %d\n", between, entry->name, explain_kind_name(entry->kind),
		       entry->number);
		print_field("words:", entry->words);
		if (entry->kernel)
			print_field("kernel:", entry->kernel);
		print_field("means:", entry->means);
		print_field("causes:", entry->causes);
		print_field("check:", entry->check);
		between = "\n";
	}
}

static json_t *pack(const struct explain *entry)
{
	return json_pack("{ss si ss ss ss* ss ss ss}", "kind", explain_kind_name(entry->kind),
			 "number", entry->number, "name", entry->name, "words", entry->words,
			 "kernel", entry->kernel, "means", entry->means,
			 "causes", entry->causes, "check", entry->check);
}

static int print_json(match_fn match, const char *code)
{
	const struct explain *entry = NULL;
	json_t *codes = json_array();
	json_t *all;
	int ret = 0;

	while ((entry = explain_next(entry)))
		if (match(entry, code))
			ret |= json_array_append_new(codes, pack(entry));
	all = json_pack("{si so}", "version", JSON_VERSION, "codes", codes);
	/* A disk that is full is flush_output()'s to tell. */
	if (!all || ret || (json_dumpf(all, stdout, JSON_INDENT(3)) && !ferror(stdout))) {
		fprintf(stderr, "%s: the JSON could not be made: out of memory?\n",
			program_invocation_short_name);
		ret = -1;
	} else {
		putchar('\n');
	}
	json_decref(all);
	return ret ? RC_FAILURE : RC_OK;
}

static int unknown(const char *code)
{
	fprintf(stderr,
		"%s: no code is called \"%s\"; give a number, a name such as RETRY_EXC_ERR, or words such as \"transport retry counter exceeded\"\n"
		"  next: %s explain all\n",
		program_invocation_short_name, code, program_invocation_short_name);
	return RC_FAILURE;
}

int explain_command(const char *code, bool json)
{
	match_fn match = way_to(code);

	if (!match)
		return unknown(code);
	if (json)
		return print_json(match, code);
	print_text(match, code);
	return RC_OK;
}
