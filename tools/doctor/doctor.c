// SPDX-License-Identifier: GPL-2.0
#include "doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"

#define REPAIR_SECONDS	60
#define ROUNDS_MAX	5

/* In the order in which one thing needs the other. */
static const struct doctor_check checks[] = {
	{ "kernel.version", "is this a kernel that farmem is tested on?", NODE_BOTH,
	  check_kernel_version },
	{ "kernel.swap-path", "how does swap read its pages on this kernel?", NODE_COMPUTE,
	  check_swap_path },
	{ "module.built", "is there a farmem.ko for this kernel, where modprobe finds it?",
	  NODE_COMPUTE, check_module_built },
	{ "module.headers", "if not, can one be built?", NODE_COMPUTE, check_module_headers },
	{ "module.signing", "does the kernel load it without a signature, or is it signed?",
	  NODE_COMPUTE, check_module_signing },
	{ "module.loaded", "is it loaded, and is its directory in configfs?", NODE_COMPUTE,
	  check_module_loaded },
	{ "rdma.modules", "does the kernel have its RDMA modules?", NODE_BOTH, check_rdma_modules },
	{ "rdma.files", "do the RDMA device files exist?", NODE_BOTH, check_rdma_files },
	{ "rdma.devices", "which RDMA devices exist; can soft-RoCE make one?", NODE_BOTH,
	  check_rdma_devices },
	{ "rdma.libraries", "do programs see the RDMA devices?", NODE_BOTH, check_rdma_libraries },
	{ "rdma.ports", "is an RDMA port active?", NODE_BOTH, check_rdma_ports },
	{ "rdma.mtu", "how much does a packet carry?", NODE_BOTH, check_rdma_mtu },
	{ "rdma.gids", "does the port have an address, and of which type?", NODE_BOTH, check_rdma_gids },
	{ "limits.shell", "how much memory may programs of this shell lock?", NODE_BOTH,
	  check_limits_shell },
	{ "limits.service", "how much memory may the service farmemd lock?", NODE_MEMORY,
	  check_limits_service },
	{ "limits.hugepages", "are there enough huge pages for farmemd?", NODE_MEMORY,
	  check_hugepages },
	{ "firewall.roce", "does the packet filter let RoCE's UDP port 4791 pass?", NODE_BOTH,
	  check_firewall_roce },
	{ "firewall.port", "does the packet filter let the server's own port pass?", NODE_BOTH, check_firewall_port },
	{ "farmemd.config", "does farmemd understand its configuration file?", NODE_MEMORY,
	  check_config },
	{ "farmemd.running", "does farmemd run?", NODE_MEMORY, check_farmemd },
	{ "swap.page-cluster", "how many pages does a fault read?", NODE_COMPUTE,
	  check_page_cluster },
	{ "swap.zswap", "does zswap keep pages in this node's own memory?", NODE_COMPUTE, check_zswap },
	{ "swap.priority", "is farmem's swap used before a disk's?", NODE_COMPUTE,
	  check_swap_priority },
	{ "swap.loop", "does a node that lends memory swap to farmem?", NODE_MEMORY,
	  check_swap_loop },
	{ "settings.sysctl", "does what " SYSCTL_FILE " sets hold?", NODE_BOTH,
	  check_sysctl },
	/* With --server, in the order of their doing: the first that fails ends it. */
	{ "server.address", "is --server an address, or a name that has one?", NODE_COMPUTE,
	  check_server_step },
	{ "server.route", "is there a route to the server, from which address?", NODE_COMPUTE,
	  check_server_step },
	{ "server.resolve", "does that route use an RDMA device?", NODE_COMPUTE,
	  check_server_step },
	{ "server.connect", "does the server listen there, and accept?", NODE_COMPUTE,
	  check_server_step },
	{ "server.version", "does the server speak this protocol?", NODE_COMPUTE, check_server_step },
	{ "server.auth", "does the server accept the key, and prove that it has its own?", NODE_COMPUTE,
	  check_server_step },
	{ "server.read", "does a READ of the server's status page come back?", NODE_COMPUTE,
	  check_server_step },
	{ "server.write", "does a WRITE of a heartbeat arrive?", NODE_COMPUTE, check_server_step },
	{ "server.memory", "does the server have memory to lend?", NODE_COMPUTE, check_server_step },
};

#define CHECKS (sizeof(checks) / sizeof(checks[0]))

/* All that was found: the next examination looks anew. */
static void forget(struct doctor *doctor)
{
	doctor_forget_findings(doctor);
	doctor_fabric_forget(doctor);
	free(doctor->ports);
	free(doctor->modinfo);
	doctor->modinfo = NULL;
}

static void examine(struct doctor *doctor)
{
	size_t i;

	forget(doctor);
	doctor->ports = rdma_ports(&doctor->port_count);
	for (i = 0; i < CHECKS; i++) {
		doctor->check = &checks[i];
		if (checks[i].run == check_server_step && !doctor->args->value[OPT_SERVER])
			continue;
		if (checks[i].nodes & doctor->nodes)
			checks[i].run(doctor);
	}
}

