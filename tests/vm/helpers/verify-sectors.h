/* SPDX-License-Identifier: GPL-2.0 */
/*
 * verify-sectors.h - what every sector of a disk may hold, kept in a file; and the
 * stamps by which a sector tells what it does hold.  For farmem-verify.
 *
 * A sector is written and judged by one thread at a time, its owner's.  Others may read
 * it meanwhile: what they find is judged by what was there when they began, and by what
 * has been sent since (sector_view(), sector_judge_shared()).
 */
#ifndef VERIFY_SECTORS_H
#define VERIFY_SECTORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define SECTOR		4096ul
#define CANDIDATES	6u	/* that a sector may hold */

/* Things that went wrong; of reads that settled a doubt, those that found what had
 * been there before and those that found what had failed.
 */
extern atomic_uint complaints;
extern atomic_ulong kept, landed;

/* sectors_open - @file is made if it is not there: of zeros, as a new volume is.
 * Later ones keep @seed and @count of the first.  Returns that count.
 */
uint64_t sectors_open(const char *disk, const char *file, uint64_t count, uint64_t seed);

/* complain - to standard error, about a sector; counted. */
void complain(uint64_t sector, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* sector_judge - is what was read one of the things that may be there? */
void sector_judge(const uint8_t *data, uint64_t number);

/* sector_doubt - about to be written, or zeroed: in doubt from now on.  Returns the
 * sequence for sector_stamp() and sector_acknowledge().
 */
uint64_t sector_doubt(uint64_t number, bool zero);
bool sector_takes_doubt(uint64_t number);
void sector_acknowledge(uint64_t number, uint64_t sequence, bool zero);
void sector_stamp(uint8_t *data, uint64_t sector, uint64_t sequence);

/* What a sector may have held when a read began. */
struct sector_view {
	uint64_t candidate[CANDIDATES], count, issued;
};

/* sector_view - before the read of a thread that is not the owner is sent. */
void sector_view(uint64_t number, struct sector_view *view);

/* sector_judge_shared - each byte that was read must be one that was there when the read
 * began, or was sent since.  Adapters promise no more of a read beside a write; of one
 * without, all bytes are of one time.  Returns whether there was more than one time.
 */
bool sector_judge_shared(const uint8_t *data, uint64_t number, const struct sector_view *then);

/* mixed - 64 bits that look random. */
uint64_t mixed(uint64_t x);

#endif
