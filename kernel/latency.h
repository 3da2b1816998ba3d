/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency.h - how long a volume's I/O takes: a histogram of each kind, for each CPU.
 *
 * What the I/O path does is inline, and counted:
 * docs/design/decisions/039-latency-by-the-cycle-counter.md.
 */
#ifndef FARMEM_LATENCY_H
#define FARMEM_LATENCY_H

#include <linux/bitops.h>
#include <linux/jump_label.h>

#include "compat.h"
#include "stats.h"

/* What a duration of the clock is multiplied by for nanoseconds: in 4096ths. */
#define FARMEM_LATENCY_SCALE_SHIFT 12

/* Durations below 2^10 ns are the first bucket's; each other one has twice as much. */
#define FARMEM_LATENCY_MIN_SHIFT 10

/* Some volume is measured: by the CPU's cycle counter, or where that is no clock by a call. */
DECLARE_STATIC_KEY_FALSE(farmem_latency_by_cycles);
DECLARE_STATIC_KEY_FALSE(farmem_latency_by_call);

extern u32 farmem_latency_scale;

/* Of the next two, by themselves: the I/O path keeps no registers for a call. */
u64 farmem_latency_call_begin(void);
void farmem_latency_call_end(struct farmem_stats __percpu *stats, enum farmem_latency kind,
			     bool fault, u64 begun);

/**
 * farmem_latency_begin() - I/O arrives
 * @on: its volume's switch
 *
 * Context: any.  Return: when; 0: it is not measured.
 */
static __always_inline u64 farmem_latency_begin(const bool *on)
{
	if (static_branch_likely(&farmem_latency_by_cycles))
		return likely(*on) ? farmem_cycles() : 0;
	if (static_branch_unlikely(&farmem_latency_by_call))
		return *on ? farmem_latency_call_begin() : 0;
	return 0;
}

/** farmem_latency_bucket() - of a duration of the clock. */
static __always_inline unsigned long farmem_latency_bucket(u64 duration)
{
	/* One bit less: that for the first bucket is set below. */
	u64 n = duration * farmem_latency_scale >>
		(FARMEM_LATENCY_SCALE_SHIFT + FARMEM_LATENCY_MIN_SHIFT - 1);
	unsigned long bucket = __fls(n | 1);

	if (unlikely(bucket >= FARMEM_LATENCY_BUCKETS))
		/* The clocks of two CPUs may differ a little. */
		return (s64)duration < 0 ? 0 : FARMEM_LATENCY_BUCKETS - 1;
	return bucket;
}

/* One more of that duration. */
static __always_inline void farmem_latency_count(struct farmem_stats __percpu *stats,
						 enum farmem_latency kind, const bool *fault,
						 u64 duration)
{
	unsigned long bucket = farmem_latency_bucket(duration);

	this_cpu_inc(stats->latency[bucket][kind]);
	if (unlikely(*fault))
		this_cpu_inc(stats->latency[bucket][FARMEM_LATENCY_FAULT]);
}

/**
 * farmem_latency_end() - I/O is over
 * @stats: its volume's
 * @kind: what it was
 * @fault: a read that was a page fault's; read only where anything is measured
 * @begun: from farmem_latency_begin(); likewise
 *
 * Context: any.
 */
static __always_inline void farmem_latency_end(struct farmem_stats __percpu *stats,
					       enum farmem_latency kind, const bool *fault,
					       const u64 *begun)
{
	if (static_branch_likely(&farmem_latency_by_cycles)) {
		if (*begun)
			farmem_latency_count(stats, kind, fault, farmem_cycles() - *begun);
	} else if (static_branch_unlikely(&farmem_latency_by_call)) {
		if (*begun)
			farmem_latency_call_end(stats, kind, *fault, *begun);
	}
}

/** farmem_latency_cheap() - does the clock cost so little that all volumes may use it? */
bool farmem_latency_cheap(void);

/**
 * farmem_latency_switch() - measure a volume or not
 * @on: its switch
 * @to: what it is to be
 *
 * Context: may sleep.
 */
void farmem_latency_switch(bool *on, bool to);

/** farmem_latency_sum() - one bucket over all CPUs; slow. */
u64 farmem_latency_sum(struct farmem_stats __percpu *stats, enum farmem_latency kind,
		       unsigned int bucket);

void farmem_latency_init(void);

#endif /* FARMEM_LATENCY_H */
