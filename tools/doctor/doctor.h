/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor.h - farmemctl doctor.
 *
 * doctor.c has the table of checks (checks.h), runs them, prints what they found
 * (finding.h), and repairs.  The checks are in doctor-SUBJECT.c.
 */
#ifndef FARMEMCTL_DOCTOR_H
#define FARMEMCTL_DOCTOR_H

#include "table.h"

extern const struct table doctor_table;

int doctor_run(const struct cli_args *args);
void doctor_help(void);

#endif
