// SPDX-License-Identifier: GPL-2.0
#include "table.h"

#include <ctype.h>
#include <jansson.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "report.h"
#include "size.h"

/* The columns to print, in order. */
struct selection {
	const struct column *column[COLUMNS_MAX];
	size_t count;
};

static char *upper(const char *name)
{
	char *text = text_copy(name);
	char *c;

	for (c = text; *c; c++)
		*c = toupper((unsigned char)*c);
	return text;
}

/** table_help() - list the columns for --help */
void table_help(const struct table *table)
{
	size_t i;

	printf("\nColumns (* = usual):\n");
	for (i = 0; i < table->count; i++) {
		CLEANUP_FREE char *name = upper(table->columns[i].name);

		printf(" %c %-16s %s\n", table->columns[i].usual ? '*' : ' ', name,
		       table->columns[i].text);
	}
}

static const struct column *find(const struct table *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		if (!strcasecmp(table->columns[i].name, name))
			return &table->columns[i];
	return NULL;
}

static void select_all(const struct table *table, bool usual, struct selection *selection)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		if (!usual || table->columns[i].usual)
			selection->column[selection->count++] = &table->columns[i];
}

static int select_list(const struct cli_args *args, const char *list, struct selection *selection)
{
	CLEANUP_FREE char *names = text_copy(list);
	char *rest = names;
	char *name;

	while ((name = strsep(&rest, ","))) {
		const struct column *column = find(args->command->table, name);

		if (!column)
			return misuse(args->title, "unknown column \"%s\"", name);
		if (selection->count == COLUMNS_MAX)
			return misuse(args->title, "more than %d columns", COLUMNS_MAX);
		selection->column[selection->count++] = column;
	}
	return RC_OK;
}

/* JSON and the vertical view have room for everything. */
static int choose(const struct cli_args *args, struct selection *selection)
{
	const struct table *table = args->command->table;
	const char *list = args->value[OPT_OUTPUT];

	selection->count = 0;
	if (!list) {
		select_all(table, !args->value[OPT_JSON] && !args->command->vertical, selection);
		return RC_OK;
	}
	if (*list == '+') {
		select_all(table, true, selection);
		list++;
	}
	return select_list(args, list, selection);
}

/** table_check() - refuse a wrong --output before anything is done: RC_OK or RC_USAGE */
int table_check(const struct cli_args *args)
{
	struct selection selection;

	return choose(args, &selection);
}

static void replace(char *text, char from, char to)
{
	for (; *text; text++)
		if (*text == from)
			*text = to;
}

static bool is_plain(char c)
{
	return c == '\n' || (c >= ' ' && c <= '~');
}

/**
 * text_clean() - what JSON can hold, and a terminal shows as it is
 * @text: to free, or NULL
 *
 * The module takes no other names, but older modules did, and paths may have any bytes.
 * Return: @text, or with \xNN for bytes that are not UTF-8 or are control characters.
 */
char *text_clean(char *text)
{
	json_t *valid = text ? json_string(text) : NULL;
	char *clean, *end;
	const char *c;

	json_decref(valid);
	for (c = text; c && (is_plain(*c) || (valid && (unsigned char)*c > 0x7f)); c++)
		;
	if (!c || !*c)
		return text;
	clean = end = calloc(strlen(text) + 1, 4);
	if (!clean)
		exit(fail("out of memory"));
	for (c = text; *c; c++)
		end += sprintf(end, is_plain(*c) ? "%c" : "\\x%02x", (unsigned char)*c);
	free(text);
	return clean;
}

/* Of the kernel's files, and of farmemd's answers; @value is taken. */
static char *yes_or_no(char *value)
{
	CLEANUP_FREE char *given = value;

	return text_copy(!strcmp(given, "1") || !strcmp(given, "true") ? "yes" : "no");
}

static char *cell(const struct cli_args *args, const struct column *column, const void *row)
{
	CLEANUP_FREE char *bytes = NULL;
	char *value = column->get(row, column);

	if (args->value[OPT_JSON])
		return text_clean(value);
	if (!value || !*value)
		return value;
	if (column->type == COLUMN_BOOL)
		return yes_or_no(value);
	if (column->type == COLUMN_LIST)
		replace(value, '\n', ',');
	if (column->type != COLUMN_BYTES || args->value[OPT_BYTES])
		return value;
	bytes = value;
	return size_format(strtoull(bytes, NULL, 10));
}

static struct libscols_table *new_table(const struct cli_args *args)
{
	struct libscols_table *out = scols_new_table();

	if (!out)
		return NULL;
	scols_table_set_name(out, args->command->table->name);
	scols_table_enable_json(out, !!args->value[OPT_JSON]);
	scols_table_enable_noheadings(out, !!args->value[OPT_NOHEADINGS]);
	return out;
}

