// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-firewall.c - this node's packet filter and RDMA's packets.
 *
 * RoCE is UDP to port 4791, and soft-RoCE's packets alone pass this node's network stack.
 * An adapter sends its own past it, and InfiniBand has no IP.  iWARP is TCP to the
 * server's own port.
 *
 * Rules are not interpreted: the visit to the server sends packets.  When they are not
 * answered, or there was no visit, the text of the rules is searched for what drops.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "doctor.h"
#include "parse.h"

#define ROCE_PORT	4791
#define NFT_SECONDS	15

/* What the text of the rules, read line by line, says of a port. */
struct search {
	char name[24];		/* "UDP port 4791" */
	unsigned int port;
	char table[144], chain[128];	/* "inet filter ", "input" */
	bool passed;		/* this node's own packets pass this chain */
	bool there;		/* such a chain was seen */
	bool named;		/* a rule names the port */
	bool refused;		/* and drops or rejects */
	bool dropped;		/* something drops what no rule names */
	char place[280];	/* the first chain that drops or refuses */
};

static bool names_port(const char *line, unsigned int port)
{
	char *end;

	for (; (line = strpbrk(line, "0123456789")); line = end)
		if (strtoull(line, &end, 10) == port)
			return true;
	return false;
}

/* A verdict that begins a rule has no condition: it meets all packets that come so far. */
static void search_rule(struct search *search, const char *line)
{
	bool named = names_port(line, search->port);

	line += strncmp(line, "counter ", 8) ? 0 : 8;
	search->named |= named;
	search->refused |= named && (strstr(line, "drop") || strstr(line, "reject"));
	search->dropped |= !strncmp(line, "drop", 4) || !strncmp(line, "reject", 6);
}

static void search_line(struct search *search, const char *line)
{
	char hook[16];

	line += strspn(line, "\t ");
	if (sscanf(line, "table %143[^{]", search->table) == 1 ||
	    sscanf(line, "chain %127s {", search->chain) == 1) {
		search->passed = true;
	} else if (sscanf(line, "type %*s hook %15s", hook) == 1) {
		search->passed = !strcmp(hook, "input") || !strcmp(hook, "output");
		search->there |= search->passed;
		search->dropped |= search->passed && strstr(line, "policy drop");
	} else if (search->passed) {
		search_rule(search, line);
	}
	if (!*search->place && (search->refused || search->dropped))
		snprintf(search->place, sizeof(search->place), "%s%s", search->table, search->chain);
}

/* Without nf_tables nft is not asked: it would load the module.  The shell joins its outputs. */
static bool search_rules(struct doctor *doctor, struct search *search)
{
	CLEANUP_FREE char *rules = NULL;
	char *line;
	int rc;

	if (!doctor_module_loaded("nf_tables") && !doctor_module_builtin(doctor, "nf_tables"))
		return true;
	rc = command_ask(&rules, NFT_SECONDS, "sh", "-c", "exec nft -s list ruleset 2>&1", NULL);
	for (line = rc ? NULL : strtok(rules, "\n"); line; line = strtok(NULL, "\n"))
		search_line(search, line);
	if (rc == COMMAND_MISSING) {
		doctor_say(doctor, VERDICT_UNKNOWN, "this node has a packet filter, but no nft, which lists the filter's rules");
		doctor_install(doctor, "nftables", "nftables");
	} else if (rc) {
		bool root = strstr(rules, strerror(EPERM));
		const char *why = root ? "only root may see them" : rc == COMMAND_TIMEOUT ?
				  "it takes too long" : *rules ? rules : "it does not say why";

		doctor_say(doctor, VERDICT_UNKNOWN, "nft does not list its rules: %.*s",
			   (int)strcspn(why, "\n"), why);
		doctor_advise(doctor, root ? "run farmemctl doctor as root" : "nft -s list ruleset");
	}
	return !rc;
}

/* @silent: packets were sent, and the server answered none. */
static void say_found(struct doctor *doctor, const struct search *search, bool silent)
{
	if (search->refused || (search->dropped && !search->named)) {
		doctor_say(doctor, silent ? VERDICT_FAIL : VERDICT_UNKNOWN, "%sthis node's filter %s %s",
			   silent ? "blocked on the way: the server does not answer, and " : "",
			   search->refused ? "has a rule against" : "drops by default and names no",
			   search->name);
		doctor_advise(doctor, "nft list ruleset");
		doctor_advise(doctor, "nft insert rule %s %s dport %u accept    (lets the packets pass; docs/fabric.md: other tools, and how to keep the rule)",
			      search->place, *search->name == 'U' ? "udp" : "tcp", search->port);
		if (!silent)
			doctor_advise(doctor, "farmemctl doctor --server ADDR    (on the compute node: it sends packets, which show what the filter does)");
	} else if (search->dropped && silent) {
		doctor_say(doctor, VERDICT_UNKNOWN, "this node's filter drops by default: do the rules that name %s let it pass?",
			   search->name);
		doctor_advise(doctor, "nft list ruleset");
	} else if (doctor_module_loaded("iptable_filter") || doctor_module_loaded("ip6table_filter")) {
		doctor_say(doctor, VERDICT_UNKNOWN, "iptables-legacy may have rules, which nft does not list");
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
	struct search search = { .port = port };

	snprintf(search.name, sizeof(search.name), "%s port %u", protocol, port);
	if (doctor_fabric_contact(doctor) == FABRIC_ANSWERED)
		doctor_say(doctor, VERDICT_OK, "%s passes: the server answers", search.name);
	else if (search_rules(doctor, &search))
		say_found(doctor, &search, doctor_fabric_contact(doctor) == FABRIC_SILENT);
}

/* Do a port's packets pass the network stack?  Without any port it may still get one. */
static bool has_port(const struct doctor *doctor, bool iwarp)
{
	size_t i;

	for (i = 0; i < doctor->port_count; i++)
		if (doctor->ports[i].iwarp == iwarp && (iwarp || doctor->ports[i].soft))
			return true;
	return !doctor->port_count && !iwarp;
}

void check_firewall_roce(struct doctor *doctor)
{
	if (has_port(doctor, false))
		ask(doctor, "UDP", ROCE_PORT);
	else
		doctor_say(doctor, VERDICT_OK, "no soft-RoCE: this node's filter does not see the packets of an adapter");
}

/* Of the server that is asked for, else of the farmemd of this node. */
void check_firewall_port(struct doctor *doctor)
{
	const char *server = doctor->args->value[OPT_SERVER];
	CLEANUP_FREE char *copy = text_copy(server ? server : "");
	uint64_t port = server ? FARMEM_DEFAULT_PORT : doctor->config->port;
	char *host, *digits;

	if (!split_address(copy, &host, &digits) && digits)
		parse_number(digits, 1, UINT16_MAX, &port);
	if (has_port(doctor, true))
		ask(doctor, "TCP", port);
	else
		doctor_say(doctor, VERDICT_OK, "port %u stands inside RDMA's own packets, where no IP filter looks",
			   (unsigned int)port);
}
