// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-firewall.c - this node's packet filter and RDMA's packets.
 *
 * What passes it: RoCE's packets are of UDP, to port 4791, but only soft-RoCE's go
 * through this node's network stack.  An adapter sends its own past it, InfiniBand has
 * no IP at all.  iWARP is TCP, to the server's own port.
 *
 * What a filter does with a packet is not told from its rules: the visit to the server
 * sends one.  Where it is not answered, or nobody asked for a visit, the text of the rules
 * is searched for what drops all that is not named.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "checks.h"
#include "cli.h"
#include "command.h"
#include "doctor-config.h"
#include "doctor-fabric.h"
#include "doctor-node.h"
#include "farmem-proto.h"
#include "finding.h"
#include "rdma-port.h"

#define ROCE_PORT	4791
#define NFT_SECONDS	15

/* Is one of the node's ports soft-RoCE, or iWARP?  Without any port both may come. */
struct kinds {
	bool none;
	bool soft;
	bool iwarp;
};

/**
 * struct search - the text of the rules, line by line
 * @protocol: of the packets
 * @port: theirs
 * @name: both for people, "UDP port 4791"
 * @family: of the table that the line is in
 * @table: its name
 * @chain: that the line is in
 * @aside: this node's own packets do not come by the chain
 * @there: some chain is on their way
 * @named: a rule names @port
 * @refused: and drops or rejects
 * @dropped: something drops what no rule names
 * @rule: a command that lets them pass where the first such was seen, to free
 */
struct search {
	const char *protocol;
	unsigned int port;
	char name[24];
	char family[16];
	char table[128];
	char chain[128];
	bool aside;
	bool there;
	bool named;
	bool refused;
	bool dropped;
	char *rule;
};

static struct kinds look(void)
{
	struct kinds kinds = { 0 };
	size_t count, i;
	struct rdma_port *ports = rdma_ports(&count);

	kinds.none = !count;
	for (i = 0; i < count; i++) {
		kinds.soft |= ports[i].soft && !ports[i].iwarp;
		kinds.iwarp |= ports[i].iwarp;
	}
	rdma_ports_free(ports, count);
	return kinds;
}

/* The tools that write all their rules anew are seen by their names for tables and chains. */
static char *rule_for(const struct search *search, const char *rules)
{
	const char *protocol = search->protocol;
	unsigned int port = search->port;

	if (strstr(rules, "firewalld {") || strstr(rules, "INPUT_ZONES"))
		return text_format("firewall-cmd --add-port=%u/%s", port, protocol);
	if (strstr(rules, "chain ufw-user-input {"))
		return text_format("ufw allow %u/%s", port, protocol);
	if (isupper((unsigned char)*search->chain))
		return text_format("%s -I %s -p %s --dport %u -j ACCEPT",
				   strcmp(search->family, "ip6") ? "iptables" : "ip6tables",
				   strcmp(search->chain, "OUTPUT") ? "INPUT" : "OUTPUT",
				   protocol, port);
	return text_format("nft insert rule %s %s %s %s dport %u accept", search->family,
			   search->table, search->chain, protocol, port);
}

static bool names_port(const char *line, unsigned int port)
{
	CLEANUP_FREE char *number = text_format("%u", port);
	size_t length = strlen(number);
	const char *at;

	for (at = line; (at = strstr(at, number)); at += length)
		if ((at == line || !isdigit((unsigned char)at[-1])) &&
		    !isdigit((unsigned char)at[length]))
			return true;
	return false;
}

static void search_rule(struct search *search, const char *line, const char *rules)
{
	bool named = names_port(line, search->port);
	bool refused = named && (strstr(line, "drop") || strstr(line, "reject"));

	if (!strncmp(line, "counter ", strlen("counter ")))
		line += strlen("counter ");
	search->named |= named;
	search->refused |= refused;
	/* A verdict alone, without a condition, meets all that came so far. */
	if (!strncmp(line, "drop", strlen("drop")) || !strncmp(line, "reject", strlen("reject")))
		search->dropped = true;
	else if (!refused)
		return;
	if (!search->rule)
		search->rule = rule_for(search, rules);
}

static void search_line(struct search *search, const char *line, const char *rules)
{
	char hook[16];

	line += strspn(line, "\t ");
	if (sscanf(line, "table %15s %127s {", search->family, search->table) == 2 ||
	    sscanf(line, "chain %127s {", search->chain) == 1) {
		search->aside = false;
	} else if (sscanf(line, "type %*s hook %15s", hook) == 1) {
		search->aside = strcmp(hook, "input") && strcmp(hook, "output");
		search->there |= !search->aside;
		if (!search->aside && strstr(line, "policy drop")) {
			search->dropped = true;
			if (!search->rule)
				search->rule = rule_for(search, rules);
		}
	} else if (!search->aside) {
		search_rule(search, line, rules);
	}
}

