// SPDX-License-Identifier: GPL-2.0
/* test_identity.c - which client may take over which identity: the whole table */
#include "admit.h"
#include "client.h"
#include "stubs.h"

#define OLD	100
#define NEW	200
#define OTHER	300

static void table(void **state)
{
	static const struct {
		struct admit_state state;
		uint64_t incarnation;
		bool takeover;
		enum admit_verdict verdict;
	} row[] = {
		/* nobody there */
		{ { false, 0, false, 0 }, NEW, false, ADMIT_ACCEPT },
		{ { false, 0, false, 0 }, NEW, true, ADMIT_ACCEPT },
		/* the same client comes back */
		{ { true, OLD, false, 0 }, OLD, false, ADMIT_FENCE },
		{ { true, OLD, false, 0 }, OLD, true, ADMIT_FENCE },
		/* another incarnation: find out, unless told to take over */
		{ { true, OLD, false, 0 }, NEW, false, ADMIT_PROBE },
		{ { true, OLD, false, 0 }, NEW, true, ADMIT_FENCE },
		/* while one waits */
		{ { true, OLD, true, NEW }, NEW, false, ADMIT_REPLACE },
		{ { true, OLD, true, NEW }, OTHER, false, ADMIT_BUSY },
		{ { true, OLD, true, NEW }, OLD, false, ADMIT_FENCE },
		{ { true, OLD, true, NEW }, OTHER, true, ADMIT_FENCE },
		{ { true, OLD, true, NEW }, NEW, true, ADMIT_FENCE },
	};
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		if (admit_judge(&row[i].state, row[i].incarnation, row[i].takeover) !=
		    row[i].verdict)
			fail_msg("row %zu", i);
}

/* sha256("farmem-client:node1"), by sha256sum(1) */
static void hash(void **state)
{
	static const uint8_t expected[FARMEM_ID_LEN] = {
		0x7f, 0xec, 0xdd, 0x36, 0x58, 0xbb, 0x4c, 0x8b,
		0xbe, 0x4d, 0x6e, 0xa9, 0xd2, 0x58, 0x2b, 0xa3,
	};
	uint8_t identity[FARMEM_ID_LEN];

	assert_int_equal(client_identity("node1", identity), 0);
	assert_memory_equal(identity, expected, sizeof(identity));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(hash),
	};

	return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
