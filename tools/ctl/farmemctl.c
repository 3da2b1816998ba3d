// SPDX-License-Identifier: GPL-2.0
/*
 * farmemctl - the command line of farmem, on the compute node and on the
 * memory node.  This file is the map: every command, and where it lives.
 */
#include "cli.h"
#include "commands.h"
#include "../doctor/doctor.h"
#include "../group/group.h"
#include "flush.h"

/* The first command is what the bare tool does, the first of an object the bare object. */
static const struct cli_command tree[] = {
	{
		.object = "status",
		.summary = "show the volumes and the server of this node (the default)",
		.note = "On a node with both, --json and --noheadings print the volumes alone. --output chooses\n"
			"columns of the volumes. On a memory node without the module the server is shown.",
		.options = OPTIONS_TABLE | OPTION(CONTROL), .table = &volume_table, .run = status_run,
	}, {
		.object = "ls",
		.summary = "list the volumes of this node (short for volume list)",
		.options = OPTIONS_TABLE, .table = &volume_table, .run = volume_list,
	}, {
		.object = "volume", .verb = "list",
		.summary = "list the volumes of this node",
		.options = OPTIONS_TABLE, .table = &volume_table, .run = volume_list,
	}, {
		.object = "volume", .verb = "show", .argument = "[NAME]",
		.summary = "show the details of one volume, or of the only one",
		.options = OPTIONS_TABLE, .table = &volume_table, .vertical = true,
		.run = volume_show,
	}, {
		.object = "volume", .verb = "create", .argument = "NAME",
		.summary = "make a volume and its block device",
		.note = "Give either --server or --session. With --server the command makes a session if there\n"
			"is none. If a step fails, the command takes back all that it made. With --if-absent a\n"
			"volume that exists must have what the options ask for; one that is off is switched on.",
		.options = OPTION(SIZE) | OPTIONS_CONNECT | OPTION(SESSION) |
			   OPTION(UUID) | OPTION(SYNC) | OPTION(CHECKSUM) | OPTION(IO_DEADLINE) |
			   OPTION(PARTNER) | OPTION(IF_ABSENT) | OPTION(JSON),
		.required = OPTION(SIZE), .table = &volume_table, .run = volume_create,
	}, {
		.object = "volume", .verb = "set", .argument = "NAME",
		.summary = "change settings of a volume, also while it is used",
		.note = "To name a partner, even the one that it has, is to say that both volumes hold the same\n"
			"bytes: the volume is not stale any more. --partner '' ends the pair.",
		.options = OPTION(IO_DEADLINE) | OPTION(PARTNER), .run = volume_set,
	}, {
		.object = "volume", .verb = "delete", .argument = "NAME",
		.summary = "remove a volume, and its data unless --keep is given",
		.options = OPTION(KEEP) | OPTION(FAIL_IO), .run = volume_delete,
	}, {
		.object = "wait", .argument = "[NAME]",
		.summary = "wait until a volume is live, or in the state that is given",
		.note = "A volume that does not exist yet is waited for, and so is the module. Without NAME\n"
			"it is the only volume that there is.",
		.options = OPTION(STATE) | OPTION(TIMEOUT) | OPTION(JSON),
		.table = &volume_table, .run = wait_run,
	}, {
		.object = "session", .verb = "list",
		.summary = "list the sessions of this node",
		.options = OPTIONS_TABLE, .table = &session_table, .run = session_list,
	}, {
		.object = "session", .verb = "show", .argument = "NAME",
		.summary = "show the details of one session",
		.options = OPTIONS_TABLE, .table = &session_table, .vertical = true,
		.run = session_show,
	}, {
		.object = "session", .verb = "create", .argument = "NAME",
		.summary = "connect to a memory server",
		.options = OPTIONS_CONNECT | OPTION(IF_ABSENT) | OPTION(JSON), .required = OPTION(SERVER),
		.table = &session_table, .run = session_create,
	}, {
		.object = "session", .verb = "delete", .argument = "NAME",
		.summary = "disconnect from a memory server",
		.run = session_delete,
	}, {
		.object = "group", .verb = "list",
		.summary = "list the groups of this node",
		.options = OPTIONS_TABLE, .table = &group_table, .run = group_list,
	}, {
		.object = "group", .verb = "show", .argument = "[NAME]",
		.summary = "show the details of one group, or of the only one",
		.options = OPTIONS_TABLE, .table = &group_table, .vertical = true, .run = group_show,
	}, {
		.object = "group", .verb = "chunks", .argument = "[NAME]",
		.summary = "list the volumes that a group is made of, and where they lie",
		.options = OPTIONS_TABLE, .table = &chunk_table, .run = group_chunks,
	}, {
		.object = "group", .verb = "create", .argument = "NAME",
		.summary = "make one block device over several memory servers",
		.note = "Copies lie on different servers, and in different failure domains. Without @DOMAIN each\n"
			"host is one. Without --server they are found in the cluster's directory. mdadm and LVM do\n"
			"the work: --dry-run prints their commands.",
		.options = OPTION(SIZE) | OPTION(LENDER) | OPTION(CHUNK) | OPTION(COPIES) | OPTION(CLIENT) |
			   OPTION(KEY) | OPTION(SOURCE) | OPTION(QUEUES) | OPTION(HEARTBEAT) |
			   OPTION(PEER_TIMEOUT) | OPTION(CHECKSUM) | OPTION(CONFIG) | OPTION(DRY_RUN) | OPTION(JSON),
		.required = OPTION(SIZE), .table = &group_table, .run = group_create,
	}, {
		.object = "group", .verb = "start", .argument = "NAME",
		.summary = "make a group's device again, after a reboot of this node or group stop",
		.note = "Chunks that may lack bytes are left out, and servers that may hold newer ones are waited\n"
			"for. With --force it starts with the newest that is there.",
		.options = OPTION(WAIT) | OPTION(FORCE) | OPTION(JSON), .table = &group_table, .run = group_start,
	}, {
		.object = "group", .verb = "stop", .argument = "NAME",
		.summary = "remove a group's device; its bytes stay on the servers",
		.options = OPTION(FORCE) | OPTION(DRY_RUN), .run = group_stop,
	}, {
		.object = "group", .verb = "grow", .argument = "NAME",
		.summary = "make a group's device larger while it is in use",
		.note = "A file system on it grows by its own command; swap is made anew. If its servers were\n"
			"found in the cluster's directory, more are found there.",
		.options = OPTION(SIZE) | OPTION(LENDER) | OPTION(CONFIG) | OPTION(DRY_RUN) | OPTION(JSON),
		.required = OPTION(SIZE), .table = &group_table, .run = group_grow,
	}, {
		.object = "group", .verb = "move", .argument = "NAME",
		.summary = "move a group's chunks from one server to others while they are in use",
		.note = "If servers of the group were found in the cluster's directory, and none of them has room,\n"
			"more are found there, as /etc/farmem/agent.conf says. Not so with --server.",
		.options = OPTION(FROM) | OPTION(WANTED) | OPTION(TO) | OPTION(LENDER) | OPTION(DRY_RUN) | OPTION(JSON),
		.table = &group_table, .run = group_move,
	}, {
		.object = "group", .verb = "drain", .argument = "SERVER",
		.summary = "move the chunks of all groups away from a server, which gets none any more",
		.note = "Where they go is as for move.",
		.options = OPTION(DRY_RUN), .run = group_drain,
	}, {
		.object = "group", .verb = "repair", .argument = "NAME",
		.summary = "make copies that are missing, and finish what an ended command left",
		.note = "A chunk whose server is back with its memory is taken back, and gets what was written\n"
			"meanwhile. Otherwise a new chunk on another server takes its place, found as for move.",
		.options = OPTION(DRY_RUN) | OPTION(JSON), .table = &group_table, .run = group_repair,
	}, {
		.object = "group", .verb = "watch",
		.summary = "repair groups by itself when a server is lost, as long as there are any",
		.note = "A server that is back in that time gets what was written meanwhile. A repair that lacks a\n"
			"server is tried again.",
		.options = OPTION(DELAY), .run = group_watch,
	}, {
		.object = "group", .verb = "scrub", .argument = "NAME",
		.summary = "compare a group's copies, and mend what a server can't read",
		.options = OPTION(DRY_RUN) | OPTION(JSON), .table = &group_table, .run = group_scrub,
	}, {
		.object = "group", .verb = "delete", .argument = "NAME",
		.summary = "remove a group and its data",
		.options = OPTION(DRY_RUN), .run = group_delete,
	}, {
		.object = "key", .verb = "generate", .argument = "NAME",
		.summary = "print a new random key for a client, as the line for its key file",
		.note = "For example, on the compute node and as root:\n"
			"  (umask 077; farmemctl key generate node1 >/etc/farmem/key)\n"
			"Keep the key on this node and give its file to --key. To make the line for a server\n"
		  "from it, run farmemctl key derive.",
		.run = key_generate,
	}, {
		.object = "key", .verb = "derive", .argument = "NAME",
		.summary = "print a client's key for one server, as the line for that server's file of keys",
		.note = "For example, on the compute node and as root:\n"
			"  farmemctl key derive node1 --key /etc/farmem/key --uuid UUID\n"
			"Put the line into that server's file of keys; no other server accepts it.",
		.options = OPTION(KEY_FILE) | OPTION(SERVER_UUID),
		.required = OPTION(KEY_FILE) | OPTION(SERVER_UUID), .run = key_derive,
	}, {
		.object = "apply", .argument = "[VOLUME]",
		.summary = "make the volumes that files in /etc/farmem/volumes.d describe",
		.note = "A volume that is there, and is what its file says, stays as it is. Swap that holds\n"
			"nothing yet is formatted; its unit of systemd switches it on.",
		.options = OPTION(DRY_RUN) | OPTION(UNDO), .run = apply_run,
	}, {
		.object = "save", .argument = "NAME",
		.summary = "write the file that describes a volume or a group, in /etc/farmem/volumes.d",
		.run = save_run,
	}, {
		.object = "stats", .argument = "[VOLUME]",
		.summary = "show the counters of the volumes",
		.note = "With --interval the first report counts from the start of the volume, and each\n"
			"later one from the report before. JSON always has totals.",
		.options = OPTIONS_TABLE | OPTION(INTERVAL) | OPTION(COUNT) | OPTION(LATENCY),
		.table = &stats_table, .latency_table = &latency_table,
		.run = stats_run,
	}, {
		.object = "top", .argument = "[NAME...]",
		.summary = "show what groups, volumes, sessions and clients do, until interrupted",
		.note = "NAME is that of a group or a volume. A report covers the --interval before it, 2 seconds\n"
			"unless given. Into a file or a pipe one goes behind the other, without the columns'\n"
			"names from the second on; with --json each is a line.",
		.options = OPTIONS_TABLE | OPTION(INTERVAL) | OPTION(COUNT) | OPTION(CONTROL),
		.table = &top_table, .run = top_run,
	}, {
		.object = "metrics",
		.summary = "print metrics of this node in the text format of Prometheus",
		.note = "Of the module if it is loaded, of groups, and of farmemd if its control socket is there.\n"
			"farmem-metrics.timer writes them for node_exporter.",
		.options = OPTION(CONTROL), .run = metrics_run,
	}, {
		.object = "doctor",
		.summary = "examine this node, and the way to a server",
		.note = "The doctor looks, and changes nothing without --fix. With --server it tries each step\n"
			"to that server, up to a READ and a WRITE of bytes that no client uses. Give the\n"
			"--client and --key that this node will use. Exit code: 0 all is well, 1 something\n"
			"fails, 3 something could be better.",
		.options = OPTIONS_TABLE | OPTION(SERVER) | OPTION(CLIENT) | OPTION(KEY) |
			   OPTION(SOURCE) | OPTION(CONTROL) | OPTION(NODE) | OPTION(FIX),
		.table = &doctor_table, .help = doctor_help, .run = doctor_run,
	}, {
		.object = "monitor",
		.summary = "print state changes as they happen, until interrupted or the module is removed",
		.note = "With --run each program in DIR runs for each change, one after the other, 30 seconds at\n"
			"most. The environment tells it the change: FARMEM_OBJECT (session or volume),\n"
			"FARMEM_NAME, FARMEM_OLD (empty if unknown), FARMEM_NEW and FARMEM_TIME.",
		.options = OPTION(RUN) | OPTION(JSON), .run = monitor_run,
	}, {
		.object = "server", .verb = "show",
		.summary = "show the memory server of this node",
		.options = OPTIONS_TABLE | OPTION(CONTROL),
		.table = &server_table, .vertical = true, .run = server_show,
	}, {
		.object = "server", .verb = "list",
		.summary = "list what the memory server of this node has lent",
		.options = OPTIONS_TABLE | OPTION(CONTROL), .table = &loan_table,
		.run = server_list,
	}, {
		.object = "server", .verb = "release",
		.summary = "take memory back from a client, and delete its data",
		.options = OPTION(HOLDER) | OPTION(VOLUME) | OPTION(FORCE) | OPTION(CONTROL) |
			   OPTION(JSON),
		.required = OPTION(HOLDER), .run = server_release,
	}, {
		.object = "server", .verb = "disconnect",
		.summary = "end the session of a client; its data is kept",
		.note = "The client connects again at once. To keep it out, first remove its key from\n"
			"farmemd's file of keys, and run farmemctl server reload.",
		.options = OPTION(HOLDER) | OPTION(CONTROL) | OPTION(JSON),
		.required = OPTION(HOLDER), .run = server_disconnect,
	}, {
		.object = "server", .verb = "cordon",
		.summary = "lend nothing more; what is lent stays",
		.note = "Volumes that clients have go on, and their clients may come back to them.",
		.options = OPTION(CONTROL) | OPTION(JSON), .run = server_cordon,
	}, {
		.object = "server", .verb = "uncordon",
		.summary = "lend again",
		.options = OPTION(CONTROL) | OPTION(JSON), .run = server_uncordon,
	}, {
		.object = "server", .verb = "drain",
		.summary = "ask clients for all that they have, and wait until it is safe to stop",
		.note = "farmemctl group watch on their nodes moves the chunks of groups; other volumes are moved by\n"
			"hand. It waits as long as that takes, or --timeout says. Until farmemctl server uncordon\n"
			"the server lends nothing more, and goes on asking.",
		.options = OPTION(CONTROL) | OPTION(WAIT) | OPTION(JSON), .run = server_drain,
	}, {
		.object = "server", .verb = "reload",
		.summary = "have the memory server of this node read its file of keys again",
		.options = OPTION(CONTROL), .run = server_reload,
	}, {
		.object = "server", .verb = "stop",
		.summary = "stop the memory server of this node, unless data would be lost",
		.options = OPTION(FORCE) | OPTION(CONTROL) | OPTION(JSON), .run = server_stop,
	}, {
		.object = "cluster", .verb = "status",
		.summary = "show what a cluster has, by its directory",
		.note = "etcd keeps the directory. farmem-agent on each node writes it, and reads it for this command.",
		.options = OPTIONS_TABLE | OPTION(CONFIG), .table = &cluster_status_table, .vertical = true,
		.run = cluster_status,
	}, {
		.object = "cluster", .verb = "servers",
		.summary = "list the servers that the cluster's directory knows",
		.options = OPTIONS_TABLE | OPTION(CONFIG), .table = &cluster_servers_table, .run = cluster_servers,
	}, {
		.object = "cluster", .verb = "groups",
		.summary = "list the groups that the cluster's directory knows",
		.note = "Those of nodes whose /etc/farmem/agent.conf has node = NAME.",
		.options = OPTIONS_TABLE | OPTION(CONFIG), .table = &cluster_groups_table, .run = cluster_groups,
	},
};

int main(int argc, char **argv)
{
	return flush_output(cli_main(tree, sizeof(tree) / sizeof(tree[0]), argc, argv));
}
