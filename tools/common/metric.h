/* SPDX-License-Identifier: GPL-2.0 */
/* metric.h - Prometheus' text format, version 0.0.4 */
#ifndef METRIC_H
#define METRIC_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct metric - what is measured, before and while its samples are printed
 * @name: of the metric, with its unit
 * @type: gauge, counter or histogram
 * @help: one line
 * @begun: HELP and TYPE are printed
 *
 * The samples of a metric stand together.
 */
struct metric {
	const char *name;
	const char *type;
	const char *help;
	bool begun;
};

/* Of a sample; behind the last one is one without a name. */
struct metric_label {
	const char *name;
	const char *value;	/* NULL or "": the sample has no such label */
};

#define METRIC_LABELS(...) ((const struct metric_label[]) { __VA_ARGS__, { NULL, NULL } })

/**
 * metric_put_part() - print a sample of a part of a metric, such as a bucket
 * @out: where to
 * @metric: what it belongs to
 * @part: what the sample's name has behind the metric's
 * @label: its labels, or NULL
 * @value: digits, or digits with a point between; of anything else nothing is printed, for
 *	Prometheus would refuse all samples
 */
void metric_put_part(FILE *out, struct metric *metric, const char *part,
		     const struct metric_label *label, const char *value);

/* metric_put() - the same for a metric without parts */
void metric_put(FILE *out, struct metric *metric, const struct metric_label *label,
		const char *value);

#endif /* METRIC_H */
