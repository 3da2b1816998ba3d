/* SPDX-License-Identifier: GPL-2.0 */
/*
 * extent.h - a region of remote memory as a part of a volume.
 */
#ifndef FARMEM_EXTENT_H
#define FARMEM_EXTENT_H

#include <linux/types.h>

struct farmem_session;

/**
 * struct farmem_extent - a region granted to a volume
 * @session: where it is; one session a volume today, the map allows for more
 * @start: bytes from the volume's start
 * @bytes: length
 * @addr: remote address of the first byte
 * @meta_addr: remote address of the first page's state byte
 * @rkey: remote key for @addr
 * @meta_rkey: remote key for @meta_addr
 *
 * Addresses and keys change when the session reconnects, while none of its queues is live.
 * Those of a volume that was away then change later, while its target is gone; to clear
 * that flag is the last store.  Requests name the extent, and
 * look them up as they are posted.  All else stays as it is until the volume goes off,
 * also when it has other extents by then.
 */
struct farmem_extent {
	struct farmem_session *session;
	u64 start;
	u64 bytes;
	u64 addr;
	u64 meta_addr;
	u32 rkey;
	u32 meta_rkey;
};

#endif /* FARMEM_EXTENT_H */