/* Without nf_tables nft is not asked, which would load it. */
static int search_rules(struct doctor *doctor, struct search *search)
{
	CLEANUP_FREE char *rules = NULL;
	CLEANUP_FREE char *lines = NULL;
	char *rest, *line;
	int rc;

	if (!doctor_module_loaded("nf_tables") && !doctor_module_builtin(doctor, "nf_tables"))
		return 0;
	rc = command_ask(&rules, NFT_SECONDS, "nft", "-s", "list", "ruleset", NULL);
	lines = rest = text_copy(rules);
	while (!rc && (line = strsep(&rest, "\n")))
		search_line(search, line, rules);
	return rc;
}

static void say_unread(struct doctor *doctor, int rc)
{
	if (rc == COMMAND_MISSING) {
		doctor_say(doctor, VERDICT_UNKNOWN, "there is a packet filter, and no nft to ask about it");
		doctor_install(doctor, "nftables", "nftables");
	} else {
		doctor_say(doctor, VERDICT_UNKNOWN, "nft does not list its rules: it is root's");
		doctor_advise(doctor, "run farmemctl doctor as root");
	}
}

static void say_dropped(struct doctor *doctor, const struct search *search, bool silent)
{
	doctor_say(doctor, silent ? VERDICT_FAIL : VERDICT_UNKNOWN, "%sthis node's filter %s %s",
		   silent ? "blocked on the way: the server does not answer, and " : "",
		   search->refused ? "has a rule against" : "drops by default and names no",
		   search->name);
	doctor_advise(doctor, "nft list ruleset");
	doctor_advise(doctor, "%s    (would let it in; how to keep it: docs/fabric.md)", search->rule);
	if (!silent)
		doctor_advise(doctor, "farmemctl doctor --server ADDR    (on the compute node: it sends packets, and so knows)");
}

static void say_found(struct doctor *doctor, const struct search *search, bool silent)
{
	bool legacy = doctor_module_loaded("iptable_filter") ||
		      doctor_module_loaded("ip6table_filter");

	if (search->refused || (search->dropped && !search->named)) {
		say_dropped(doctor, search, silent);
	} else if (search->dropped && silent) {
		doctor_say(doctor, VERDICT_UNKNOWN, "this node's filter drops by default: does what it says of %s let it pass?",
			   search->name);
		doctor_advise(doctor, "nft list ruleset");
	} else if (legacy) {
		doctor_say(doctor, VERDICT_UNKNOWN, "there may be rules of iptables-legacy, which nft does not list");
		doctor_advise(doctor, "iptables-legacy -S; ip6tables-legacy -S    (is %s accepted?)",
			      search->name);
	} else if (!search->there) {
		doctor_say(doctor, VERDICT_OK, "no packet filter is loaded");
	} else {
		doctor_say(doctor, VERDICT_OK, "this node's filter %s %s", search->named ?
			   "names" : "does not drop by default what comes to", search->name);
	}
}

static void ask(struct doctor *doctor, const char *protocol, unsigned int port)
{
	struct search search = { .protocol = protocol, .port = port };
	enum fabric_contact contact = doctor_fabric_contact(doctor);
	int rc;

	snprintf(search.name, sizeof(search.name), "%s port %u",
		 strcmp(protocol, "udp") ? "TCP" : "UDP", port);
	if (contact == FABRIC_ANSWERED) {
		doctor_say(doctor, VERDICT_OK, "%s passes: the server answers", search.name);
		return;
	}
	rc = search_rules(doctor, &search);
	if (rc)
		say_unread(doctor, rc);
	else
		say_found(doctor, &search, contact == FABRIC_SILENT);
	free(search.rule);
}

void check_firewall_roce(struct doctor *doctor)
{
	struct kinds kinds = look();

	if (kinds.soft || kinds.none)
		ask(doctor, "udp", ROCE_PORT);
	else
		doctor_say(doctor, VERDICT_OK, "no soft-RoCE: an adapter's packets do not pass this node's filter");
}

/* Of the server that is asked for, else of the farmemd of this node. */
static unsigned int server_port(const struct doctor *doctor)
{
	const char *server = doctor->args->value[OPT_SERVER];
	const char *colon;
	unsigned int port = 0;

	if (!server)
		return doctor->config->port;
	colon = strrchr(server, ':');
	if (colon && (colon == strchr(server, ':') || colon[-1] == ']'))
		port = strtoul(colon + 1, NULL, 10);
	return port ? port : FARMEM_DEFAULT_PORT;
}

void check_firewall_port(struct doctor *doctor)
{
	unsigned int port = server_port(doctor);

	if (look().iwarp)
		ask(doctor, "tcp", port);
	else
		doctor_say(doctor, VERDICT_OK,
			   "port %u is inside RDMA's own packets, where no filter of IP looks",
			   port);
}
