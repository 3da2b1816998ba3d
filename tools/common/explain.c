// SPDX-License-Identifier: GPL-2.0
/*
 * explain.c - looks things up in the table of explain.h.
 *
 * Called by programs and by farmemd: constant data, no allocation, no library.
 */
#include "explain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
	const struct explain_list *list;
	const char *name;
	/* What the names begin with, in user space and in the kernel. */
	const char *prefix[2];
} kinds[EXPLAIN_KINDS] = {
	[EXPLAIN_WC] = {
		&explain_wc, "work completion status", { "IBV_WC_", "IB_WC_" },
	},
	[EXPLAIN_CM] = {
		&explain_cm, "RDMA_CM event", { "RDMA_CM_EVENT_", NULL },
	},
	[EXPLAIN_ASYNC] = {
		&explain_async, "async event", { "IBV_EVENT_", "IB_EVENT_" },
	},
};

const struct explain *explain_find(enum explain_kind kind, int number)
{
	if ((unsigned int)kind >= EXPLAIN_KINDS || number < 0 ||
	    (size_t)number >= kinds[kind].list->count)
		return NULL;
	return &kinds[kind].list->entries[number];
}

const struct explain *explain_next(const struct explain *previous)
{
	const struct explain_list *list;
	enum explain_kind kind;

	if (!previous)
		return explain_wc.entries;
	list = kinds[previous->kind].list;
	if (previous < list->entries + list->count - 1)
		return previous + 1;
	kind = previous->kind + 1;
	return kind < EXPLAIN_KINDS ? kinds[kind].list->entries : NULL;
}

bool explain_is_well(const struct explain *entry)
{
	return !strncmp(entry->check, "nothing", strlen("nothing"));
}

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

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* As words of their own: "rejected" is not in "unrejected". */
static bool has_words(const char *message, const char *words)
{
	size_t len = strlen(words);
	const char *at = message;

	while ((at = strcasestr(at, words))) {
		if ((at == message || !in_word(at[-1])) && !in_word(at[len]))
			return true;
		at++;
	}
	return false;
}

static size_t longer(const char *message, const char *words, size_t than)
{
	if (!words || strlen(words) <= than || !has_words(message, words))
		return than;
	return strlen(words);
}

const struct explain *explain_said(const char *message)
{
	const struct explain *entry = NULL, *best = NULL;
	size_t most = 0;

	while ((entry = explain_next(entry))) {
		size_t len = longer(message, entry->words, most);

		len = longer(message, entry->kernel, len);
		len = longer(message, entry->name, len);
		if (len > most)
			best = entry;
		most = len;
	}
	return best;
}
