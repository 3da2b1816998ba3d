// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <stdio.h>

#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "object.h"
#include "../ctl/commands.h"

/* From the top down, of what is there: a run that ended half way goes on. */
static int plan_delete(struct plan *plan, struct group *group)
{
	CLEANUP_FREE char *volume = text_format("%s/volume", group->name);
	CLEANUP_FREE char *node = lvm_node(group->name);
	bool has = node;
	unsigned int pair;

	member_end_waits(plan, group);
	if (node) {
		lvm_do(plan, group->name, "lvremove");
		plan_add_words(plan, "--yes", volume, NULL);
	} else if (lvm_has(group->name, &has)) {
		return RC_FAILURE;
	}
	if (has) {
		lvm_do(plan, group->name, "vgremove");
		plan_add_words(plan, "--force", "--yes", group->name, NULL);
	}
	for (pair = 0; pair < member_pairs(group); pair++)
		member_stop_pair(plan, group, pair);
	EACH_CHUNK(chunk, group)
		member_drop_chunk(plan, chunk);
	return RC_OK;
}

/* Memory of chunks whose volumes are gone goes back to the servers that can be reached. */
static void give_back(struct group *group)
{
	size_t i;

	while (group->chunk_count)
		record_drop_chunk(group, group->chunks[0].volume);
	if (group->orphan_count) {
		lender_connect(group);
		member_take_back_orphans(group);
	}
	for (i = 0; i < group->orphan_count; i++) {
		const struct group_chunk *orphan = &group->orphans[i];

		fail("server %s still holds the memory of volume %s", orphan->server, orphan->uuid);
		next_step("on that server: farmemctl server release --client NODE --volume %s", orphan->uuid);
	}
}

static int run_delete(struct group *group, struct plan *plan)
{
	int rc = plan_run(plan);

	if (rc) {
		next_step("farmemctl group delete %s    (goes on where this one ended)", group->name);
		return rc;
	}
	give_back(group);
	lender_let_go(group);
	rc = record_remove(group);
	if (!rc)
		printf("Group %s is deleted\n", group->name);
	return rc;
}

static int delete(const struct cli_args *args, struct group *group)
{
	CLEANUP_FREE char *node = lvm_node(group->name);
	struct plan plan = { 0 };
	int rc;

	if (node && holder_refuse(node))
		return RC_FAILURE;
	rc = plan_delete(&plan, group);
	if (!rc && args->value[OPT_DRY_RUN])
		plan_print(&plan);
	else if (!rc)
		rc = run_delete(group, &plan);
	plan_free(&plan);
	return rc;
}

/** group_delete() - farmemctl group delete NAME */
int group_delete(const struct cli_args *args)
{
	return group_run(args, delete);
}
