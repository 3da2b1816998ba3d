// SPDX-License-Identifier: GPL-2.0
/* test_server_uuid.c - which server it is: the same again, and no other's */
#include <errno.h>
#include <string.h>
#include <systemd/sd-id128.h>

#include "options.h"
#include "parse.h"
#include "server-uuid.h"
#include "stubs.h"

/* The machine's; all zero: it has none. */
static uint8_t machine;

int __wrap_sd_id128_get_machine_app_specific(sd_id128_t application, sd_id128_t *id);

int __wrap_sd_id128_get_machine_app_specific(sd_id128_t application, sd_id128_t *id)
{
	unsigned int i;

	if (!machine)
		return -ENOENT;
	for (i = 0; i < sizeof(id->bytes); i++)
		id->bytes[i] = application.bytes[i] ^ machine;
	return 0;
}

static char error[256];

/* Of a server with these options, as a start of it finds. */
static const char *uuid_of(const char *control, const char *uuid)
{
	static char text[8][UUID_TEXT];
	static unsigned int next;
	uint8_t found[FARMEM_ID_LEN];
	struct options opt;

	options_defaults(&opt);
	if (control)
		assert_int_equal(options_set(&opt, "control", control, error, sizeof(error)), 0);
	if (uuid)
		assert_int_equal(options_set(&opt, "uuid", uuid, error, sizeof(error)), 0);
	*error = '\0';
	if (server_uuid(&opt, found, error, sizeof(error)))
		memset(found, 0, sizeof(found));
	options_free(&opt);
	return format_uuid(found, text[next++ % 8]);
}

static void stable_and_its_own(void **state)
{
	const char *first, *second;

	machine = 7;
	first = uuid_of(NULL, NULL);
	assert_string_equal(first, uuid_of(NULL, NULL));
	assert_string_not_equal(first, "00000000-0000-0000-0000-000000000000");
	/* Another of this machine has another control socket. */
	second = uuid_of("/run/second.sock", NULL);
	assert_string_not_equal(first, second);
	assert_string_equal(second, uuid_of("/run/second.sock", NULL));
	machine = 8;
	assert_string_not_equal(first, uuid_of(NULL, NULL));
}

static void as_it_is_told(void **state)
{
	static const char uuid[] = "5e5e5e5e-0000-4000-8000-0000000000aa";

	machine = 7;
	assert_string_equal(uuid_of(NULL, uuid), uuid);
	/* Then a machine without an ID is as good. */
	machine = 0;
	assert_string_equal(uuid_of(NULL, "5E5E5E5E0000400080000000000000AA"), uuid);
	assert_string_equal(error, "");
	uuid_of(NULL, NULL);
	assert_non_null(strstr(error, "/etc/machine-id: No such file or directory; "));
	assert_non_null(strstr(error, "--uuid"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stable_and_its_own),
		cmocka_unit_test(as_it_is_told),
	};

	return cmocka_run_group_tests_name("server_uuid", tests, NULL, NULL);
}
