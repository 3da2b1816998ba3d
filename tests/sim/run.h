/* SPDX-License-Identifier: GPL-2.0 */
/* run.h - many simulated clusters of one setting, and the tables that they make */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "sample.h"
#include "world.h"

/* The setting that the targets are for: docs/cluster.md. */
#define WIDTH_MOST	6	/* scatter width */
#define IMBALANCE_MOST	1.10	/* max/mean */
#define RATIO_MOST	0.25	/* P(loss) to that of random placement */

struct options {
	uint64_t seed;
	size_t runs;	/* clusters for each line of the table "fixed"; others have a part of it */
	size_t draws;	/* sets of servers that die, for each of them */
};

struct figures {
	struct sample imbalance;	/* max/mean */
	struct sample lost;		/* part of the draws in which a chunk was lost */
	struct sample chunks_lost;	/* in a draw, whether any or none was */
	struct sample width;
	double refusals;		/* in 1,000 creates */
	double servers;			/* of a group: sets that it took, times their size */
	size_t failed;			/* clusters in which a chunk had no place */
};

struct setting run_fixed(const struct options *options);
struct figures run_many(struct setting setting, size_t runs, size_t draws);

void tables_fixed(const struct options *options);
void tables_policies(const struct options *options);
void tables_sizes(const struct options *options);
void tables_widths(const struct options *options);
void tables_shares(const struct options *options);
void tables_pools(const struct options *options);
void tables_ages(const struct options *options);
void tables_racks(const struct options *options);
void tables_repair(const struct options *options);
void tables_churn(const struct options *options);
void tables_etcd(const struct options *options);
void tables_published(const struct options *options);

#endif /* SIM_RUN_H */
