// SPDX-License-Identifier: GPL-2.0
/* test_plan.c - how many queues of which type, and what a failure to get one means */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <infiniband/verbs.h>

#include "plan.h"

static void expect_range(unsigned int n, enum farmem_queue_type type, unsigned int first,
			 unsigned int count)
{
	unsigned int f, c;

	farmem_plan_range(n, type, &f, &c);
	assert_int_equal(f, first);
	assert_int_equal(c, count);
}

static void test_few(void **state)
{
	(void)state;
	expect_range(1, FARMEM_QUEUE_WRITE, 0, 1);
	expect_range(1, FARMEM_QUEUE_READ, 0, 1);
	expect_range(1, FARMEM_QUEUE_POLL, 0, 1);
	expect_range(2, FARMEM_QUEUE_WRITE, 0, 1);
	expect_range(2, FARMEM_QUEUE_READ, 1, 1);
	expect_range(2, FARMEM_QUEUE_POLL, 1, 1);
}

/* From three on each queue is of one type, in order, and no type has two more than another. */
static void test_ranges(void **state)
{
	unsigned int n, type, first, count, next, least, most, i;

	(void)state;
	for (n = 3; n <= 1024; n++) {
		next = most = 0;
		least = n;
		for (type = 0; type < FARMEM_QUEUE_TYPES; type++) {
			farmem_plan_range(n, type, &first, &count);
			assert_int_equal(first, next);
			for (i = 0; i < count; i++)
				assert_int_equal(farmem_plan_place(n, first + i), i);
			next += count;
			least = count < least ? count : least;
			most = count > most ? count : most;
		}
		assert_int_equal(next, n);
		assert_in_range(least, 1, most);
		assert_in_range(most, least, least + 1);
	}
}

/* mlx5 says EAGAIN, irdma EOVERFLOW, others ENOMEM or EINVAL. */
static void test_creating_failed(void **state)
{
	static const int errors[] = { EAGAIN, ENOMEM, EINVAL, EOVERFLOW, ENOSPC, EIO, ENODEV };
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		assert_int_equal(farmem_plan_judge(1, FARMEM_FAILED_CREATING, -errors[i]),
				 FARMEM_QUEUE_FEWER);
		assert_int_equal(farmem_plan_judge(95, FARMEM_FAILED_CREATING, -errors[i]),
				 FARMEM_QUEUE_FEWER);
		assert_int_equal(farmem_plan_judge(0, FARMEM_FAILED_CREATING, -errors[i]),
				 FARMEM_QUEUE_FAIL);
	}
}

/* The subnet manager's absence is EAGAIN, too, and no stale connection. */
static void test_connecting_failed(void **state)
{
	(void)state;
	assert_int_equal(farmem_plan_judge(3, FARMEM_FAILED_CONNECTING, -EAGAIN),
			 FARMEM_QUEUE_FAIL);
	assert_int_equal(farmem_plan_judge(3, FARMEM_FAILED_CONNECTING, -ETIMEDOUT),
			 FARMEM_QUEUE_FAIL);
	assert_int_equal(farmem_plan_judge(3, FARMEM_FAILED_CONNECTING, -ENOBUFS),
			 FARMEM_QUEUE_FEWER);
	assert_int_equal(farmem_plan_judge(3, FARMEM_FAILED_CONNECTING, -EUSERS),
			 FARMEM_QUEUE_FEWER);
	assert_int_equal(farmem_plan_judge(0, FARMEM_FAILED_CONNECTING, -ENOBUFS),
			 FARMEM_QUEUE_FAIL);
	assert_int_equal(farmem_plan_judge(0, FARMEM_FAILED_STALE, -EAGAIN),
			 FARMEM_QUEUE_AGAIN);
	assert_int_equal(farmem_plan_judge(3, FARMEM_FAILED_STALE, -EAGAIN),
			 FARMEM_QUEUE_AGAIN);
}

/* As cpumask_local_spread() has them: eight CPUs, the upper four on node 1. */
static unsigned int nth(unsigned int n, int node)
{
	return (n + 4 * node) % 8;
}

/* The adapter's interrupts begin on its own node. */
static void test_vectors(void **state)
{
	unsigned int cpu;

	(void)state;
	for (cpu = 0; cpu < 8; cpu++) {
		assert_int_equal(farmem_plan_vector(cpu, 8, 8, nth, 0), cpu);
		assert_int_equal(farmem_plan_vector(cpu, 8, 8, nth, 1), (cpu + 4) % 8);
		/* Vector v interrupts that CPU. */
		assert_int_equal(nth(farmem_plan_vector(cpu, 8, 8, nth, 1), 1), cpu);
		assert_int_equal(farmem_plan_vector(cpu, 8, 1, nth, 1), 0);
	}
	/* Fewer vectors than CPUs: none has more of those of a node than another. */
	assert_int_equal(farmem_plan_vector(4, 8, 3, nth, 1), 0);
	assert_int_equal(farmem_plan_vector(6, 8, 3, nth, 1), 2);
	assert_int_equal(farmem_plan_vector(7, 8, 3, nth, 1), 0);
	assert_int_equal(farmem_plan_vector(0, 8, 3, nth, 1), 1);
	/* More vectors than CPUs, and a CPU that is offline. */
	assert_int_equal(farmem_plan_vector(4, 8, 64, nth, 1), 0);
	assert_int_equal(farmem_plan_vector(9, 8, 4, nth, 1), 1);
}

/* Whatever an adapter says of a large request, when small ones have passed; but what is clear. */
static void test_mtu(void **state)
{
	static const enum ibv_wc_status lost[] = {
		IBV_WC_LOC_LEN_ERR, IBV_WC_LOC_QP_OP_ERR, IBV_WC_BAD_RESP_ERR,
		IBV_WC_REM_INV_REQ_ERR, IBV_WC_REM_OP_ERR, IBV_WC_RETRY_EXC_ERR,
		IBV_WC_RNR_RETRY_EXC_ERR, IBV_WC_REM_ABORT_ERR,
	};
	unsigned int status, i;
	bool is_lost;

	(void)state;
	for (status = 0; status <= IBV_WC_TM_RNDV_INCOMPLETE; status++) {
		is_lost = false;
		for (i = 0; i < sizeof(lost) / sizeof(*lost); i++)
			is_lost |= lost[i] == status;
		assert_int_equal(farmem_plan_blames_mtu(status, 4096), is_lost);
		assert_int_equal(farmem_plan_blames_mtu(status, 2 << 20), is_lost);
		/* Small, or a large one has passed before. */
		assert_false(farmem_plan_blames_mtu(status, 64));
		assert_false(farmem_plan_blames_mtu(status, 0));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_creating_failed),
		cmocka_unit_test(test_connecting_failed),
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_mtu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
