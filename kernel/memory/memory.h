/* SPDX-License-Identifier: GPL-2.0 */
/*
 * memory.h - a volume's memory on its session, from grant to release.
 *
 * Where not said otherwise: the session's lock held, between farmem_session_begin() and
 * _end() or in its recovery; may sleep, bounded by the session's deadline, which a server
 * at work puts off: see control.h.
 */
#ifndef FARMEM_MEMORY_H
#define FARMEM_MEMORY_H

#include <linux/uuid.h>

#include "checksum.h"
#include "extent.h"
#include "lostmap.h"
#include "pair.h"
#include "repost.h"
#include "request.h"
#include "session.h"
#include "verdict.h"
#include "zeromap.h"

struct farmem_former;

/**
 * enum farmem_phase - what a volume's memory can serve
 * @FARMEM_PHASE_HELD: all, while the session is live
 * @FARMEM_PHASE_AWAY: nothing yet: it could not be had when the session came back, though
 *	others could; I/O waits as if the session recovered
 * @FARMEM_PHASE_MISPLACED: nothing: the server's memory has other slabs; one that is
 *	started with its former pool is asked again
 * @FARMEM_PHASE_LOST: nothing, for good: the server no longer has it
 */
enum farmem_phase {
	FARMEM_PHASE_HELD,
	FARMEM_PHASE_AWAY,
	FARMEM_PHASE_MISPLACED,
	FARMEM_PHASE_LOST,
};

/**
 * enum farmem_granted - what the connection of now has granted
 * @FARMEM_GRANTED_NOTHING: or not yet
 * @FARMEM_GRANTED_SAME: the memory that the volume has
 * @FARMEM_GRANTED_NEW: memory that nobody has written to
 * @FARMEM_GRANTED_FORMER: memory that the volume had before the one it has
 */
enum farmem_granted {
	FARMEM_GRANTED_NOTHING,
	FARMEM_GRANTED_SAME,
	FARMEM_GRANTED_NEW,
	FARMEM_GRANTED_FORMER,
};

/**
 * struct farmem_memory - of a volume
 * @size: bytes that the volume's disk shows
 * @slabs: the slab map: extent of each slab; another map when the server grants other
 *	regions
 * @slab_shift: log2 of the slab size
 * @target: of its requests: gone while its phase is not held
 * @requests: mempool; a volume whose requests are parked holds no other volume's
 * @session: where it is
 * @zeromap: pages that read as zeros
 * @lostmap: pages that read as errors
 * @checksums: of what was written, if it is to have any
 * @policy: how long I/O waits; its volume's
 * @pair: the volume that holds the same bytes, if one does
 * @repost: requests that were given back
 * @phase: enum farmem_phase; written under session->lock, with release semantics
 * @granted: under session->lock; the same again once the server knows the page states
 * @mended: the server had memory errors: its page states may say more than is known here
 * @away_since: jiffies; when its session left live; set before @phase says away
 * @reason: why it is away, or could not be opened
 * @name: the volume's
 * @uuid: the volume's
 * @wanted_size: bytes, as configured
 * @want_checksums: as configured
 * @generation: of what it has, 0 = none yet
 * @extents: the regions
 * @extent_count: how many
 * @slab_count: slabs that they have together
 * @former: regions and slab maps of before
 * @grant: the last; its room serves the next, which recovery asks for
 */
struct farmem_memory {
	u64 size;
	struct farmem_extent **slabs;
	unsigned int slab_shift;
	struct farmem_target target;
	mempool_t *requests;
	struct farmem_session *session;
	struct farmem_zeromap zeromap;
	struct farmem_lostmap lostmap;
	struct farmem_checksums checksums;
	struct farmem_policy policy;
	struct farmem_pair pair;
	struct farmem_repost repost;

	enum farmem_phase phase;
	enum farmem_granted granted;
	bool mended;
	unsigned long away_since;
	char reason[FARMEM_REASON_LEN];

	const char *name;
	uuid_t uuid;
	u64 wanted_size;
	bool want_checksums;
	u64 generation;
	struct farmem_extent *extents;
	unsigned int extent_count;
	unsigned int slab_count;
	struct farmem_former *former;
	struct farmem_grant_regions grant;
};

