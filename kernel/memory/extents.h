/* SPDX-License-Identifier: GPL-2.0 */
/*
 * extents.h - a volume's regions: taken from a GRANT, mapped slab by slab, found.
 *
 * All but farmem_extents_place(): the session's lock held, may sleep.
 */
#ifndef FARMEM_EXTENTS_H
#define FARMEM_EXTENTS_H

#include <linux/types.h>

struct farmem_grant_regions;
struct farmem_memory;
struct farmem_request;

/**
 * farmem_extents_take() - regions and slab map of a volume that is being opened
 * @m: has none; what it got of them, farmem_extents_free() frees
 * @g: the grant
 *
 * Return: 0 or -ENOMEM, reason set.
 */
int farmem_extents_take(struct farmem_memory *m, const struct farmem_grant_regions *g);

/**
 * farmem_extents_take_again() - of one that is open: new addresses and keys
 * @m: none of its session's queues is live, or @m is away
 * @g: the grant
 *
 * In which regions the slabs lie is the server's business: it may have other gaps now, or
 * an adapter that registers less.  The former regions and their slab map then stay until
 * the volume goes off: requests that wait, and submitters on their way, may still name
 * one.  farmem_extents_place() finds the new one.
 *
 * Return: 0; -EREMCHG: other slabs than before; -ENOMEM, reason set, nothing changed.
 */
int farmem_extents_take_again(struct farmem_memory *m, const struct farmem_grant_regions *g);

/**
 * farmem_extents_place() - find where a request goes today
 * @req: of a volume, not posted now
 *
 * The server may have granted other regions since it was made.
 *
 * Context: any.
 * Return: false: not all of it is in one region any more; nothing is changed.
 */
bool farmem_extents_place(struct farmem_request *req);

/** farmem_extents_free() - regions and maps, today's and former ones. */
void farmem_extents_free(struct farmem_memory *m);

#endif /* FARMEM_EXTENTS_H */
