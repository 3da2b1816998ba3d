/* SPDX-License-Identifier: GPL-2.0 */
/* sample.h - the mean of some runs, and how sure it is */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include <math.h>
#include <stddef.h>

struct sample {
	size_t count;
	double sum;
	double squares;
	double most;
};

static inline void sample_add(struct sample *sample, double value)
{
	sample->count++;
	sample->sum += value;
	sample->squares += value * value;
	sample->most = fmax(sample->most, value);
}

static inline double sample_mean(const struct sample *sample)
{
	return sample->sum / sample->count;
}

/* Half of the interval that has the true mean in 95 of 100 cases: runs are independent. */
static inline double sample_error(const struct sample *sample)
{
	double mean = sample_mean(sample), variance;

	if (sample->count < 2)
		return 0;
	variance = fmax(0, sample->squares / sample->count - mean * mean) * sample->count / (sample->count - 1);
	return 1.96 * sqrt(variance / sample->count);
}

#endif /* SIM_SAMPLE_H */
