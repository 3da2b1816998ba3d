// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <string.h>

#include "attr.h"
#include "object.h"
#include "parse.h"

static bool same_number(const char *a, const char *b)
{
	char *end_a, *end_b;
	/* As the module reads them: 0x1e, and 036 is octal. */
	long long value_a = strtoll(a, &end_a, 0), value_b = strtoll(b, &end_b, 0);

	return end_a != a && end_b != b && !*end_a && !*end_b && value_a == value_b;
}

static bool same_seconds(const char *a, const char *b)
{
	uint64_t ms_a, ms_b;

	return !parse_seconds(a, &ms_a) && !parse_seconds(b, &ms_b) && ms_a == ms_b;
}

static bool same_uuid(const char *a, const char *b)
{
	uint8_t uuid_a[16], uuid_b[16];

	return !parse_uuid(a, uuid_a) && !parse_uuid(b, uuid_b) &&
	       !memcmp(uuid_a, uuid_b, sizeof(uuid_a));
}

static bool same_address(const char *a, const char *b)
{
	CLEANUP_FREE char *normal_a = address_normal(a);
	CLEANUP_FREE char *normal_b = address_normal(b);

	return !strcmp(normal_a, normal_b);
}

/** setting_same() - are these one value, however it is written? */
bool setting_same(enum setting_kind kind, const char *a, const char *b)
{
	return !strcmp(a, b) || (kind == SETTING_NUMBER && same_number(a, b)) ||
	       (kind == SETTING_SECONDS && same_seconds(a, b)) ||
	       (kind == SETTING_UUID && same_uuid(a, b)) ||
	       (kind == SETTING_ADDRESS && same_address(a, b));
}

/**
 * setting_check() - refuse a volume that exists, and is not what was asked for
 * @volume: its name
 * @setting: what was asked for; a value of NULL was not
 * @now: what it has, or NULL
 *
 * Return: RC_OK, or RC_FAILURE after naming both values.
 */
int setting_check(const char *volume, const struct setting *setting, const char *now)
{
	if (!setting->value || (now && setting_same(setting->kind, now, setting->value)))
		return RC_OK;
	fail("volume %s exists already, with %s %s, not %s", volume, setting->attr,
	     now && *now ? now : "none", setting->value);
	return next_step("leave that option out; or first farmemctl volume delete %s    (with --keep its data stays on the server)",
			 volume);
}
