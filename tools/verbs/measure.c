// SPDX-License-Identifier: GPL-2.0
#include "measure.h"

#include <stdlib.h>
#include <time.h>

/** measure_now() - nanoseconds since some time, which never go back */
uint64_t measure_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/**
 * measure_percentile() - the sample that so many are not above: the nearest rank
 * @sorted: the samples, in order
 * @count: how many, at least one
 * @per_mille: 500 for the median, 999 for p99.9
 *
 * Always a sample that was measured, never something between two.
 */
uint64_t measure_percentile(const uint64_t *sorted, size_t count, unsigned int per_mille)
{
	size_t rank = (count * per_mille + 999) / 1000;

	return sorted[rank ? rank - 1 : 0];
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/**
 * measure_summarise() - what is printed of a round
 * @samples: in any order; sorted afterwards
 * @count: how many, at least one
 * @summary: where to
 */
void measure_summarise(uint64_t *samples, size_t count, struct summary *summary)
{
	qsort(samples, count, sizeof(*samples), compare);
	summary->min = samples[0];
	summary->p50 = measure_percentile(samples, count, 500);
	summary->p99 = measure_percentile(samples, count, 990);
	summary->p999 = measure_percentile(samples, count, 999);
	summary->max = samples[count - 1];
}
