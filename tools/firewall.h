/* SPDX-License-Identifier: GPL-2.0 */
/*
 * firewall.h - the rules of this node's packet filters, to be judged by nft.h.
 */
#ifndef FARMEMCTL_FIREWALL_H
#define FARMEMCTL_FIREWALL_H

#include <jansson.h>
#include <stdbool.h>

/* What became of the question for a filter's rules. */
enum firewall_answer {
	FIREWALL_NONE,		/* the kernel has no such filter loaded */
	FIREWALL_READ,
	FIREWALL_DENIED,	/* only root may see them */
	FIREWALL_NO_PROGRAM,	/* nothing there lists them */
};

/**
 * struct firewall - the filters
 * @nft: what became of nftables' rules, those of iptables-nft among them
 * @rules: them, as nft lists them; NULL unless FIREWALL_READ
 * @hidden: there are some of which only iptables-nft-save could tell more, and it is not there
 * @legacy: what became of the rules of iptables-legacy, which nft does not see
 * @legacy_rules: those that could be read, in the same form
 */
struct firewall {
	enum firewall_answer nft;
	json_t *rules;
	bool hidden;
	enum firewall_answer legacy;
	json_t *legacy_rules;
};

void firewall_read(struct firewall *firewall, bool has_nft);
void firewall_free(struct firewall *firewall);

#endif
