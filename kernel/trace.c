// SPDX-License-Identifier: GPL-2.0
/* trace.c - the one place where the tracepoints of trace.h are made. */
#include <linux/module.h>

#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "trace.h"
#endif
