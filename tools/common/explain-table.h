/* SPDX-License-Identifier: GPL-2.0 */
/* explain-table.h - what explain.c looks things up in */
#ifndef FARMEM_EXPLAIN_TABLE_H
#define FARMEM_EXPLAIN_TABLE_H

#include <stddef.h>

/**
 * enum explain_kind - whose numbers: each kind counts from 0
 * @EXPLAIN_WC: enum ibv_wc_status, enum ib_wc_status in the kernel
 * @EXPLAIN_CM: enum rdma_cm_event_type
 * @EXPLAIN_ASYNC: enum ibv_event_type, enum ib_event_type in the kernel
 */
enum explain_kind { EXPLAIN_WC, EXPLAIN_CM, EXPLAIN_ASYNC };

#define EXPLAIN_KINDS 3

/**
 * struct explain - one entry; every text but @kernel is there
 * @kind: what it is a number of
 * @number: the constant's value
 * @name: the constant in user space, which rdma_event_str() prints too
 * @words: what ibv_wc_status_str() or ibv_event_type_str() prints; of a CM
 *	event what the kernel's rdma_event_msg() prints
 * @means: what happened
 * @causes: what usually leads to it
 * @check: what to look at; commands are in 'quotes', in the order to try them
 * @kernel: what ib_wc_status_msg() or ib_event_msg() prints, where that is not
 *	@words; NULL elsewhere
 */
struct explain {
	enum explain_kind kind;
	int number;
	const char *name, *words, *means, *causes, *check;
	const char *kernel;
};

/**
 * struct explain_list - all entries of one kind; for explain.c
 * @entries: by number, without gaps
 * @count: how many
 */
struct explain_list {
	const struct explain *entries;
	size_t count;
};

extern const struct explain_list explain_wc, explain_cm, explain_async;

/* An entry of such a list; behind @look may follow .kernel. */
#define EXPLAIN_ENTRY(kinds, value, constant, said, meaning, cause, look, ...)		\
	[value] = {									\
		.kind = kinds, .number = value, .name = constant, .words = said,	\
		.means = meaning, .causes = cause, .check = look, __VA_ARGS__		\
	}

#endif