/* A row of the table: a finding, or for people a line below it. */
struct row {
	const struct finding *finding;
	const char *mark;	/* "fix: " or "do: "; NULL: the finding itself */
	char *text;		/* of such a line, to free */
};

static char *get_verdict(const void *data, const struct column *column)
{
	const struct row *row = data;

	return row->mark ? NULL : text_copy(verdict_word[row->finding->verdict]);
}

static char *get_check(const void *data, const struct column *column)
{
	const struct row *row = data;

	return row->mark ? NULL : text_copy(row->finding->check->id);
}

static char *get_finding(const void *data, const struct column *column)
{
	const struct row *row = data;

	return row->mark ? text_format("  %s%s", row->mark, row->text) :
			   text_copy(row->finding->text);
}

static char *get_fix(const void *data, const struct column *column)
{
	const struct finding *finding = ((const struct row *)data)->finding;
	char *text = NULL;
	size_t i;

	for (i = 0; i < finding->repairs; i++) {
		CLEANUP_FREE char *line = command_text(finding->repair[i]);

		text_add(&text, "\n", line);
	}
	return text;
}

static char *get_advice(const void *data, const struct column *column)
{
	return text_copy(((const struct row *)data)->finding->advice);
}

static char *get_question(const void *data, const struct column *column)
{
	return text_copy(((const struct row *)data)->finding->check->title);
}

static const struct column columns[] = {
	{ "verdict", "ok, warn, fail, unknown (not found out) or skipped (an earlier finding leaves nothing to look at)",
	  COLUMN_TEXT, true, get_verdict },
	{ "check", "name of the check", COLUMN_TEXT, true, get_check },
	{ "finding", "what was found, and below it what helps", COLUMN_TEXT, true, get_finding },
	{ "fix", "commands that --fix runs", COLUMN_LIST, false, get_fix },
	{ "advice", "what you have to do yourself", COLUMN_LIST, false, get_advice },
	{ "question", "what the check asks", COLUMN_TEXT, false, get_question },
};

const struct table doctor_table = TABLE("doctor", columns);

static void add_row(struct row **rows, size_t *count, struct row row)
{
	*rows = checked(reallocarray(*rows, *count + 1, sizeof(**rows)));
	(*rows)[(*count)++] = row;
}

/* For people each fix has a line of its own. */
static void add_below(struct row **rows, size_t *count, const struct finding *finding)
{
	CLEANUP_FREE char *advice = text_copy(finding->advice);
	char *rest = advice, *line;
	size_t i;

	for (i = 0; i < finding->repairs; i++)
		add_row(rows, count, (struct row){ finding, "fix: ", command_text(finding->repair[i]) });
	while ((line = strsep(&rest, "\n")))
		add_row(rows, count, (struct row){ finding, "do:  ", text_copy(line) });
}

static void print_summary(const struct doctor *doctor)
{
	unsigned int sum[VERDICT_FAIL + 1] = { 0 };
	size_t i, repairs = 0;

	for (i = 0; i < doctor->count; i++) {
		sum[doctor->findings[i].verdict]++;
		repairs += doctor->findings[i].repairs;
	}
	printf("\n%u ok, %u warn, %u fail, %u unknown, %u skipped\n", sum[VERDICT_OK],
	       sum[VERDICT_WARN], sum[VERDICT_FAIL], sum[VERDICT_UNKNOWN], sum[VERDICT_SKIPPED]);
	if (repairs && !doctor->args->value[OPT_FIX])
		printf("With --fix the doctor runs the commands after \"fix:\"; what stands after \"do:\" is for you to do.\n");
}

static int print(const struct doctor *doctor)
{
	const struct cli_args *args = doctor->args;
	bool plain = !args->value[OPT_JSON] && !args->value[OPT_OUTPUT];
	size_t count = 0, i;
	struct row *row = NULL;
	const void **rows;
	int rc;

	for (i = 0; i < doctor->count; i++) {
		add_row(&row, &count, (struct row){ .finding = &doctor->findings[i] });
		if (plain)
			add_below(&row, &count, &doctor->findings[i]);
	}
	rows = checked(calloc(count + 1, sizeof(*rows)));
	for (i = 0; i < count; i++)
		rows[i] = &row[i];
	rc = table_print(args, rows, count);
	for (i = 0; i < count; i++)
		free(row[i].text);
	free(row);
	free(rows);
	if (!rc && plain && !args->value[OPT_NOHEADINGS])
		print_summary(doctor);
	return rc;
}

