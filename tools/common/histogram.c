// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>

#include "histogram.h"

/* Nanoseconds below which the first bucket counts. */
#define FIRST 1024

/** histogram_parse() - a line of the kernel's; none at all if it is anything else */
void histogram_parse(const char *text, struct histogram *histogram)
{
	char *end;

	histogram->buckets = 0;
	while (text && isdigit((unsigned char)*text) && histogram->buckets < HISTOGRAM_MAX) {
		histogram->count[histogram->buckets++] = strtoull(text, &end, 10);
		text = end + (*end == ' ');
	}
	if (text && *text && *text != '\n')
		histogram->buckets = 0;
}

/** histogram_subtract() - leave what came since @before, unless that is another disk's */
void histogram_subtract(struct histogram *now, const struct histogram *before)
{
	size_t i;

	if (before->buckets != now->buckets)
		return;
	for (i = 0; i < now->buckets; i++)
		if (before->count[i] > now->count[i])
			return;
	for (i = 0; i < now->buckets; i++)
		now->count[i] -= before->count[i];
}

/** histogram_total() - all that were counted */
uint64_t histogram_total(const struct histogram *histogram)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < histogram->buckets; i++)
		total += histogram->count[i];
	return total;
}

/** histogram_bound() - nanoseconds that a bucket's stay below; of the last: that they reach */
uint64_t histogram_bound(const struct histogram *histogram, size_t bucket)
{
	return (uint64_t)FIRST << (bucket + 1 == histogram->buckets ? bucket - 1 : bucket);
}

/**
 * histogram_rank() - the bucket of a percentile
 * @histogram: that has counted something
 * @permille: so many of 1000 took no longer than that bucket's; 1000: the longest
 */
size_t histogram_rank(const struct histogram *histogram, unsigned int permille)
{
	uint64_t total = histogram_total(histogram), seen = 0;
	/* Without a product that could overflow: those above the rank. */
	uint64_t above = total / 1000 * (1000 - permille) + total % 1000 * (1000 - permille) / 1000;
	size_t i = 0;

	while ((seen += histogram->count[i]) < total - above)
		i++;
	return i;
}
