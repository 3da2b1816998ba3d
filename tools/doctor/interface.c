// SPDX-License-Identifier: GPL-2.0
#include "interface.h"

#include <string.h>

#include "attr.h"
#include "command.h"

#define SECONDS 10

/**
 * interface_list() - all of them
 *
 * Return: an array, for json_decref(); NULL: `ip` does not tell.
 */
json_t *interface_list(void)
{
	CLEANUP_FREE char *output = NULL;

	if (command_ask(&output, SECONDS, "ip", "-j", "address", "show", NULL))
		return NULL;
	return json_loads(output, 0, NULL);
}

/** interface_is_up() - has it been set up? @interface: of the list */
bool interface_is_up(json_t *interface)
{
	json_t *flag;
	size_t i;

	json_array_foreach(json_object_get(interface, "flags"), i, flag)
		if (json_string_value(flag) && !strcmp(json_string_value(flag), "UP"))
			return true;
	return false;
}

/** interface_has_address() - one that somebody else could reach? @interface: of the list */
bool interface_has_address(json_t *interface)
{
	json_t *each;
	size_t i;

	json_array_foreach(json_object_get(interface, "addr_info"), i, each) {
		const char *scope = json_string_value(json_object_get(each, "scope"));

		if (scope && !strcmp(scope, "global"))
			return true;
	}
	return false;
}