static int scols_type(enum column_type type)
{
	switch (type) {
	case COLUMN_NUMBER:
	case COLUMN_BYTES:
		return SCOLS_JSON_NUMBER;
	case COLUMN_BOOL:
		return SCOLS_JSON_BOOLEAN_OPTIONAL;
	case COLUMN_LIST:
		return SCOLS_JSON_ARRAY_STRING;
	default:
		return SCOLS_JSON_STRING;
	}
}

static void add_column(struct libscols_table *out, const struct column *column)
{
	CLEANUP_FREE char *name = upper(column->name);
	bool right = column->type == COLUMN_NUMBER || column->type == COLUMN_BYTES;
	struct libscols_column *made;

	made = scols_table_new_column(out, name, 0, right ? SCOLS_FL_RIGHT : 0);
	if (!made)
		return;
	scols_column_set_json_type(made, scols_type(column->type));
	/* The library splits only what it would wrap. */
	if (column->type == COLUMN_LIST && scols_table_is_json(out)) {
		scols_column_set_flags(made, SCOLS_FL_WRAP);
		scols_column_set_wrapfunc(made, scols_wrapnl_chunksize,
					  scols_wrapnl_nextchunk, NULL);
		scols_column_set_safechars(made, "\n");
	}
}

static void fill_horizontal(const struct cli_args *args, struct libscols_table *out,
			    const struct selection *selection,
			    const void *const *rows, size_t count)
{
	size_t i, n;

	for (n = 0; n < selection->count; n++)
		add_column(out, selection->column[n]);
	for (i = 0; i < count; i++) {
		struct libscols_line *line = scols_table_new_line(out, NULL);

		for (n = 0; line && n < selection->count; n++)
			scols_line_refer_data(line, n, cell(args, selection->column[n], rows[i]));
	}
}

static void fill_vertical(const struct cli_args *args, struct libscols_table *out,
			  const struct selection *selection, const void *row)
{
	bool bare = scols_table_is_noheadings(out);
	size_t n;

	/* Without headings a script wants the values and nothing else. */
	scols_table_new_column(out, "NAME", 0, bare ? SCOLS_FL_HIDDEN : 0);
	scols_table_new_column(out, "VALUE", 0, 0);
	for (n = 0; n < selection->count; n++) {
		struct libscols_line *line = scols_table_new_line(out, NULL);

		if (!line)
			return;
		scols_line_refer_data(line, 0, upper(selection->column[n]->name));
		scols_line_refer_data(line, 1, cell(args, selection->column[n], row));
	}
}

/* For a list without items the library prints one that is null. */
static void empty_lists(char *text)
{
	static const char null[] = "null";
	char *from = text, *to = text;

	while (*from) {
		char *item, *end;

		*to++ = *from++;
		item = from + strspn(from, " \n");
		/* In a string no newline stands as itself. */
		if (to[-1] != '[' || *from != '\n' || strncmp(item, null, strlen(null)))
			continue;
		end = item + strlen(null);
		end += strspn(end, " \n");
		if (*end == ']')
			from = end;
	}
	*to = '\0';
}

/* The library knows no top-level fields: the version goes after its brace. */
static int print_json(struct libscols_table *out, const char *name, size_t count)
{
	CLEANUP_FREE char *text = NULL;

	if (!count) {
		printf("{\n   \"version\": %d,\n   \"%s\": []\n}\n", JSON_VERSION, name);
		return RC_OK;
	}
	if (scols_print_table_to_string(out, &text) || !text || *text != '{')
		return fail("libsmartcols could not print the table");
	empty_lists(text);
	printf("{\n   \"version\": %d,%s%s", JSON_VERSION, text + 1,
	       text[strlen(text) - 1] == '\n' ? "" : "\n");
	return RC_OK;
}

/** table_empty() - say @why a list is empty; false: a script reads it (JSON, no headings) */
bool table_empty(const struct cli_args *args, const char *why)
{
	if (args->value[OPT_JSON] || args->value[OPT_NOHEADINGS])
		return false;
	fail("%s", why);
	return true;
}

/** table_print() - print rows as the command line asks; a vertical command has exactly one */
int table_print(const struct cli_args *args, const void *const *rows, size_t count)
{
	struct libscols_table *out;
	struct selection selection;
	int rc;

	rc = choose(args, &selection);
	if (rc)
		return rc;
	out = new_table(args);
	if (!out)
		return fail("out of memory");
	if (args->command->vertical && !args->value[OPT_JSON])
		fill_vertical(args, out, &selection, rows[0]);
	else
		fill_horizontal(args, out, &selection, rows, count);

	if (args->value[OPT_JSON])
		rc = print_json(out, args->command->table->name, count);
	else if (count && scols_print_table(out))
		rc = fail("libsmartcols could not print the table");
	scols_unref_table(out);
	return rc;
}
