// SPDX-License-Identifier: GPL-2.0
/* test_device_limits.c - what an RDMA device can have, and what is said of it */
#include <errno.h>
#include <string.h>

#include "device-limits.h"
#include "options.h"
#include "stubs.h"

static struct ibv_device_attr plenty(void)
{
	return (struct ibv_device_attr) {
		.max_qp = 1000, .max_cq = 1000, .max_pd = 1000, .max_mr = 10000,
		.max_mr_size = UINT64_MAX, .max_qp_rd_atom = 16,
	};
}

/* Judge such a device for a pool of 64 GiB in slabs of 16 MiB and 256 clients. */
static enum limits_verdict judge(const struct ibv_device_attr *attr, const char *text)
{
	struct limits limits;
	struct options opt;
	char line[400] = "";
	enum limits_verdict verdict;

	options_defaults(&opt);
	opt.size = 64ull << 30;
	device_limits_of(false, attr, &limits);
	verdict = device_limits_judge(&limits, &opt, line, sizeof(line));
	assert_string_equal(line, text);
	options_free(&opt);
	return verdict;
}

static void all_limits_are_shown(void **state)
{
	struct ibv_device_attr attr = plenty();

	assert_int_equal(judge(&attr, "max_qp 1000, max_cq 1000, max_pd 1000, max_mr 10000, max_mr_size unlimited"),
			 LIMITS_FIT);
	/* What some drivers leave unsaid is no limit. */
	attr.max_mr_size = 0;
	assert_int_equal(judge(&attr, "max_qp 1000, max_cq 1000, max_pd 1000, max_mr 10000, max_mr_size unlimited"),
			 LIMITS_FIT);
}

static void the_one_that_binds_is_named(void **state)
{
	struct ibv_device_attr attr = plenty();

	attr.max_pd = 64;
	assert_int_equal(judge(&attr, "max_qp 1000, max_cq 1000, max_pd 64, max_mr 10000, max_mr_size unlimited; max_pd is too little for --max-clients 256"),
			 LIMITS_TIGHT);
	attr.max_cq = 63;
	assert_int_equal(judge(&attr, "max_qp 1000, max_cq 63, max_pd 64, max_mr 10000, max_mr_size unlimited; max_cq is too little for --max-clients 256"),
			 LIMITS_TIGHT);
}

static void registrations_are_counted(void **state)
{
	struct ibv_device_attr attr = plenty();

	/* 16 regions of 4 GiB, two each; three for each client. */
	attr.max_mr = 2 * 16 + 3 * 256;
	assert_int_equal(judge(&attr, "max_qp 1000, max_cq 1000, max_pd 1000, max_mr 800, max_mr_size unlimited"),
			 LIMITS_FIT);
	attr.max_mr_size = 1ull << 30;
	assert_int_equal(judge(&attr, "max_qp 1000, max_cq 1000, max_pd 1000, max_mr 800, max_mr_size 1G; --size and --max-clients may need max_mr 896"),
			 LIMITS_TIGHT);
}

static void soft_roce_takes_less_than_it_says(void **state)
{
	struct ibv_device_attr attr = plenty();

	attr.vendor_id = 0xffffff;
	assert_int_equal(judge(&attr, "max_qp 1000, max_cq 1000, max_pd 1000, max_mr 10000, max_mr_size 256M"),
			 LIMITS_FIT);
}

static void less_than_a_slab_is_unfit(void **state)
{
	struct ibv_device_attr attr = plenty();

	attr.max_mr_size = 8 << 20;
	assert_int_equal(judge(&attr, "max_qp 1000, max_cq 1000, max_pd 1000, max_mr 10000, max_mr_size 8M; it registers 8M at a time (max_mr_size), less than a slab of 16M; lower --slab-size"),
			 LIMITS_UNFIT);
	attr = plenty();
	attr.max_qp_rd_atom = 256;
	assert_int_equal(judge(&attr, "max_qp 1000, max_cq 1000, max_pd 1000, max_mr 10000, max_mr_size unlimited; it answers no RDMA READs (max_qp_rd_atom)"),
			 LIMITS_UNFIT);
}

static void iwarp_is_unfit(void **state)
{
	struct ibv_device_attr attr = plenty();
	char text[LIMITS_TEXT];
	struct limits limits;

	device_limits_of(true, &attr, &limits);
	assert_string_equal(device_limits_unfit(&limits, 1, text), LIMITS_IWARP);
	device_limits_of(false, &attr, &limits);
	assert_null(device_limits_unfit(&limits, 1, text));
}

static void what_is_lacking_is_named(void **state)
{
	struct ibv_device_attr attr = plenty();
	struct limits limits;
	char text[LIMITS_TEXT];

	device_limits_of(false, &attr, &limits);
	assert_string_equal(device_limits_lack(&limits, LIMIT_MR, "mlx5_0", ENOMEM, text),
			    "no memory registration: Cannot allocate memory; mlx5_0 can have 10000 (max_mr)");
	assert_string_equal(device_limits_lack(&limits, LIMIT_PD, "mlx5_0", ENOSPC, text),
			    "no protection domain: No space left on device; mlx5_0 can have 1000 (max_pd)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_limits_are_shown),
		cmocka_unit_test(the_one_that_binds_is_named),
		cmocka_unit_test(registrations_are_counted),
		cmocka_unit_test(soft_roce_takes_less_than_it_says),
		cmocka_unit_test(less_than_a_slab_is_unfit),
		cmocka_unit_test(iwarp_is_unfit),
		cmocka_unit_test(what_is_lacking_is_named),
	};

	return cmocka_run_group_tests_name("device_limits", tests, NULL, NULL);
}
