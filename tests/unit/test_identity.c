// SPDX-License-Identifier: GPL-2.0
/* test_identity.c - who may take over whose identity: the whole table */
#include "client.h"
#include "identity.h"
#include "stubs.h"

#define OLD	100
#define NEW	200
#define OTHER	300

static void table(void **state)
{
	static const struct {
		struct identity_state state;
		uint64_t incarnation;
		bool takeover;
		enum identity_verdict verdict;
	} row[] = {
		/* nobody there */
		{ { false, 0, false, 0 }, NEW, false, IDENTITY_ACCEPT },
		{ { false, 0, false, 0 }, NEW, true, IDENTITY_ACCEPT },
		/* the same client comes back */
		{ { true, OLD, false, 0 }, OLD, false, IDENTITY_FENCE },
		{ { true, OLD, false, 0 }, OLD, true, IDENTITY_FENCE },
		/* another incarnation: find out, unless told to take over */
		{ { true, OLD, false, 0 }, NEW, false, IDENTITY_PROBE },
		{ { true, OLD, false, 0 }, NEW, true, IDENTITY_FENCE },
		/* while one waits */
		{ { true, OLD, true, NEW }, NEW, false, IDENTITY_REPLACE },
		{ { true, OLD, true, NEW }, OTHER, false, IDENTITY_BUSY },
		{ { true, OLD, true, NEW }, OLD, false, IDENTITY_FENCE },
		{ { true, OLD, true, NEW }, OTHER, true, IDENTITY_FENCE },
		{ { true, OLD, true, NEW }, NEW, true, IDENTITY_FENCE },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		if (identity_judge(&row[i].state, row[i].incarnation, row[i].takeover) !=
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

	(void)state;
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
