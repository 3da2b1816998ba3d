// SPDX-License-Identifier: GPL-2.0
/*
 * explain.c - looks things up in the table of explain.h.
 *
 * Called by programs and by farmemd: constant data, no allocation, no library.
 */
#include "explain.h"

#include <ctype.h>
#include <string.h>

static const struct explain_list *const lists[EXPLAIN_KINDS] = {
	[EXPLAIN_WC] = &explain_wc, [EXPLAIN_CM] = &explain_cm, [EXPLAIN_ASYNC] = &explain_async,
};

const struct explain *explain_find(enum explain_kind kind, int number)
{
	if ((unsigned int)kind >= EXPLAIN_KINDS || number < 0 ||
	    (size_t)number >= lists[kind]->count)
		return NULL;
	return &lists[kind]->entries[number];
}

const struct explain *explain_next(const struct explain *previous)
{
	const struct explain_list *list;
	enum explain_kind kind;

	if (!previous)
		return explain_wc.entries;
	list = lists[previous->kind];
	if (previous < list->entries + list->count - 1)
		return previous + 1;
	kind = previous->kind + 1;
	return kind < EXPLAIN_KINDS ? lists[kind]->entries : NULL;
}

bool explain_is_well(const struct explain *entry)
{
	return !strncmp(entry->check, "nothing", strlen("nothing"));
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