/* Say a command, then run it; true if it did what it should. */
static bool repair(const struct doctor *doctor, char *const argv[], const char *text)
{
	int rc;

	/* JSON is all that may stand on standard output. */
	fprintf(doctor->args->value[OPT_JSON] ? stderr : stdout, "# %s\n", text);
	rc = command_run(argv, REPAIR_SECONDS,
			 doctor->args->value[OPT_JSON] ? COMMAND_ASIDE : 0);
	if (rc == COMMAND_TIMEOUT)
		fail("%s did not end within %d seconds", argv[0], REPAIR_SECONDS);
	else if (rc == COMMAND_MISSING)
		fail("%s can't be run, or is not installed", argv[0]);
	else if (rc)
		fail("%s: exit code %d", argv[0], rc);
	return !rc;
}

/*
 * The commands of a finding need each other: the first that fails ends it.
 * @tried: whether each command that was run has helped; none is run twice
 */
static bool repair_all(const struct doctor *doctor, json_t *tried, const struct finding *finding)
{
	bool any = false, helped = true;
	size_t i;

	for (i = 0; i < finding->repairs && helped; i++) {
		CLEANUP_FREE char *text = command_text(finding->repair[i]);
		json_t *before = json_object_get(tried, text);

		helped = before ? json_is_true(before) : repair(doctor, finding->repair[i], text);
		any |= !before;
		json_object_set_new_nocheck(tried, text, json_boolean(helped));
	}
	return any;
}

/* What one repair makes possible is seen in the next round. */
static void fix(struct doctor *doctor)
{
	json_t *tried = json_object();
	bool any = true;
	int round;
	size_t i;

	for (round = 0; any && round < ROUNDS_MAX; round++) {
		any = false;
		for (i = 0; i < doctor->count; i++)
			any |= repair_all(doctor, tried, &doctor->findings[i]);
		if (any)
			examine(doctor);
	}
	if (json_object_size(tried) && !doctor->args->value[OPT_JSON])
		printf("\n");
	json_decref(tried);
}

static int exit_code(const struct doctor *doctor)
{
	enum verdict worst = VERDICT_OK;
	size_t i;

	for (i = 0; i < doctor->count; i++)
		if (doctor->findings[i].verdict > worst)
			worst = doctor->findings[i].verdict;
	if (worst == VERDICT_FAIL)
		return RC_FAILURE;
	/* What could not be looked at is not known to be well. */
	return worst >= VERDICT_UNKNOWN ? RC_WARNING : RC_OK;
}

static void begin(struct doctor *doctor)
{
	unsigned int major, minor;

	doctor->release = attr_read("%s/sys/kernel/osrelease", proc_root());
	if (!doctor->release)
		doctor->release = text_copy("unknown");
	if (sscanf(doctor->release, "%u.%u", &major, &minor) == 2)
		doctor->series = major * 1000 + minor;
	doctor->config = doctor_config_read();
}

/*
 * Can --key be read?  Said before anything else is done with it, and not repeated: it
 * may be a key, which would be for others to see among a program's arguments too.
 */
static int check_key(const struct cli_args *args)
{
	int fd = open(args->value[OPT_KEY], O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return misuse(args->title, "--key: %s; give the path of a key file", strerror(errno));
	close(fd);
	return RC_OK;
}

/** doctor_run() - farmemctl doctor */
int doctor_run(const struct cli_args *args)
{
	struct doctor doctor = { .args = args };
	int rc;

	if (args->value[OPT_KEY] && !args->value[OPT_SERVER])
		return misuse(args->title, "--key is for --server");
	/* What a keyring has of type logon no program can read, the module alone. */
	if (args->value[OPT_KEY] && !strncmp(args->value[OPT_KEY], "keyring:", strlen("keyring:")))
		return misuse(args->title, "--key: the doctor reads key files only; give the path of one");
	if (args->value[OPT_KEY] && check_key(args))
		return RC_USAGE;
	command_path();
	begin(&doctor);
	doctor.nodes = doctor_node_kind(args->value[OPT_NODE], args->value[OPT_SERVER],
					doctor_config_there(doctor.config), &doctor.guessed);
	if (!doctor.nodes) {
		rc = misuse(args->title, "--node %s: say compute, memory or both",
			    args->value[OPT_NODE]);
	} else {
		examine(&doctor);
		if (args->value[OPT_FIX])
			fix(&doctor);
		rc = print(&doctor);
		rc = rc ? rc : exit_code(&doctor);
	}
	forget(&doctor);
	doctor_config_free(doctor.config);
	free(doctor.release);
	return rc;
}

/** doctor_help() - the checks, for --help */
void doctor_help(void)
{
	size_t i;

	printf("\nChecks (c: on a compute node, m: on a memory node):\n");
	for (i = 0; i < CHECKS; i++)
		printf(" %c%c %-18s %s\n", checks[i].nodes & NODE_COMPUTE ? 'c' : ' ',
		       checks[i].nodes & NODE_MEMORY ? 'm' : ' ', checks[i].id, checks[i].title);
}
