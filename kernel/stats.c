// SPDX-License-Identifier: GPL-2.0
/* stats.c - see stats.h. */
#include <linux/cpumask.h>

#include "stats.h"

u64 farmem_stat_sum(struct farmem_stats __percpu *stats, enum farmem_stat stat)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu_ptr(stats, cpu)->count[stat];
	return sum;
}
