/* SPDX-License-Identifier: GPL-2.0 */
/*
 * run.h - a measurement.
 */
#ifndef FLOOR_RUN_H
#define FLOOR_RUN_H

#include <linux/sizes.h>
#include <linux/types.h>

#include "link.h"

#define FLOOR_BYTES_MAX SZ_1M
#define FLOOR_COUNT_MAX 10000000u

/**
 * struct floor_job - what to measure
 * @write: RDMA WRITEs, not READs
 * @softirq: completions by IB_POLL_SOFTIRQ and the submitter sleeps, or else
 *	it polls
 * @depth: operations under way, 1..FLOOR_DEPTH_MAX
 * @bytes: of each, a multiple of 4 KiB up to FLOOR_BYTES_MAX
 * @count: operations, up to FLOOR_COUNT_MAX
 * @signal: every so many operations one is signaled, 1..@depth
 */
struct floor_job {
	bool write;
	bool softirq;
	unsigned int depth;
	unsigned int bytes;
	unsigned int count;
	unsigned int signal;
};

/**
 * struct floor_result - what was measured, in ns
 * @total: for all operations together
 * @p50: median of the operations' latencies
 * @p99: 99th percentile of these
 */
struct floor_result {
	u64 total;
	u32 p50;
	u32 p99;
};

/**
 * floor_run() - measure
 * @job: what; sane
 * @link: idle, its completions reaped as @job has it; broken after an error
 * @remote: what the link leads to; WRITEs go all over it
 * @result: of success
 *
 * Context: may sleep; not before all operations are through, or one failed, or
 * a fatal signal came.
 * Return: 0 or a negative errno.
 */
int floor_run(const struct floor_job *job, struct floor_link *link,
	      const struct floor_remote *remote, struct floor_result *result);

#endif /* FLOOR_RUN_H */
