/* SPDX-License-Identifier: GPL-2.0 */
/* table.h - figures for people, and the same as JSON */
#ifndef SIM_TABLE_H
#define SIM_TABLE_H

#include <stdio.h>

struct table;

/* Tables go to standard output; and, if it is not NULL, to @json, an array of objects for each. */
void table_open(FILE *json);
void table_close(void);

/* The headings are separated by "|"; a cell follows for each, row after row. */
struct table *table_begin(const char *name, const char *title, const char *headings);
void table_text(struct table *table, const char *text);
void table_number(struct table *table, int digits, double value);
void table_end(struct table *table);

#endif /* SIM_TABLE_H */
