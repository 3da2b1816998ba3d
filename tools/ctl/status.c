// SPDX-License-Identifier: GPL-2.0
/*
 * status.c - what the bare tool shows.  A compute node has the module, a memory node a
 * farmemd; some have both.
 */
#include <errno.h>
#include <stdio.h>

#include "attr.h"
#include "cli.h"
#include "commands.h"
#include "object.h"

static int show_server(const struct cli_args *given)
{
	static const struct cli_command view = { .table = &server_table, .vertical = true };
	struct cli_args args = *given;

	args.command = &view;
	return server_show(&args);
}

static int show_volumes(const struct cli_args *args, bool and_server)
{
	int rc = volume_list(args);

	if (rc || !and_server || args->value[OPT_JSON] || args->value[OPT_NOHEADINGS])
		return rc;
	putchar('\n');
	fflush(stdout);
	/* The volumes are the answer: an error of the server's is on standard error. */
	show_server(args);
	return RC_OK;
}

/** status_absent() - say what to do on a node that has neither: RC_FAILURE */
int status_absent(void)
{
	module_check();
	return next_step("systemctl start farmemd    (on a memory node)");
}

/** status_run() - farmemctl [status] */
int status_run(const struct cli_args *args)
{
	int error = server_reach(args);

	if (args->value[OPT_OUTPUT] || module_is_loaded())
		return show_volumes(args, !error && !args->value[OPT_OUTPUT]);
	if (!error || error == -EACCES)
		return show_server(args);
	return status_absent();
}
