/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stats.h - counters of a volume.
 */
#ifndef FARMEM_STATS_H
#define FARMEM_STATS_H

#include <linux/percpu.h>
#include <linux/types.h>

enum farmem_stat {
	FARMEM_STAT_READS,
	FARMEM_STAT_WRITES,
	FARMEM_STAT_READ_BYTES,
	FARMEM_STAT_WRITE_BYTES,
	FARMEM_STAT_DISCARDS,
	FARMEM_STAT_ZERO_READS,
	FARMEM_STAT_ZERO_WRITES,
	FARMEM_STAT_SLOT_FREES,
	FARMEM_STAT_POLLED_READS,
	FARMEM_STAT_IRQ_READS,
	FARMEM_STAT_SHORTAGES,
	FARMEM_STAT_READ_ERRORS,
	FARMEM_STAT_LOST_READS,
	FARMEM_STAT_WRITE_ERRORS,
	FARMEM_STAT_COMPLETED,	/* not shown: inflight is what is begun without it */
	FARMEM_STATS,
};

/* Histograms of durations; begins as enum farmem_op. */
enum farmem_latency {
	FARMEM_LATENCY_READ,
	FARMEM_LATENCY_WRITE,
	FARMEM_LATENCY_DISCARD,
	FARMEM_LATENCY_FAULT,	/* counted as a read, too */
	FARMEM_LATENCIES,
};

#define FARMEM_LATENCY_BUCKETS 25

/**
 * struct farmem_stats - one CPU's share
 * @count: of each enum farmem_stat
 * @latency: I/O that was over in so much time (latency.h)
 */
struct farmem_stats {
	u64 count[FARMEM_STATS];
	u64 latency[FARMEM_LATENCY_BUCKETS][FARMEM_LATENCIES];
};

/** Count; context: any. */
#define farmem_stat_add(stats, stat, n) this_cpu_add((stats)->count[stat], n)
#define farmem_stat_inc(stats, stat) this_cpu_inc((stats)->count[stat])

/** farmem_stat_sum() - over all CPUs; slow. */
u64 farmem_stat_sum(struct farmem_stats __percpu *stats, enum farmem_stat stat);

#endif /* FARMEM_STATS_H */
