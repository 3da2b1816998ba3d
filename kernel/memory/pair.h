/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pair.h - volumes that hold the same bytes, as a mirror's legs: one may let its I/O go.
 *
 * Of two volumes that name each other one fails I/O whose deadline is over, and the other
 * one serves; or it waits, however long, until it can.
 */
#ifndef FARMEM_PAIR_H
#define FARMEM_PAIR_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/types.h>

#include "farmem-proto.h"

struct farmem_memory;

/**
 * struct farmem_pair - a volume's partner; written under the lock of the pairs (pair.c)
 * @entry: on the list of volumes that are on; empty: it is off
 * @partner: the other's name, or empty
 * @stale: I/O has failed here, or bytes were lost, since @partner was written: the other
 *	one may hold newer bytes
 */
struct farmem_pair {
	struct list_head entry;
	char partner[FARMEM_VOLUME_NAME_LEN];
	bool stale;
};

/** farmem_pair_has() - has the volume a partner at all?  Its head is struct farmem_pair.  Context: any. */
static inline bool farmem_pair_has(const struct farmem_pair *pair)
{
	return READ_ONCE(pair->partner[0]);
}

/**
 * farmem_pair_join() - a volume goes on, and may serve for its partner
 * @m: open; its policy is set
 */
void farmem_pair_join(struct farmem_memory *m);

/** farmem_pair_leave() - it goes off: nobody looks at its session after this. */
void farmem_pair_leave(struct farmem_memory *m);

/**
 * farmem_pair_set_partner() - both hold the same bytes, says the writer; or there is no pair
 * @m: any; not stale any more
 * @page: the other's name or nothing, perhaps with a newline
 * @len: bytes
 *
 * Return: 0, or -EINVAL: no name, its own, or one for a synchronous volume that is on.
 */
int farmem_pair_set_partner(struct farmem_memory *m, const char *page, size_t len);

/** farmem_pair_copy_partner() - the name, or nothing. */
void farmem_pair_copy_partner(const struct farmem_memory *m, char to[FARMEM_VOLUME_NAME_LEN]);

/**
 * farmem_pair_may_let_go() - may I/O whose deadline is over fail?
 * @m: open
 *
 * Yes without a partner.  Else only while that serves, or once I/O has failed so; never
 * while the partner is stale.  Context: any.
 */
bool farmem_pair_may_let_go(const struct farmem_memory *m);

/** farmem_pair_let_go() - if so, it does: @m is stale.  Return: as may_let_go.  Context: any. */
bool farmem_pair_let_go(struct farmem_memory *m);

/**
 * farmem_pair_fall_behind() - I/O fails for want of hope, or bytes are lost
 * @m: stale, unless its partner is: that one's bytes are older still
 *
 * Context: any.
 */
void farmem_pair_fall_behind(struct farmem_memory *m);

#endif /* FARMEM_PAIR_H */
