// SPDX-License-Identifier: GPL-2.0
/*
 * latency.c - see latency.h.  The clock is chosen once, when the module is loaded.
 */
#include <linux/mutex.h>
#include <linux/timekeeping.h>

#include "latency.h"

DEFINE_STATIC_KEY_FALSE(farmem_latency_by_cycles);
DEFINE_STATIC_KEY_FALSE(farmem_latency_by_call);
u32 farmem_latency_scale = 1u << FARMEM_LATENCY_SCALE_SHIFT;

/* Guards the switches of all volumes. */
static DEFINE_MUTEX(latency_lock);

/* The cycle counter is a clock. */
static bool latency_cycles;

u64 farmem_latency_call_begin(void)
{
	return ktime_get_mono_fast_ns();
}

void farmem_latency_call_end(struct farmem_stats __percpu *stats, enum farmem_latency kind,
			     bool fault, u64 begun)
{
	farmem_latency_count(stats, kind, &fault, ktime_get_mono_fast_ns() - begun);
}

bool farmem_latency_cheap(void)
{
	return latency_cycles;
}

void farmem_latency_switch(bool *on, bool to)
{
	struct static_key_false *key = latency_cycles ? &farmem_latency_by_cycles :
							&farmem_latency_by_call;

	mutex_lock(&latency_lock);
	if (to && !*on)
		static_branch_inc(key);
	else if (!to && *on)
		static_branch_dec(key);
	WRITE_ONCE(*on, to);
	mutex_unlock(&latency_lock);
}

u64 farmem_latency_sum(struct farmem_stats __percpu *stats, enum farmem_latency kind,
		       unsigned int bucket)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu_ptr(stats, cpu)->latency[bucket][kind];
	return sum;
}

void farmem_latency_init(void)
{
	unsigned int khz = farmem_cycles_khz();

	if (!khz)
		return;
	farmem_latency_scale = ((u32)NSEC_PER_MSEC << FARMEM_LATENCY_SCALE_SHIFT) / khz;
	latency_cycles = true;
}
