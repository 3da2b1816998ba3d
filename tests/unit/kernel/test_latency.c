// SPDX-License-Identifier: GPL-2.0
/*
 * test_latency.c - which bucket counts a duration, by which clock, and when none is read
 *
 * latency.c itself is compiled here, with clocks that the test sets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/kernel.h>
#include <linux/percpu.h>

/* Of compat.h, and of the kernel's headers. */
#define FARMEM_COMPAT_H

static u64 cycles, ns;
static unsigned int rate, clock_reads;

#define farmem_cycles() (clock_reads++, cycles)
#define farmem_cycles_khz() rate
#define ktime_get_mono_fast_ns() (clock_reads++, ns)

#include "latency.c"

static struct farmem_stats stats;
static bool on;
static const bool no;

static int begin(void **state)
{
	(void)state;
	memset(&stats, 0, sizeof(stats));
	farmem_latency_by_cycles.count = farmem_latency_by_call.count = 0;
	latency_cycles = false;
	farmem_latency_scale = 1u << FARMEM_LATENCY_SCALE_SHIFT;
	rate = clock_reads = 0;
	cycles = ns = 1;
	on = false;
	return 0;
}

static void buckets_are_powers_of_two(void **state)
{
	unsigned int i;

	(void)state;
	assert_int_equal(farmem_latency_bucket(0), 0);
	assert_int_equal(farmem_latency_bucket(1), 0);
	for (i = 0; i < FARMEM_LATENCY_BUCKETS - 1; i++) {
		assert_int_equal(farmem_latency_bucket((1024ull << i) - 1), i);
		assert_int_equal(farmem_latency_bucket(1024ull << i), i + 1);
	}
	/* Half a day, and a month. */
	assert_int_equal(farmem_latency_bucket(43200ull * 1000000000), 24);
	assert_int_equal(farmem_latency_bucket(30 * 86400ull * 1000000000), 24);
}

static void clocks_that_differ_are_a_short_time(void **state)
{
	(void)state;
	assert_int_equal(farmem_latency_bucket(-1), 0);
	assert_int_equal(farmem_latency_bucket(-5000), 0);
}

static void cycles_become_nanoseconds(void **state)
{
	u64 begun;

	(void)state;
	rate = 2500000;
	farmem_latency_init();
	assert_true(farmem_latency_cheap());
	/* 1 us; 2 us; 1.2 ms; 9 s. */
	assert_int_equal(farmem_latency_bucket(2500), 0);
	assert_int_equal(farmem_latency_bucket(5000), 1);
	assert_int_equal(farmem_latency_bucket(3000000), 11);
	assert_int_equal(farmem_latency_bucket(22500000000ull), 24);
	farmem_latency_switch(&on, true);
	cycles = 100;
	begun = farmem_latency_begin(&on);
	assert_int_equal(begun, 100);
	cycles += 7500;
	farmem_latency_end(&stats, FARMEM_LATENCY_DISCARD, &no, &begun);
	assert_int_equal(farmem_latency_sum(&stats, FARMEM_LATENCY_DISCARD, 2), 1);
	/* What came before the switch was on. */
	begun = 0;
	farmem_latency_end(&stats, FARMEM_LATENCY_DISCARD, &no, &begun);
	assert_int_equal(clock_reads, 2);
}

static void without_a_counter_the_kernel_is_asked(void **state)
{
	u64 begun;

	(void)state;
	farmem_latency_init();
	assert_false(farmem_latency_cheap());
	farmem_latency_switch(&on, true);
	begun = farmem_latency_begin(&on);
	ns += 3000;
	farmem_latency_end(&stats, FARMEM_LATENCY_WRITE, &no, &begun);
	assert_int_equal(farmem_latency_sum(&stats, FARMEM_LATENCY_WRITE, 2), 1);
}

static void only_what_is_switched_on_is_measured(void **state)
{
	bool other = false;

	(void)state;
	assert_int_equal(farmem_latency_begin(&on), 0);
	farmem_latency_switch(&other, true);
	assert_int_equal(farmem_latency_begin(&on), 0);
	assert_int_equal(clock_reads, 0);
	assert_int_not_equal(farmem_latency_begin(&other), 0);
	/* Twice is once. */
	farmem_latency_switch(&other, true);
	farmem_latency_switch(&other, false);
	farmem_latency_switch(&other, false);
	assert_int_equal(farmem_latency_by_call.count, 0);
	assert_int_equal(farmem_latency_begin(&other), 0);
}

static void a_fault_is_a_read(void **state)
{
	u64 begun;

	(void)state;
	farmem_latency_switch(&on, true);
	ns = 10000;
	begun = ns - 100;
	farmem_latency_end(&stats, FARMEM_LATENCY_READ, &on, &begun);
	begun = ns - 5000;
	farmem_latency_end(&stats, FARMEM_LATENCY_READ, &no, &begun);
	assert_int_equal(farmem_latency_sum(&stats, FARMEM_LATENCY_READ, 0), 1);
	assert_int_equal(farmem_latency_sum(&stats, FARMEM_LATENCY_FAULT, 0), 1);
	assert_int_equal(farmem_latency_sum(&stats, FARMEM_LATENCY_READ, 3), 1);
	assert_int_equal(farmem_latency_sum(&stats, FARMEM_LATENCY_FAULT, 3), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(buckets_are_powers_of_two, begin),
		cmocka_unit_test_setup(clocks_that_differ_are_a_short_time, begin),
		cmocka_unit_test_setup(cycles_become_nanoseconds, begin),
		cmocka_unit_test_setup(without_a_counter_the_kernel_is_asked, begin),
		cmocka_unit_test_setup(only_what_is_switched_on_is_measured, begin),
		cmocka_unit_test_setup(a_fault_is_a_read, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
