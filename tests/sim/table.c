// SPDX-License-Identifier: GPL-2.0
#include "table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

#define COLUMNS	12
#define CELL	72

struct cell {
	char text[CELL];
	bool number;
};

struct table {
	char *headings;
	char *heading[COLUMNS];
	size_t columns;
	struct cell *cells;
	size_t count;
};

static FILE *json_file;
static bool json_begun;

void table_open(FILE *json)
{
	json_file = json;
	if (json)
		fputc('{', json);
}

void table_close(void)
{
	if (json_file)
		fputs("\n}\n", json_file);
}

struct table *table_begin(const char *name, const char *title, const char *headings)
{
	struct table *table = checked(calloc(1, sizeof(*table)));
	char *rest, *word;

	table->headings = rest = checked(strdup(headings));
	while ((word = strsep(&rest, "|")))
		table->heading[table->columns++] = word;
	printf("\n%s: %s\n", name, title);
	if (json_file)
		fprintf(json_file, "%s\n\"%s\": [", json_begun ? "," : "", name);
	json_begun = true;
	return table;
}

static struct cell *next_cell(struct table *table)
{
	table->cells = checked(reallocarray(table->cells, table->count + 1, sizeof(*table->cells)));
	return &table->cells[table->count++];
}

void table_text(struct table *table, const char *text)
{
	struct cell *cell = next_cell(table);

	snprintf(cell->text, sizeof(cell->text), "%s", text);
	cell->number = false;
}

void table_number(struct table *table, int digits, double value)
{
	struct cell *cell = next_cell(table);

	snprintf(cell->text, sizeof(cell->text), "%.*f", digits, value);
	cell->number = true;
}

static size_t width_of(const struct table *table, size_t column)
{
	size_t width = strlen(table->heading[column]), i;

	for (i = column; i < table->count; i += table->columns)
		if (strlen(table->cells[i].text) > width)
			width = strlen(table->cells[i].text);
	return width;
}

/* Numbers to the right, beneath the end of their heading. */
static void print_cell(const struct table *table, size_t column, const char *text)
{
	bool number = column < table->count && table->cells[column].number;
	int width = width_of(table, column);

	printf("%s%*s%s", column ? "  " : "", number ? width : column + 1 < table->columns ? -width : 0, text,
	       column + 1 == table->columns ? "\n" : "");
}

static void print_json(const struct table *table, size_t i)
{
	const struct cell *cell = &table->cells[i];
	const char *quote = cell->number ? "" : "\"";
	size_t column = i % table->columns;

	fprintf(json_file, "%s\"%s\": %s%s%s%s", column ? ", " : i ? ",\n\t{ " : "\n\t{ ", table->heading[column],
		quote, cell->text, quote, column + 1 == table->columns ? " }" : "");
}

void table_end(struct table *table)
{
	size_t i;

	for (i = 0; i < table->columns; i++)
		print_cell(table, i, table->heading[i]);
	for (i = 0; i < table->count; i++) {
		print_cell(table, i % table->columns, table->cells[i].text);
		if (json_file)
			print_json(table, i);
	}
	if (json_file)
		fputs("\n]", json_file);
	fflush(stdout);
	free(table->headings);
	free(table->cells);
	free(table);
}
