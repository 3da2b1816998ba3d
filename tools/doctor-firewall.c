// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-firewall.c - this node's packet filter towards RDMA's packets.
 *
 * What passes it: RoCE's packets are of UDP, to port 4791, but only soft-RoCE's go
 * through this node's network stack.  An adapter sends its own past it, InfiniBand has
 * no IP at all.  iWARP is TCP, to the server's own port.  Filters on the way between
 * the nodes can't be seen from here: server.connect tells.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "attr.h"
#include "cleanup.h"
#include "cli.h"
#include "doctor.h"
#include "doctor-fabric.h"
#include "farmem-proto.h"
#include "firewall.h"
#include "firewall-fix.h"
#include "nft.h"
#include "rdma-port.h"

#define ROCE_PORT	4791
#define GIDS		16	/* of a port, that are looked at */

/* Is one of the node's ports soft-RoCE, or iWARP?  Without any port both may come. */
struct kinds {
	bool none;
	bool soft;
	bool iwarp;
	bool version[2];	/* one of these has an address of IPv4, of IPv6 */
	char netdev[32];	/* of these; "": not known, or they have several */
};

/* What is asked about. */
struct question {
	const char *protocol;
	unsigned int port;
	struct kinds kinds;
	const char *peer;	/* the server's address; NULL: not known */
	bool asked[2];		/* of IPv4, of IPv6: RDMA may use it */
	bool said;		/* something was found */
};

/* Nobody gives a route to a link-local address: it says nothing of what is used. */
static void note_addresses(struct kinds *kinds, const struct rdma_port *port)
{
	struct in6_addr gid;
	int i;

	for (i = 0; i < GIDS; i++) {
		CLEANUP_FREE char *name = text_format("gids/%d", i);
		CLEANUP_FREE char *text = rdma_port_attr(port, name);

		if (!text || inet_pton(AF_INET6, text, &gid) != 1 ||
		    IN6_IS_ADDR_UNSPECIFIED(&gid) || IN6_IS_ADDR_LINKLOCAL(&gid))
			continue;
		kinds->version[!IN6_IS_ADDR_V4MAPPED(&gid)] = true;
	}
}

static struct kinds look(void)
{
	struct kinds kinds = { 0 };
	struct rdma_port *ports;
	bool several = false;
	size_t count, i;

	ports = rdma_ports(&count);
	kinds.none = !count;
	for (i = 0; i < count; i++) {
		kinds.soft |= ports[i].soft && !ports[i].iwarp;
		kinds.iwarp |= ports[i].iwarp;
		if (ports[i].soft && !ports[i].iwarp)
			note_addresses(&kinds, &ports[i]);
		if (!ports[i].netdev || !(ports[i].soft || ports[i].iwarp))
			continue;
		several |= *kinds.netdev && strcmp(kinds.netdev, ports[i].netdev);
		snprintf(kinds.netdev, sizeof(kinds.netdev), "%s", ports[i].netdev);
	}
	if (several)
		*kinds.netdev = '\0';
	rdma_ports_free(ports, count);
	return kinds;
}

/* What a finding says of the place: "chain input of table inet filter". */
static char *place(const struct nft_verdict *verdict, bool legacy)
{
	return text_format("chain %s of table %s %s%s", verdict->chain, verdict->family,
			   verdict->table, legacy ? " of iptables-legacy" : "");
}

/* @only: packets of the other IP version pass, and which of them the server has is not known. */
static void say_verdict(struct doctor *doctor, json_t *ruleset, bool legacy, bool only,
			const struct nft_verdict *verdict, const struct nft_packet *packet)
{
	const char *way = strcmp(packet->hook, "input") ? "goes to" : "comes to";
	const char *version = !only ? "" : packet->ipv6 ? " by IPv6" : " by IPv4";
	CLEANUP_FREE char *where = place(verdict, legacy);

	if (verdict->fate == NFT_DROP) {
		doctor_say(doctor, only ? VERDICT_WARN : VERDICT_FAIL, "%s drops what %s %s port %u%s",
			   where, way, packet->protocol, packet->port, version);
		firewall_fix(doctor, ruleset, legacy, verdict, packet);
		return;
	}
	doctor_say(doctor, VERDICT_UNKNOWN,
		   "%s may drop what %s %s port %u%s: it depends on addresses, interfaces or the like",
		   where, way, packet->protocol, packet->port, version);
	if (legacy)
		doctor_advise(doctor, "%s-legacy -t %s -S", packet->ipv6 ? "ip6tables" : "iptables",
			      verdict->table);
	else
		doctor_advise(doctor, "nft list chain %s %s %s", verdict->family, verdict->table,
			      verdict->chain);
}

