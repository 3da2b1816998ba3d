// SPDX-License-Identifier: GPL-2.0
/*
 * firewall-fix.c - the command that lets a packet pass.
 *
 * firewalld and ufw write all their rules anew, so they are to be told; and so are
 * those who keep iptables' rules, which nft must not touch.  Who owns a rule is seen by
 * the table that it stands in, not by what is installed: Ubuntu has ufw on every machine,
 * and off on most.
 */
#include "firewall-fix.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cleanup.h"
#include "command.h"

#define SECONDS		15
#define WORDS		12	/* that the longest of the commands has, and one */

/* A command that is being put together. */
struct command {
	char *word[WORDS + 1];
	int count;
};

static void add(struct command *command, const char *word)
{
	if (command->count < WORDS)
		command->word[command->count++] = (char *)word;
}

/*
 * --fix may run it where it is sure to be needed; what is only perhaps the cause is left
 * to the user.
 */
static void offer(struct doctor *doctor, const struct command *command)
{
	char *const *word = command->word;
	CLEANUP_FREE char *text = command_text(command->word);

	if (doctor_last(doctor) == VERDICT_FAIL)
		doctor_repair(doctor, word[0], word[1], word[2], word[3], word[4], word[5],
			      word[6], word[7], word[8], word[9], word[10], word[11], NULL);
	else
		doctor_advise(doctor, "%s", text);
}

/* The zone in which firewalld has the interface, to free; NULL: in that for all others. */
static char *zone_of(const char *interface)
{
	CLEANUP_FREE char *question = text_format("--get-zone-of-interface=%s",
						  interface ? interface : "");
	CLEANUP_FREE char *output = NULL;

	if (!interface || command_ask(&output, SECONDS, "firewall-cmd", question, NULL))
		return NULL;
	output[strcspn(output, "\n")] = '\0';
	return *output ? text_format("--zone=%s", output) : NULL;
}

static void fix_firewalld(struct doctor *doctor, const struct nft_packet *packet)
{
	CLEANUP_FREE char *port = text_format("--add-port=%u/%s", packet->port, packet->protocol);
	CLEANUP_FREE char *zone = zone_of(packet->interface);
	struct command command = { .count = 0 };

	if (strcmp(packet->hook, "input")) {
		doctor_advise(doctor, "a policy of firewalld's says so: firewall-cmd --list-all-policies");
		return;
	}
	add(&command, "firewall-cmd");
	if (zone)
		add(&command, zone);
	add(&command, port);
	offer(doctor, &command);
	doctor_advise(doctor, "for good: firewall-cmd --permanent %s%s%s", zone ? zone : "",
		      zone ? " " : "", port);
}

static void fix_ufw(struct doctor *doctor, const struct nft_packet *packet)
{
	CLEANUP_FREE char *port = text_format("%u/%s", packet->port, packet->protocol);
	struct command command = { .count = 0 };

	add(&command, "ufw");
	add(&command, "allow");
	if (strcmp(packet->hook, "input"))
		add(&command, "out");
	add(&command, port);
	offer(doctor, &command);
}

/* Is the distribution one of RHEL's family?  Those keep the services' settings there. */
static bool is_of_rhel(void)
{
	CLEANUP_FREE char *path = text_format("%s/etc/sysconfig", file_root());

	return !file_missing(path);
}

static void fix_iptables(struct doctor *doctor, bool legacy, const struct nft_verdict *verdict,
			 const struct nft_packet *packet)
{
	const char *ip = packet->ipv6 ? "ip6tables" : "iptables";
	CLEANUP_FREE char *program = text_format("%s-%s", ip, legacy ? "legacy" : "nft");
	CLEANUP_FREE char *port = text_format("%u", packet->port);
	struct command command = { .count = 0 };

	add(&command, program);
	if (strcmp(verdict->table, "filter")) {
		add(&command, "-t");
		add(&command, verdict->table);
	}
	add(&command, "-I");
	add(&command, verdict->chain);
	add(&command, "-p");
	add(&command, packet->protocol);
	add(&command, "--dport");
	add(&command, port);
	add(&command, "-j");
	add(&command, "ACCEPT");
	offer(doctor, &command);
	if (is_of_rhel())
		doctor_advise(doctor, "for good: service %s save    (of the package iptables-services)",
			      ip);
	else
		doctor_advise(doctor, "for good: netfilter-persistent save    (of the package iptables-persistent)");
}

static void fix_nft(struct doctor *doctor, const struct nft_verdict *verdict,
		    const struct nft_packet *packet)
{
	CLEANUP_FREE char *port = text_format("%u", packet->port);
	struct command command = {
		.word = { "nft", "insert", "rule", (char *)verdict->family, (char *)verdict->table,
			  (char *)verdict->chain, (char *)packet->protocol, "dport", port, "accept" },
	};

	offer(doctor, &command);
	doctor_advise(doctor, "for good: the same rule in %s",
		      is_of_rhel() ? "/etc/sysconfig/nftables.conf" : "/etc/nftables.conf");
}

/* iptables writes the names of its own chains in capitals, which nobody else does. */
static bool is_of_iptables(const struct nft_verdict *verdict)
{
	static const char *const tables[] = { "filter", "raw", "mangle", "nat", "security" };
	size_t i;

	if (strcmp(verdict->family, "ip") && strcmp(verdict->family, "ip6"))
		return false;
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(verdict->table, tables[i]))
			return isupper((unsigned char)*verdict->chain);
	return false;
}

/**
 * firewall_fix() - offer what mends the verdict that was said last
 * @doctor: the examination
 * @ruleset: in which it was found
 * @legacy: that is of iptables-legacy
 * @verdict: what drops the packet
 * @packet: it
 */
void firewall_fix(struct doctor *doctor, json_t *ruleset, bool legacy,
		  const struct nft_verdict *verdict, const struct nft_packet *packet)
{
	/* ufw empties its other chains when it is switched off, and takes these away. */
	const char *ufw = packet->ipv6 ? "ufw6-user-input" : "ufw-user-input";

	if (!strcmp(verdict->table, "firewalld") ||
	    nft_has_chain(ruleset, verdict, "INPUT_ZONES"))
		fix_firewalld(doctor, packet);
	else if (nft_has_chain(ruleset, verdict, ufw))
		fix_ufw(doctor, packet);
	else if (legacy || is_of_iptables(verdict))
		fix_iptables(doctor, legacy, verdict, packet);
	else
		fix_nft(doctor, verdict, packet);
}
