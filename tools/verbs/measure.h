/* SPDX-License-Identifier: GPL-2.0 */
/*
 * measure.h - samples of latency, and what is said about them.
 */
#ifndef VERBS_MEASURE_H
#define VERBS_MEASURE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct summary - latency of a round, in nanoseconds
 * @min: the least
 * @p50: median
 * @p99: 99 % of the samples took so long or less
 * @p999: 99.9 % of the samples took so long or less
 * @max: the greatest
 */
struct summary {
	uint64_t min, p50, p99, p999, max;
};

uint64_t measure_now(void);
uint64_t measure_percentile(const uint64_t *sorted, size_t count, unsigned int per_mille);
void measure_summarise(uint64_t *samples, size_t count, struct summary *summary);

#endif
