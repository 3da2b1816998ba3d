/* SPDX-License-Identifier: GPL-2.0 */
/*
 * transfer.h - bytes of kernel memory to and from the server, waited for.
 */
#ifndef FARMEM_TRANSFER_H
#define FARMEM_TRANSFER_H

#include "session.h"

/**
 * farmem_transfer_bytes() - move bytes of kernel memory, synchronously
 * @s: live, or as good as that (its queues are), its lock held
 * @op: FARMEM_OP_READ or FARMEM_OP_WRITE
 * @remote_addr: where
 * @rkey: its key
 * @page: lowmem pages, contiguous
 * @bytes: how many, at most farmem_transfer_max()
 *
 * For setting up and tearing down, not for I/O.  Context: may sleep.
 */
int farmem_transfer_bytes(struct farmem_session *s, enum farmem_op op,
			  u64 remote_addr, u32 rkey, struct page *page,
			  u32 bytes);

/** farmem_transfer_max() - bytes of one, a page at least: its SGEs'; 0 = any */
static inline u32 farmem_transfer_max(const struct farmem_session *s)
{
	return min_t(u64, (u64)s->max_sge * s->max_segment, 1u << 30);
}

#endif /* FARMEM_TRANSFER_H */
