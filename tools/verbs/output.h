/* SPDX-License-Identifier: GPL-2.0 */
/*
 * output.h - what was measured: a table for people, JSON for programs.
 *
 * A column's heading in lower case is its JSON field; both are ABI.  JSON is
 * {"version": 1, "runs": [{...}, ...]}, or "sweep" instead of "runs", and "apart" behind it:
 * the values that cannot be together, or "with" null, at all.
 */
#ifndef VERBS_OUTPUT_H
#define VERBS_OUTPUT_H

#include "options.h"
#include "round.h"

/**
 * struct row - a round that was run
 * @options: of its process
 * @process: which, from 0
 * @device: "rxe0"
 * @gid: index and value
 * @gid_index: its row
 * @mtu: of the port
 * @inline_max: bytes that a work request can carry with this device; 0 if not asked for
 * @reads: READs and atomics that the server's queue pair answers at once, of RC
 * @depth: and that the client's has under way at once
 * @retries: of a lost packet
 * @rnr_retries: of a message that found no receive
 * @size: of a message
 * @rounds: the process has had, with this one
 * @figures: measured
 * @good: messages that were checked at either end, and right
 * @bad: and wrong
 * @lost: never came
 */
struct row {
	struct options options;
	unsigned int process;
	char device[64], gid[64];
	unsigned int gid_index, mtu, inline_max, size, rounds;
	unsigned int reads, depth, retries, rnr_retries;
	struct figures figures;
	uint64_t good, bad, lost;
};

int output_runs(const struct row *rows, size_t count, bool json);

/**
 * struct sweep_row - a combination that was tried
 * @options: the combination
 * @verdict: "ok", "refused" or "FAILED"
 * @why: of the last two
 * @row: measured, if it was
 */
struct sweep_row {
	struct options options;
	const char *verdict;
	char why[512];
	struct row row;
};

/**
 * struct apart - what cannot be
 * @value: "--op read"
 * @with: the same; "": @value cannot be at all
 * @why: the rule, or what the device said
 */
struct apart {
	char value[64], with[64];
	const char *why;
};

int output_sweep(const struct sweep_row *rows, size_t count, const struct apart *aparts,
		 size_t apart_count, const unsigned int pairs[3], bool json);

#endif
