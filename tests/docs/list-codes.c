// SPDX-License-Identifier: GPL-2.0
/*
 * list-codes - tools/common/explain.h's table, for the scripts beside this file:
 * `markdown` for docs/troubleshooting.md, `kernel` for check-words.
 */
#include <stdio.h>
#include <string.h>

#include "explain.h"

/* 'A command' of the table is `a command` in Markdown; the peer's is none. */
static void print_cell(const char *text)
{
	const char *c, *end;

	printf("| ");
	for (c = text; *c; c++) {
		end = c == text || c[-1] == ' ' || c[-1] == '(' ? strchr(c + 1, '\'') : NULL;
		if (*c == '\'' && end) {
			printf("`%.*s`", (int)(end - c - 1), c + 1);
			c = end;
		} else if (*c == '<' || *c == '*') {
			printf("\\%c", *c);
		} else {
			putchar(*c);
		}
	}
	putchar(' ');
}

static void print_row(const struct explain *entry)
{
	printf("| %d | `%s` | %s", entry->number, entry->name, entry->words);
	if (entry->kernel)
		printf("; kernel: %s", entry->kernel);
	putchar(' ');
	print_cell(entry->means);
	print_cell(entry->causes);
	print_cell(entry->check);
	printf("|\n");
}

static void print_markdown(void)
{
	static const char *const title[EXPLAIN_KINDS] = {
		"Work completion statuses", "RDMA_CM events", "Async events",
	};
	const struct explain *entry = NULL;

	while ((entry = explain_next(entry))) {
		if (!entry->number) {
			printf("\n### %s\n\n", title[entry->kind]);
			printf("| no. | name | words | what it means | usual causes | what to check |\n"
			       "| ---: | --- | --- | --- | --- | --- |\n");
		}
		print_row(entry);
	}
}

/* Which module of the kernel prints it, and how. */
static void print_kernel(void)
{
	const struct explain *entry = NULL;

	while ((entry = explain_next(entry)))
		printf("%s\t%s\n", entry->kind == EXPLAIN_CM ? "rdma_cm" : "ib_core",
		       entry->kernel ? entry->kernel : entry->words);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "markdown"))
		print_markdown();
	else if (argc == 2 && !strcmp(argv[1], "kernel"))
		print_kernel();
	else
		return 2;
	return 0;
}
