// SPDX-License-Identifier: GPL-2.0
#include "table.h"

#include <ctype.h>
#include <jansson.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
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

/** table_help() - list the columns for --help, and @when there are these */
void table_help(const struct table *table, const char *when)
{
	size_t i;

	printf("\nColumns%s (* = usual):\n", when ? when : "");
	for (i = 0; i < table->count; i++) {
		CLEANUP_FREE char *name = upper(table->columns[i].name);

		printf(" %c %-16s %s\n", table->columns[i].usual ? '*' : ' ', name,
		       table->columns[i].text);
	}
}

/* The table that the command line asks for. */
static const struct table *asked(const struct cli_args *args)
{
	return args->value[OPT_LATENCY] ? args->command->latency_table : args->command->table;
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
		const struct column *column = find(asked(args), name);

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
	const struct table *table = asked(args);
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
	clean = end = checked(calloc(strlen(text) + 1, 4));
	for (c = text; *c; c++)
		end += sprintf(end, is_plain(*c) ? "%c" : "\\x%02x", (unsigned char)*c);
	free(text);
	return clean;
}

/* Of the kernel's files, and of farmemd's answers. */
static bool is_yes(const char *value)
{
	return !strcmp(value, "1") || !strcmp(value, "true");
}

/* Three digits are as much as buckets tell. */
static char *format_time(const char *value)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	bool above = *value == '>';
	double time = strtod(value + above, NULL);
	size_t i = 0;

	for (; time >= 1000 && i < 3; i++)
		time /= 1000;
	return text_format("%s%.3g%s", above ? ">" : "", time, units[i]);
}

static char *cell(const struct cli_args *args, const struct column *column, const void *row)
{
	char *value = column->get(row, column);
	CLEANUP_FREE char *given = value;

	if (value && *value && column->type == COLUMN_BOOL)
		return text_copy(is_yes(value) ? "yes" : "no");
	if (value && *value && column->type == COLUMN_BYTES && !args->value[OPT_BYTES])
		return size_format(strtoull(value, NULL, 10));
	if (value && column->type == COLUMN_TIME)
		return format_time(value);
	if (value && column->type == COLUMN_LIST)
		replace(value, '\n', ',');
	given = NULL;
	return value;
}

static json_t *json_cell(const struct column *column, const void *row)
{
	CLEANUP_FREE char *value = text_clean(column->get(row, column));
	char *rest = value, *item;
	json_t *number, *list;

	if (column->type == COLUMN_LIST) {
		list = json_array();
		while (value && *value && (item = strsep(&rest, "\n")))
			json_array_append_new(list, json_string(item));
		return list;
	}
	if (!value || !*value)
		return json_null();
	if (column->type == COLUMN_BOOL)
		return json_boolean(is_yes(value));
	number = column->type == COLUMN_TEXT ? NULL : json_loads(value, JSON_DECODE_ANY, NULL);
	return number ? number : json_string(value);
}

static json_t *json_rows(const struct selection *selection, const void *const *rows, size_t count)
{
	json_t *list = json_array();
	size_t i, n;

	for (i = 0; i < count; i++) {
		json_t *object = json_object();

		for (n = 0; n < selection->count; n++)
			json_object_set_new(object, selection->column[n]->name,
					    json_cell(selection->column[n], rows[i]));
		json_array_append_new(list, object);
	}
	return list;
}

/**
 * table_json() - rows as an array, the columns as the command line asks
 *
 * Return: for json_decref(); NULL after saying what is wrong.
 */
json_t *table_json(const struct cli_args *args, const void *const *rows, size_t count)
{
	struct selection selection;

	return choose(args, &selection) ? NULL : json_rows(&selection, rows, count);
}

/* The version stands first: the library keeps the order. */
static int print_json(const struct table *table, const struct selection *selection,
		      const void *const *rows, size_t count)
{
	json_t *all = json_pack("{si so}", "version", JSON_VERSION, table->name,
				json_rows(selection, rows, count));
	int rc;

	/* flush_output() reports an output that can't be written. */
	rc = json_dumpf(all, stdout, JSON_INDENT(3) | JSON_REAL_PRECISION(15)) && !ferror(stdout) ? fail("out of memory") : RC_OK;
	putchar('\n');
	json_decref(all);
	return rc;
}

static void add_column(struct libscols_table *out, const struct column *column)
{
	CLEANUP_FREE char *name = upper(column->name);
	bool right = column->type == COLUMN_NUMBER || column->type == COLUMN_BYTES ||
		     column->type == COLUMN_TIME;

	scols_table_new_column(out, name, 0, right ? SCOLS_FL_RIGHT : 0);
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

/** rows_append() - one more */
void rows_append(struct rows *rows, void *row)
{
	rows->row = checked(reallocarray(rows->row, rows->count + 1, sizeof(*rows->row)));
	rows->row[rows->count++] = row;
}

/** table_empty() - say @why a list is empty; false: a script reads it (JSON, no headings) */
bool table_empty(const struct cli_args *args, const char *why)
{
	if (args->value[OPT_JSON] || args->value[OPT_NOHEADINGS])
		return false;
	fail("%s", why);
	return true;
}

static struct libscols_table *fill(const struct cli_args *args, const struct selection *selection,
				   const void *const *rows, size_t count)
{
	struct libscols_table *out = checked(scols_new_table());

	scols_table_enable_noheadings(out, !!args->value[OPT_NOHEADINGS]);
	if (args->command->vertical)
		fill_vertical(args, out, selection, rows[0]);
	else
		fill_horizontal(args, out, selection, rows, count);
	return out;
}

/** table_text() - a table as a person sees it, to free; NULL after saying what is wrong */
char *table_text(const struct cli_args *args, const void *const *rows, size_t count)
{
	struct libscols_table *out;
	struct selection selection;
	char *text = NULL;

	if (choose(args, &selection))
		return NULL;
	out = fill(args, &selection, rows, count);
	if (scols_print_table_to_string(out, &text))
		fail("libsmartcols could not print the table");
	scols_unref_table(out);
	return text;
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
	if (args->value[OPT_JSON])
		return print_json(asked(args), &selection, rows, count);
	out = fill(args, &selection, rows, count);
	if (count && scols_print_table(out))
		rc = fail("libsmartcols could not print the table");
	scols_unref_table(out);
	return rc;
}
