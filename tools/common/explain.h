/* SPDX-License-Identifier: GPL-2.0 */
/*
 * explain.h - what the numbers and words of verbs and the RDMA CM mean.
 *
 * One table for farmem-verbs, farmemctl, farmemd and docs/troubleshooting.md.
 * explain.c looks things up in it and needs no library; explain-wc.c,
 * explain-cm.c and explain-async.c are the table.
 */
#ifndef FARMEM_EXPLAIN_H
#define FARMEM_EXPLAIN_H

#include <stdbool.h>

#include "explain-table.h"

/* explain_find() - the entry of a number, or NULL */
const struct explain *explain_find(enum explain_kind kind, int number);

/* explain_next() - step through all entries by kind and number; @previous: NULL to begin */
const struct explain *explain_next(const struct explain *previous);

/**
 * explain_said() - the entry whose words a message has, or NULL
 * @message: a line of a log, for example
 *
 * Words count where they stand alone.  Of several the longest win, and of equally long ones
 * the first in the order of explain_next().
 */
const struct explain *explain_said(const char *message);

/* explain_is_well() - is it no trouble: nothing caused it, and nothing is to be checked? */
bool explain_is_well(const struct explain *entry);

#endif
