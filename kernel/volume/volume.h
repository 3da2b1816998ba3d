/* SPDX-License-Identifier: GPL-2.0 */
/*
 * volume.h - what the user sees: a disk, its map to remote memory, its state.
 */
#ifndef FARMEM_VOLUME_H
#define FARMEM_VOLUME_H

#include <linux/percpu-refcount.h>
#include <linux/uuid.h>

#include "extent.h"
#include "farmem-proto.h"
#include "lostmap.h"
#include "park.h"
#include "session.h"
#include "stats.h"
#include "zeromap.h"

struct gendisk;
struct farmem_former;
struct farmem_local_memory;
struct farmem_volume;

/**
 * struct farmem_disk_ops - what a volume asks its disk
 * @add: make and announce it; everything but @disk and @index of the volume is set, and I/O
 *	may come before this returns.  May sleep.  Return: 0 or a negative errno
 * @remove: no new I/O after this; it stays allocated.  May sleep
 * @put: free it; no I/O is under way.  May sleep
 * @uevent: tell user space of a state; there is a disk.  May sleep
 * @resubmit: start a bio that has waited; it holds a reference of volume->io.  May sleep
 * @refuse: end such a bio, which cannot be served.  Context: up to softirq
 */
struct farmem_disk_ops {
	int (*add)(struct farmem_volume *v);
	void (*remove)(struct farmem_volume *v);
	void (*put)(struct farmem_volume *v);
	void (*uevent)(struct farmem_volume *v, const char *state);
	void (*resubmit)(struct farmem_volume *v, struct bio *bio);
	void (*refuse)(struct farmem_volume *v, struct bio *bio);
};

/**
 * struct farmem_volume - a volume
 * @size: bytes that the disk shows
 * @slabs: the slab map: extent of each slab; another map when the server grants other
 *	regions
 * @slab_shift: log2 of the slab size
 * @zeromap: pages that read as zeros
 * @lostmap: pages that read as errors
 * @anew: what was granted last is other memory than before, and not written to yet
 * @regained: and it is memory that the volume had earlier
 * @mended: the server had memory errors: its page states may say more than is known here
 * @io: one reference for each bio accepted and each page without a bio; killed
 *	on power off, which waits for the last
 * @target: of its requests: gone while it is @lost or @away
 * @sync: the synchronous feature is on: each bio that comes whole is waited for
 * @lock: serializes power and configuration; taken before a session's lock
 * @opened: openers of the disk, @closing refuses new ones and ends what user space
 *	hears; under @open_lock
 * @announce: its states, for user space; while there is a disk
 * @park: where I/O waits while the session recovers
 * @io_deadline: seconds that it waits at most, -1 = for ever
 * @lost: the server no longer has the memory: all I/O fails
 * @away: it could not be had when its session came back, though others could: I/O waits
 *	as if the session recovered; changes under session->lock
 * @away_since: jiffies; when its session left live; set before @away
 * @granted: by the connection of now; under session->lock
 * @misplaced: it is lost because the memory there has other slabs; one that is
 *	started with its former pool is asked again
 * @ops: of its disk
 * @resubmit: tries bios again that waited for a range of the zeromap
 * @generation: of the memory it has, 0 = none yet
 */
struct farmem_volume {
	u64 size;
	struct farmem_extent **slabs;
	unsigned int slab_shift;
	struct farmem_target target;
	bool sync;
	bool lost;
	bool away;
	bool granted;
	bool misplaced;
	unsigned long away_since;
	struct farmem_session *session;
	struct farmem_stats __percpu *stats;
	struct percpu_ref io;
	struct farmem_zeromap zeromap;
	struct farmem_lostmap lostmap;

	struct gendisk *disk;
	const struct farmem_disk_ops *ops;
	int index;
	struct farmem_announce announce;
	struct farmem_park park;
	int io_deadline;
	struct work_struct resubmit;
	spinlock_t resubmit_lock;
	struct bio_list resubmit_bios;

	char name[FARMEM_VOLUME_NAME_LEN];
	struct mutex lock;
	spinlock_t open_lock;
	unsigned int opened;
	bool closing;
	bool powered;
	char reason[FARMEM_REASON_LEN];
	struct completion io_done;

	char session_name[FARMEM_NAME_LEN];
	u64 wanted_size;
	uuid_t uuid;
	bool want_sync;
	u64 generation;

	struct farmem_extent *extents;
	unsigned int extent_count;
	struct farmem_former *former;
	unsigned int slab_count;
	bool fresh;
	bool anew;
	bool regained;
	bool mended;
	struct farmem_session_user user;
};

/** farmem_volume_create() - a volume that is off.  Return: it or ERR_PTR. */
struct farmem_volume *farmem_volume_create(const char *name,
					   const struct farmem_disk_ops *ops);

/** farmem_volume_free() - it must be off. */
void farmem_volume_free(struct farmem_volume *v);

/**
 * farmem_volume_power_on() - reserve the memory, make the disk
 * @v: configured
 *
 * Context: may sleep, at most about the session's connect_timeout, and again as long as
 * the server says that it works on it; -EINTR by a signal then.
 * Return: 0: the disk is there; else a negative errno with @v->reason set.
 */
int farmem_volume_power_on(struct farmem_volume *v);

/**
 * farmem_volume_power_off() - remove the disk, give the memory up
 * @v: any state
 * @release: the data is given up too; else the server keeps it
 *
 * Context: may sleep; bounded, but with @release as farmem_volume_power_on().
 * Return: 0; -EBUSY while the disk is open; an error of the release (the
 * volume is off then all the same).
 */
int farmem_volume_power_off(struct farmem_volume *v, bool release);

/**
 * farmem_volume_resubmit() - try bios again, in a worker
 * @v: powered
 * @bios: each with its reference of @v->io; empty afterwards
 *
 * Context: any up to softirq.
 */
void farmem_volume_resubmit(struct farmem_volume *v, struct bio_list *bios);

/** farmem_volume_opened() - the disk's open.  Return: 0 or -ENXIO. */
int farmem_volume_opened(struct farmem_volume *v);
void farmem_volume_closed(struct farmem_volume *v);

/** farmem_volume_state() - "off", "live", "recovering", "failed" or "lost". */
const char *farmem_volume_state(const struct farmem_volume *v);

/** farmem_volume_lost_text() - why it is lost, and what to do. */
const char *farmem_volume_lost_text(const struct farmem_volume *v);

/** farmem_volume_live() - is there hope that I/O works?  For one that is powered. */
static inline bool farmem_volume_live(const struct farmem_volume *v)
{
	/* A poster that sees the memory back sees its address. */
	return farmem_session_live(v->session) && !READ_ONCE(v->lost) &&
	       !smp_load_acquire(&v->away);
}

/**
 * farmem_volume_map() - where does a range begin, how far does it go?
 * @v: powered
 * @offset: bytes from the start
 * @bytes: length; cut to what is contiguous there
 *
 * Context: any.
 * Return: the extent, or NULL when the range is not inside the volume.
 */
static inline struct farmem_extent *
farmem_volume_map(const struct farmem_volume *v, u64 offset, u32 *bytes)
{
	struct farmem_extent *extent;
	u64 left;

	if (unlikely(offset >= v->size || *bytes > v->size - offset))
		return NULL;
	extent = READ_ONCE(v->slabs)[offset >> v->slab_shift];
	left = extent->start + extent->bytes - offset;
	if (*bytes > left)
		*bytes = left;
	return extent;
}

#endif /* FARMEM_VOLUME_H */
