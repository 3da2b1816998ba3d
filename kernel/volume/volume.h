/* SPDX-License-Identifier: GPL-2.0 */
/*
 * volume.h - what the user sees: a disk, its map to remote memory, its state.
 */
#ifndef FARMEM_VOLUME_H
#define FARMEM_VOLUME_H

#include <linux/percpu-refcount.h>

#include "farmem-proto.h"
#include "latency.h"
#include "memory.h"
#include "park.h"
#include "session.h"
#include "stats.h"

struct gendisk;
struct farmem_volume;

/**
 * struct farmem_disk_ops - what a volume asks its disk
 * @add: make and announce it; everything but @disk and @index of the volume is set, and I/O
 *	may come before this returns.  May sleep.  Return: 0 or a negative errno
 * @remove: no new I/O after this; it stays allocated.  May sleep
 * @put: free it; no I/O is under way.  May sleep
 * @uevent: tell user space of a state; there is a disk.  May sleep
 * @resubmit: start a bio that has waited, since it or others came (latency.h); 0: since now.
 *	It holds a reference of volume->io.  May sleep
 * @refuse: end such a bio, which cannot be served.  Context: up to softirq
 */
struct farmem_disk_ops {
	int (*add)(struct farmem_volume *v);
	void (*remove)(struct farmem_volume *v);
	void (*put)(struct farmem_volume *v);
	void (*uevent)(struct farmem_volume *v, const char *state);
	void (*resubmit)(struct farmem_volume *v, struct bio *bio, u64 arrived);
	void (*refuse)(struct farmem_volume *v, struct bio *bio, u64 arrived);
};

/**
 * struct farmem_volume_openers - of the disk
 * @lock: guards the others; nests inside everything
 * @count: how many have it open
 * @closing: refuse new ones, and end what user space hears
 */
struct farmem_volume_openers {
	spinlock_t lock;
	unsigned int count;
	bool closing;
};

/**
 * struct farmem_volume_resubmit - bios that are to be tried again, in a worker
 * @work: tries them
 * @lock: guards @bios; taken with interrupts off, nests inside everything
 * @bios: each with its reference of the volume's io
 */
struct farmem_volume_resubmit {
	struct work_struct work;
	spinlock_t lock;
	struct bio_list bios;
};

/**
 * struct farmem_volume - a volume
 * @memory: its bytes on the session
 * @stats: counters
 * @latency: whether I/O is measured; farmem_latency_switch()
 * @io: one reference for each bio accepted and each page without a bio; killed
 *	on power off, which waits for the last
 * @io_done: the last of them is gone
 * @split_bios: for bios that are cut: a volume whose I/O waits has no other volume's
 * @disk: NULL before it is made
 * @ops: of its disk
 * @index: of its disk
 * @park: where bios wait while the session recovers
 * @resubmit: bios that waited for a range of the zeromap
 * @announce: its states, for user space; while there is a disk
 * @openers: of the disk
 * @name: as in configfs
 * @lock: serializes power and configuration; taken before a session's lock
 * @powered: under @lock
 * @reason: last error, for people
 * @session_name: as configured
 * @want_sync: as configured: the disk is to be synchronous
 * @user: on its session's list
 */
struct farmem_volume {
	struct farmem_memory memory;
	struct farmem_stats __percpu *stats;
	bool latency;
	struct percpu_ref io;
	struct completion io_done;
	struct bio_set split_bios;

	struct gendisk *disk;
	const struct farmem_disk_ops *ops;
	int index;
	struct farmem_park park;
	struct farmem_volume_resubmit resubmit;
	struct farmem_announce announce;
	struct farmem_volume_openers openers;

	char name[FARMEM_VOLUME_NAME_LEN];
	struct mutex lock;
	bool powered;
	char reason[FARMEM_REASON_LEN];
	char session_name[FARMEM_NAME_LEN];
	bool want_sync;
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

#endif /* FARMEM_VOLUME_H */
