// SPDX-License-Identifier: GPL-2.0
#include "fabric.h"

#include <stdarg.h>
#include <stdio.h>

/* What a peer wrote ends up in it: a line stays a line, a field a field. */
static void print_clean(const char *text)
{
	for (; *text; text++)
		putchar((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
}

/**
 * fabric_step() - tell how a step ended
 * @id: the doctor's check
 * @verdict: "ok", "warn", "fail", "skipped" or "unknown"
 * @advice: what to do, NULL if nothing
 * @fmt: what was found
 *
 * Return: -1 if it failed, else 0.
 */
int fabric_step(const char *id, const char *verdict, const char *advice, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	printf("step\t%s\t%s\t", id, verdict);
	print_clean(text);
	putchar('\t');
	print_clean(advice ? advice : "");
	putchar('\n');
	/* What was found is told even if the next step has to be ended. */
	fflush(stdout);
	return *verdict == 'f' ? -1 : 0;
}
