// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"
#include "terminal.h"

/* The terminal's own commands, as ECMA-48 has them. */
#define HOME		"\033[H"
#define CLEAR_BELOW	"\033[J"
#define BOLD		"\033[1m"
#define RED		"\033[31m"
#define PLAIN		"\033[m"

/* From all usual columns to those that a narrow terminal still has room for. */
static const char *const views[] = {
	NULL,
	"object,name,state,reads,writes,rbytes,wbytes,r50,r99,w50,w99,f50,f99,inflight,parked",
	"object,name,state,reads,writes,rbytes,wbytes,r99,w99,f99,inflight,parked",
	"object,name,state,reads,writes,rbytes,wbytes,r99,w99,f99",
	"name,state,reads,writes,rbytes,wbytes,r99,w99,f99",
	"name,state,reads,writes,rbytes,wbytes",
	"name,state,rbytes,wbytes",
};

#define VIEWS (sizeof(views) / sizeof(views[0]))

/** screen_wanted() - is the output a terminal that can be written over? */
bool screen_wanted(void)
{
	return terminal_wanted(STDOUT_FILENO);
}

static bool colours(void)
{
	const char *no = getenv("NO_COLOR");

	return !no || !*no;
}

/* The table with as many columns as fit, to free; NULL after saying what is wrong. */
static char *fitting(const struct cli_args *given, const struct rows *report, size_t width)
{
	struct cli_args args = *given;
	char *text = NULL;
	size_t i;

	for (i = 0; i < VIEWS; i++) {
		free(text);
		if (!given->value[OPT_OUTPUT])
			args.value[OPT_OUTPUT] = views[i];
		text = table_text(&args, (const void *const *)report->row, report->count);
		if (!text || strcspn(text, "\n") <= width || given->value[OPT_OUTPUT])
			break;
	}
	return text;
}

/* One line, cut to the width. */
static void put(const char *line, size_t width, const char *colour)
{
	bool coloured = colour && colours();

	printf("%s%.*s%s" CLEAR_REST "\n", coloured ? colour : "", (int)width, line,
	       coloured ? PLAIN : "");
}

static const char *colour_of(const struct rows *report, size_t row)
{
	return row < report->count && !top_row_well(report->row[row]) ? RED : NULL;
}

/**
 * screen_show() - the report, over the one before
 *
 * No line is wrapped and none scrolls away, or the next report would not cover this one.
 */
int screen_show(const struct cli_args *args, const struct rows *report)
{
	struct winsize room = terminal_size(STDOUT_FILENO);
	CLEANUP_FREE char *text = fitting(args, report, room.ws_col);
	char *rest = text, *line;
	bool headed = args->value[OPT_NOHEADINGS];
	size_t lines = 0, row = 0;

	if (!text)
		return RC_FAILURE;
	fputs(HOME, stdout);
	if (!report->count)
		put("there is no volume, session or client yet", room.ws_col, NULL);
	while ((line = strsep(&rest, "\n")) && *line) {
		/* The last line is where the cursor rests. */
		if (++lines + 1 >= room.ws_row && row + 1 < report->count) {
			CLEANUP_FREE char *more = text_format("and %zu more", report->count - row);

			put(more, room.ws_col, NULL);
			break;
		}
		put(line, room.ws_col, headed ? colour_of(report, row++) : BOLD);
		headed = true;
	}
	fputs(CLEAR_BELOW, stdout);
	return RC_OK;
}
