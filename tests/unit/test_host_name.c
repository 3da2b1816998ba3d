// SPDX-License-Identifier: GPL-2.0
/* test_host_name.c - which host names must not become a client's name unasked */
#include <string.h>

#include "farmem-proto.h"
#include "stubs.h"

static void names_that_nodes_share(void **state)
{
	static const char *const shared[] = {
		"", "(none)", "localhost", "localhost.localdomain", "localhost.",
	};
	size_t i;

	for (i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		assert_string_equal(farmem_host_name_flaw(shared[i]),
				    "is not set, so other nodes may have the same");
}

static void a_name_that_would_be_cut(void **state)
{
	char name[FARMEM_NAME_LEN + 1] = "";

	memset(name, 'n', FARMEM_NAME_LEN - 1);
	assert_null(farmem_host_name_flaw(name));
	name[FARMEM_NAME_LEN - 1] = 'n';
	assert_string_equal(farmem_host_name_flaw(name), "is longer than 63 bytes");
}

static void names_of_their_own(void **state)
{
	static const char *const own[] = { "alpha", "localhost2", "none", "alpha.localhost" };
	size_t i;

	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		assert_null(farmem_host_name_flaw(own[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_nodes_share),
		cmocka_unit_test(a_name_that_would_be_cut),
		cmocka_unit_test(names_of_their_own),
	};

	return cmocka_run_group_tests_name("host_name", tests, NULL, NULL);
}
