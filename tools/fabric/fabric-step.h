/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fabric-step.h - how a step of the visit ended, told to the doctor.
 */
#ifndef FARMEM_FABRIC_STEP_H
#define FARMEM_FABRIC_STEP_H

#include "report.h"

void fabric_step(const char *id, const char *verdict, const char *advice, const char *fmt, ...)
	PRINTF_LIKE(4);

#endif
