/* SPDX-License-Identifier: GPL-2.0 */
/*
 * histogram.h - how many took how long: the module's histograms of durations.
 */
#ifndef FARMEMCTL_HISTOGRAM_H
#define FARMEMCTL_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_MAX 64

/**
 * struct histogram - counts, by duration
 * @buckets: how many there are, 0: it is not known
 * @count: of each; the last has no upper bound
 */
struct histogram {
	size_t buckets;
	uint64_t count[HISTOGRAM_MAX];
};

void histogram_parse(const char *text, struct histogram *histogram);
void histogram_subtract(struct histogram *now, const struct histogram *before);
uint64_t histogram_total(const struct histogram *histogram);
uint64_t histogram_bound(const struct histogram *histogram, size_t bucket);
size_t histogram_rank(const struct histogram *histogram, unsigned int permille);

#endif