static bool same_place(const struct nft_verdict *a, const struct nft_verdict *b)
{
	return a->fate == b->fate && a->fate != NFT_ACCEPT && !strcmp(a->family, b->family) &&
	       !strcmp(a->table, b->table) && !strcmp(a->chain, b->chain);
}

/* What becomes of the packets of one direction, of each IP version that RDMA may use. */
static void judge_way(struct doctor *doctor, struct question *question, json_t *ruleset,
		      bool legacy, const char *hook)
{
	const char *netdev = *question->kinds.netdev ? question->kinds.netdev : NULL;
	struct nft_verdict verdict[2] = { { .fate = NFT_ACCEPT }, { .fate = NFT_ACCEPT } };
	struct nft_packet packet[2];
	bool both = question->asked[0] && question->asked[1];
	int i;

	for (i = 0; i < 2; i++) {
		packet[i] = (struct nft_packet){ hook, question->protocol, question->port, netdev,
						 i == 1, question->peer };
		if (question->asked[i])
			verdict[i] = nft_judge(ruleset, &packet[i]);
	}
	for (i = 0; i < 2; i++) {
		if (verdict[i].fate == NFT_ACCEPT || (i && same_place(&verdict[0], &verdict[1])))
			continue;
		say_verdict(doctor, ruleset, legacy,
			    both && verdict[0].fate != verdict[1].fate, &verdict[i], &packet[i]);
		question->said = true;
	}
}

/* What of the filters could not be asked about. */
static void say_unasked(struct doctor *doctor, struct question *question,
			const struct firewall *firewall)
{
	question->said = true;
	if (firewall->nft == FIREWALL_NO_PROGRAM) {
		doctor_say(doctor, VERDICT_UNKNOWN, "there is a packet filter, and no nft to ask about it");
		doctor_install(doctor, "nftables", "nftables");
	} else if (firewall->nft == FIREWALL_DENIED) {
		doctor_say(doctor, VERDICT_UNKNOWN, "nft does not list its rules: it is root's");
		doctor_advise(doctor, "run farmemctl doctor as root");
	} else if (firewall->legacy == FIREWALL_DENIED) {
		doctor_say(doctor, VERDICT_UNKNOWN, "whether iptables-legacy has rules only root may see");
		doctor_advise(doctor, "run farmemctl doctor as root");
	} else if (firewall->legacy == FIREWALL_NO_PROGRAM) {
		doctor_say(doctor, VERDICT_UNKNOWN, "what the rules of iptables-legacy do with %s port %u is not known",
			   question->protocol, question->port);
		doctor_advise(doctor, "iptables-legacy -L INPUT -n; ip6tables-legacy -L INPUT -n");
	} else {
		question->said = false;
	}
}

static void judge(struct doctor *doctor, struct question *question, const struct firewall *firewall)
{
	static const char *const ways[] = { "input", "output" };
	size_t i;

	for (i = 0; i < 2; i++) {
		judge_way(doctor, question, firewall->rules, false, ways[i]);
		judge_way(doctor, question, firewall->legacy_rules, true, ways[i]);
	}
	if (question->said && firewall->hidden && doctor_last(doctor) == VERDICT_UNKNOWN)
		doctor_install(doctor, "iptables", "iptables-nft");
}

/* Of the server if it is known, else those of which the devices have an address. */
static void choose_versions(struct doctor *doctor, struct question *question)
{
	int i;

	question->peer = doctor_fabric_address(doctor);
	for (i = 0; i < 2; i++)
		question->asked[i] = question->kinds.version[i];
	if (question->peer)
		for (i = 0; i < 2; i++)
			question->asked[i] = i == !!strchr(question->peer, ':');
	if (!question->asked[0] && !question->asked[1])
		question->asked[0] = question->asked[1] = true;
}

static void ask(struct doctor *doctor, const char *protocol, unsigned int port)
{
	bool has_nft = doctor_module_loaded("nf_tables") || doctor_module_builtin(doctor, "nf_tables");
	struct question question = { .protocol = protocol, .port = port, .kinds = look() };
	struct firewall firewall;

	firewall_read(&firewall, has_nft);
	if (firewall.nft == FIREWALL_NONE && firewall.legacy == FIREWALL_NONE) {
		doctor_say(doctor, VERDICT_OK, "no packet filter is loaded");
		firewall_free(&firewall);
		return;
	}
	choose_versions(doctor, &question);
	judge(doctor, &question, &firewall);
	if (!question.said)
		say_unasked(doctor, &question, &firewall);
	if (!question.said)
		doctor_say(doctor, VERDICT_OK, "%s port %u passes", protocol, port);
	firewall_free(&firewall);
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
