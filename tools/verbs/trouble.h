/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trouble.h - what goes wrong, said once and kept for the other end.
 *
 * An error is one line that names the cause; what verbs or the connection manager
 * report has its explanation below it, from the table in explain.h.
 */
#ifndef VERBS_TROUBLE_H
#define VERBS_TROUBLE_H

#include <stdbool.h>
#include <stdio.h>

#include "explain.h"
#include "report.h"

/* Beyond those of report.h: a device, or its driver, cannot do what was asked for. */
#define RC_REFUSED 3

int trouble(const char *fmt, ...) PRINTF_LIKE(1);
int trouble_refuse(const char *fmt, ...) PRINTF_LIKE(1);
int trouble_errno(const char *fmt, ...) PRINTF_LIKE(1);
int trouble_verbs(const char *fmt, ...) PRINTF_LIKE(1);
int trouble_release(const char *fmt, ...) PRINTF_LIKE(1);
int trouble_explain(enum explain_kind kind, int number, const char *fmt, ...) PRINTF_LIKE(3);
void trouble_advice(const char *fmt, ...) PRINTF_LIKE(1);
void trouble_show(enum explain_kind kind, int number, FILE *out);
const char *trouble_first(void);
int trouble_exit(int rc);

#endif
