/* SPDX-License-Identifier: GPL-2.0 */
/*
 * io.h - from a bio to requests.
 */
#ifndef FARMEM_IO_H
#define FARMEM_IO_H

#include <linux/bio.h>

#include "request.h"
#include "volume.h"

/**
 * farmem_io_bio() - serve a bio
 * @v: the disk's volume
 * @bio: within the disk's limits; ended by this call or later
 * @split: it is a part of what was submitted
 * @cloned: what was submitted stands for a bio of another disk, say md's
 *
 * Context: may sleep, unless the bio says REQ_NOWAIT.
 */
void farmem_io_bio(struct farmem_volume *v, struct bio *bio, bool split, bool cloned);

/**
 * farmem_io_resubmit() - start a bio that has waited
 * @v: its volume
 * @bio: with its reference
 * @arrived: when it came, or others that waited with it (latency.h); 0: now
 *
 * Context: may sleep.
 */
void farmem_io_resubmit(struct farmem_volume *v, struct bio *bio, u64 arrived);

/** farmem_io_refuse() - end a bio that was accepted, and cannot be served; as above. */
void farmem_io_refuse(struct farmem_volume *v, struct bio *bio, u64 arrived);

#endif /* FARMEM_IO_H */
