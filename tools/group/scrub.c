// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <inttypes.h>
#include <stdio.h>

#include "attr.h"
#include "cli.h"
#include "../ctl/commands.h"

static int scrub(const struct cli_args *args, struct group *group)
{
	uint64_t mismatches = 0;
	unsigned int pair;

	if (group->copies == 1)
		return fail("group %s has no copies that could be compared", group->name);
	for (pair = 0; pair < member_pairs(group); pair++) {
		CLEANUP_FREE char *path = array_path(group->name, pair);
		CLEANUP_FREE char *name = array_at(path);
		struct plan plan = { 0 };

		/* Also of chunks that have lost bytes: md reads these from the other one, and writes them anew. */
		if (!name || copies_count_there(group, pair) < GROUP_COPIES || member_state(group, pair) == MEMBER_COPYING) {
			fail("group %s: %s is not live", group->name, path);
			return next_step("farmemctl group repair %s", group->name);
		}
		if (!args->value[OPT_DRY_RUN])
			array_rewind(path);
		plan_do(&plan, "mdadm", "--quiet", "--action=check", path, NULL);
		plan_wait(&plan, &(struct array_goal) { .path = path });
		if (plan_carry_out(&plan, args->value[OPT_DRY_RUN]))
			return RC_FAILURE;
		mismatches += array_number(name, "mismatch_cnt");
	}
	if (args->value[OPT_DRY_RUN] || args->value[OPT_JSON])
		return RC_OK;
	printf("Group %s: the copies differ in %" PRIu64 " sectors%s\n", group->name, mismatches,
	       mismatches ? ". Of swap that is no fault: pages that were freed while they were written (md(4))" : "");
	return RC_OK;
}

/** group_scrub() - farmemctl group scrub NAME */
int group_scrub(const struct cli_args *args)
{
	return group_run(args, scrub);
}
