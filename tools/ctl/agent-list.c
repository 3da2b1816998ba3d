// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <jansson.h>
#include <stdio.h>

#include "attr.h"
#include "cli.h"
#include "progress.h"

/* farmem-agent gives each member of etcd 5 s for each of its questions, and for a token. */
#define LIST_SECONDS	60
#define LIST_VERSION	1

/**
 * agent_list() - what farmem-agent has read in etcd
 * @file: its configuration, NULL for the usual one
 * @what: "--servers", "--groups" or "--all"
 *
 * Return: for json_decref(); NULL after saying what failed.
 */
json_t *agent_list(const char *file, const char *what)
{
	CLEANUP_FREE char *output = NULL;
	char *const argv[] = { "farmem-agent", (char *)what, file ? "--config" : NULL, (char *)file, NULL };
	json_t *list;
	int version, rc;

	command_path();
	progress_begin("asking etcd, %d s at most", LIST_SECONDS);
	rc = command_listen(argv, LIST_SECONDS, &output);
	progress_end();
	if (rc == COMMAND_MISSING) {
		fail("farmem-agent is not installed on this node");
		next_step("apt install farmem-agent");
		return NULL;
	}
	if (rc) {
		fputs(output, stderr);
		if (!*output)
			fail("farmem-agent %s ended with status %d", what, rc);
		return NULL;
	}
	list = json_loads(output, 0, NULL);
	if (!json_unpack(list, "{s:i}", "version", &version) && version == LIST_VERSION)
		return list;
	fail("farmem-agent is of another release");
	next_step("install both programs from one release of farmem");
	json_decref(list);
	return NULL;
}
