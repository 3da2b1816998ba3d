// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-firewall.c - this node's packet filter towards RDMA's packets.
 *
 * What passes it: RoCE's packets are of UDP, to port 4791, but only soft-RoCE's go
 * through this node's network stack.  An adapter sends its own past it, InfiniBand has
 * no IP at all.  iWARP is TCP, to the server's own port.  Filters on the way between
 * the nodes can't be seen from here: server.connect tells.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "attr.h"
#include "cleanup.h"
#include "cli.h"
#include "command.h"
#include "doctor.h"
#include "nft.h"
#include "rdma-port.h"

#define ROCE_PORT	4791
#define SECONDS		15

/* Is one of the node's ports soft-RoCE, or iWARP?  Without any port both may come. */
struct kinds {
	bool none;
	bool soft;
	bool iwarp;
	char netdev[32];	/* of the first of these; "": not known */
};

static struct kinds look(void)
{
	struct kinds kinds = { 0 };
	struct rdma_port *ports;
	size_t count, i;

	ports = rdma_ports(&count);
	kinds.none = !count;
	for (i = 0; i < count; i++) {
		kinds.soft |= ports[i].soft && !ports[i].iwarp;
		kinds.iwarp |= ports[i].iwarp;
		if (ports[i].netdev && !*kinds.netdev && (ports[i].soft || ports[i].iwarp))
			snprintf(kinds.netdev, sizeof(kinds.netdev), "%s", ports[i].netdev);
	}
	rdma_ports_free(ports, count);
	return kinds;
}

/* iptables of the old kind keeps its rules where nft does not see them. */
static bool has_legacy_rules(void)
{
	CLEANUP_FREE char *four = text_format("%s/net/ip_tables_names", proc_root());
	CLEANUP_FREE char *six = text_format("%s/net/ip6_tables_names", proc_root());
	CLEANUP_FREE char *tables4 = attr_read(four);
	CLEANUP_FREE char *tables6 = attr_read(six);

	return (tables4 && *tables4) || (tables6 && *tables6);
}

/* firewalld and ufw write the rules anew: they are to be told. */
static void help(struct doctor *doctor, const struct nft_verdict *verdict,
		 const struct nft_packet *packet)
{
	CLEANUP_FREE char *port = text_format("%u", packet->port);
	CLEANUP_FREE char *add = text_format("--add-port=%u/%s", packet->port, packet->protocol);
	CLEANUP_FREE char *both = text_format("%u/%s", packet->port, packet->protocol);

	if (!strcmp(verdict->table, "firewalld") && !strcmp(packet->hook, "input")) {
		doctor_repair(doctor, "firewall-cmd", add, NULL);
		doctor_advise(doctor, "for good: firewall-cmd --permanent %s", add);
	} else if (!file_missing("/usr/sbin/ufw") && !strcmp(packet->hook, "input")) {
		doctor_repair(doctor, "ufw", "allow", both, NULL);
	} else {
		doctor_repair(doctor, "nft", "insert", "rule", verdict->family, verdict->table,
			      verdict->chain, packet->protocol, "dport", port, "accept", NULL);
		doctor_advise(doctor, "for good: the same rule in /etc/nftables.conf");
	}
}

static void say_verdict(struct doctor *doctor, const struct nft_verdict *verdict,
			const struct nft_packet *packet)
{
	bool in = !strcmp(packet->hook, "input");

	if (verdict->fate == NFT_DROP) {
		doctor_say(doctor, VERDICT_FAIL, "chain %s of table %s %s drops what %s %s port %u",
			   verdict->chain, verdict->family, verdict->table,
			   in ? "comes to" : "goes to", packet->protocol, packet->port);
		help(doctor, verdict, packet);
		return;
	}
	doctor_say(doctor, VERDICT_UNKNOWN,
		   "chain %s of table %s %s may drop what %s %s port %u: it depends on addresses, interfaces or the like",
		   verdict->chain, verdict->family, verdict->table, in ? "comes to" : "goes to",
		   packet->protocol, packet->port);
	doctor_advise(doctor, "nft list chain %s %s %s", verdict->family, verdict->table,
		      verdict->chain);
}

static void judge(struct doctor *doctor, json_t *ruleset, const char *protocol, unsigned int port)
{
	struct kinds kinds = look();
	const char *netdev = *kinds.netdev ? kinds.netdev : NULL;
	struct nft_packet in = { "input", protocol, port, netdev };
	struct nft_packet out = { "output", protocol, port, netdev };
	struct nft_verdict to = nft_judge(ruleset, &in), from = nft_judge(ruleset, &out);

	if (to.fate != NFT_ACCEPT)
		say_verdict(doctor, &to, &in);
	if (from.fate != NFT_ACCEPT)
		say_verdict(doctor, &from, &out);
	if (to.fate != NFT_ACCEPT || from.fate != NFT_ACCEPT)
		return;
	if (has_legacy_rules()) {
		doctor_say(doctor, VERDICT_UNKNOWN, "nftables accepts %s port %u; what the rules of iptables-legacy do is not known",
			   protocol, port);
		doctor_advise(doctor, "iptables-legacy -L INPUT -n; ip6tables-legacy -L INPUT -n");
	} else {
		doctor_say(doctor, VERDICT_OK, "%s port %u passes", protocol, port);
	}
}

static void ask_nft(struct doctor *doctor, const char *protocol, unsigned int port)
{
	CLEANUP_FREE char *output = NULL;
	json_t *ruleset = NULL;
	int rc;

	if (!doctor_module_loaded("nf_tables") && !has_legacy_rules()) {
		doctor_say(doctor, VERDICT_OK, "no packet filter is loaded");
		return;
	}
	rc = command_ask(&output, SECONDS, "nft", "-j", "list", "ruleset", NULL);
	if (!rc)
		ruleset = json_loads(output, 0, NULL);
	if (ruleset) {
		judge(doctor, ruleset, protocol, port);
		json_decref(ruleset);
	} else if (rc == COMMAND_MISSING) {
		doctor_say(doctor, VERDICT_UNKNOWN, "there is a packet filter, and no nft to ask about it");
		doctor_install(doctor, "nftables", "nftables");
	} else {
		doctor_say(doctor, VERDICT_UNKNOWN, "nft does not list its rules: it is root's");
		doctor_advise(doctor, "run farmemctl doctor as root");
	}
}

void check_firewall_roce(struct doctor *doctor)
{
	struct kinds kinds = look();

	if (kinds.soft || kinds.none)
		ask_nft(doctor, "udp", ROCE_PORT);
	else
		doctor_say(doctor, VERDICT_OK, "no soft-RoCE: an adapter's packets do not pass this node's filter");
}

/* Of the server that is asked for, else of the farmemd of this node. */
static unsigned int server_port(const struct doctor *doctor)
{
	const char *server = doctor->args->value[OPT_SERVER];
	const char *colon = server ? strrchr(server, ':') : NULL;
	unsigned int port = 0;

	if (colon && (colon == strchr(server, ':') || colon[-1] == ']'))
		port = strtoul(colon + 1, NULL, 10);
	return port ? port : doctor->config->port;
}

void check_firewall_port(struct doctor *doctor)
{
	unsigned int port = server_port(doctor);

	if (look().iwarp)
		ask_nft(doctor, "tcp", port);
	else
		doctor_say(doctor, VERDICT_OK,
			   "port %u is inside RDMA's own packets, where no filter of IP looks",
			   port);
}