/**
 * farmem_memory_open() - from the grant to a map that I/O can use
 * @m: its session is live
 *
 * Return: 0, or a negative errno with @m->reason set and nothing left.
 */
int farmem_memory_open(struct farmem_memory *m);

/**
 * farmem_memory_reopen() - have it granted to a new session
 * @m: open; its session is connected, and none of its queues live; or the memory is away
 *
 * From a server with another generation: other memory, and all pages that are not
 * zero are lost.  Those that were last written to memory that the server has again
 * are there again.  What cannot be had is lost, misplaced or away then.
 *
 * Return: 0; or a negative errno: this connection is no good.  The session's reason is
 * set.
 */
int farmem_memory_reopen(struct farmem_memory *m);

/**
 * farmem_memory_settle() - before a session that has come back is live
 * @m: reopened, and its session's queues take requests
 *
 * If what was granted is other memory than before, or writes of page states have
 * failed: the server is told which pages are zero, and which are lost.
 *
 * Return: 0: nothing was to be told; 1: it is; or a negative errno as of
 * farmem_memory_reopen().
 */
int farmem_memory_settle(struct farmem_memory *m);

/** farmem_memory_store_states() - the server's page states become what we know. */
int farmem_memory_store_states(struct farmem_memory *m);

/**
 * farmem_memory_close() - give it up
 * @m: no I/O is under way
 * @release: its data is given up too
 *
 * Return: 0; -ENOTCONN: the session is not live; or a negative errno with the session's
 * reason set.
 */
int farmem_memory_close(struct farmem_memory *m, bool release);

/** farmem_memory_free() - what farmem_memory_open() made here.  No lock. */
void farmem_memory_free(struct farmem_memory *m);

/** farmem_memory_lost_text() - why it is lost, and what to do.  No lock. */
const char *farmem_memory_lost_text(const struct farmem_memory *m);

/** farmem_memory_of() - what a request goes to, if that is a volume's. */
static inline struct farmem_memory *farmem_memory_of(const struct farmem_request *req)
{
	return container_of((struct farmem_target *)req->target, struct farmem_memory, target);
}

/** farmem_memory_pages() - those that can be used: its last slab may be larger. */
static inline u64 farmem_memory_pages(const struct farmem_memory *m)
{
	return m->size >> FARMEM_PAGE_SHIFT;
}

/** farmem_memory_phase() - a poster that sees the memory back sees its address.  Context: any. */
static inline enum farmem_phase farmem_memory_phase(const struct farmem_memory *m)
{
	return smp_load_acquire(&m->phase);
}

/** farmem_memory_lost() - all I/O fails; perhaps not for good.  Context: any. */
static inline bool farmem_memory_lost(const struct farmem_memory *m)
{
	return farmem_memory_phase(m) >= FARMEM_PHASE_MISPLACED;
}

/** farmem_memory_away() - I/O waits, though the session may be live.  Context: any. */
static inline bool farmem_memory_away(const struct farmem_memory *m)
{
	return farmem_memory_phase(m) == FARMEM_PHASE_AWAY;
}

/** farmem_memory_live() - is there hope that I/O works?  For one that is open.  Context: any. */
static inline bool farmem_memory_live(const struct farmem_memory *m)
{
	return farmem_session_live(m->session) && farmem_memory_phase(m) == FARMEM_PHASE_HELD;
}

/**
 * farmem_memory_map() - where does a range begin, how far does it go?
 * @m: open
 * @offset: bytes from the start
 * @bytes: length; cut to what is contiguous there
 *
 * Context: any.
 * Return: the extent, or NULL when the range is not inside the volume.
 */
static inline struct farmem_extent *
farmem_memory_map(const struct farmem_memory *m, u64 offset, u32 *bytes)
{
	struct farmem_extent *extent;
	u64 left;

	if (unlikely(offset >= m->size || *bytes > m->size - offset))
		return NULL;
	extent = READ_ONCE(m->slabs)[offset >> m->slab_shift];
	left = extent->start + extent->bytes - offset;
	if (*bytes > left)
		*bytes = left;
	return extent;
}

#endif /* FARMEM_MEMORY_H */
