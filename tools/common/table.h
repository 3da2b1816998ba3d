/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table.h - columns: tables for people, JSON for programs.
 *
 * A column's name is its heading and, in lower case, its JSON field; both are
 * ABI.  JSON is {"version": 1, "<table>": [{...}, ...]}; the version changes
 * when a field changes its meaning or goes away, not when one is added.
 */
#ifndef FARMEMCTL_TABLE_H
#define FARMEMCTL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#define JSON_VERSION 1
#define COLUMNS_MAX 32

struct cli_args;
struct json_t;

enum column_type {
	COLUMN_TEXT,
	COLUMN_NUMBER,
	COLUMN_BYTES,		/* a size: 4G for people, 4294967296 in JSON */
	COLUMN_TIME,		/* nanoseconds, perhaps behind ">": 1.02us for people */
	COLUMN_BOOL,		/* "0" or "1"; true or false in JSON */
	COLUMN_LIST,		/* a line for each item; an array in JSON */
};

/**
 * struct column - one column of a table
 * @name: heading and JSON field, in lower case
 * @text: what it shows, for --help
 * @type: how the value is printed
 * @usual: shown without --output
 * @get: the value for a row, to free; NULL if the row has none
 */
struct column {
	const char *name;
	const char *text;
	enum column_type type;
	bool usual;
	char *(*get)(const void *row, const struct column *column);
};

/**
 * struct table - what a command prints
 * @name: JSON name of the array of rows
 * @columns: those there are, in their order
 * @count: how many
 */
struct table {
	const char *name;
	const struct column *columns;
	size_t count;
};

/* What a table shows, from top to bottom. */
struct rows {
	void **row;
	size_t count;
};

#define TABLE(json_name, column_array) {				\
	.name = (json_name),						\
	.columns = (column_array),					\
	.count = sizeof(column_array) / sizeof((column_array)[0]),	\
}

void rows_append(struct rows *rows, void *row);
bool table_empty(const struct cli_args *args, const char *why);
char *text_clean(char *text);
void table_help(const struct table *table, const char *when);
int table_check(const struct cli_args *args);
char *table_text(const struct cli_args *args, const void *const *rows, size_t count);
struct json_t *table_json(const struct cli_args *args, const void *const *rows, size_t count);
int table_print(const struct cli_args *args, const void *const *rows, size_t count);

#endif
