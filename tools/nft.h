/* SPDX-License-Identifier: GPL-2.0 */
/*
 * nft.h - what a ruleset of nftables does with a packet, as far as one can tell.
 *
 * Reads what `nft -j list ruleset` prints (libnftables-json(5)).  A match that depends
 * on what is not known of the packet, or that this reader does not understand, may hold
 * or not; the fate is then NFT_UNKNOWN unless both ways lead to the same one.
 */
#ifndef FARMEMCTL_NFT_H
#define FARMEMCTL_NFT_H

#include <jansson.h>
#include <stdbool.h>

enum nft_fate {
	NFT_ACCEPT,
	NFT_DROP,
	NFT_UNKNOWN,
};

/**
 * struct nft_packet - a packet, the first of its kind: no connection is known of it
 * @hook: "input": it comes to this node; "output": it goes out
 * @protocol: "udp" or "tcp"
 * @port: its destination
 * @interface: by which it comes, or goes; NULL if that is not known
 * @ipv6: it is one of IPv6, else of IPv4
 * @peer: the other node's address; NULL if that is not known
 */
struct nft_packet {
	const char *hook;
	const char *protocol;
	unsigned int port;
	const char *interface;
	bool ipv6;
	const char *peer;
};

/**
 * struct nft_verdict - what becomes of it
 * @fate: that
 * @family: of the table that decides, where it is not NFT_ACCEPT; so the next two
 * @table: its name
 * @chain: the chain
 *
 * The names belong to the ruleset.
 */
struct nft_verdict {
	enum nft_fate fate;
	const char *family;
	const char *table;
	const char *chain;
};

struct nft_verdict nft_judge(json_t *ruleset, const struct nft_packet *packet);
bool nft_has_chain(json_t *ruleset, const struct nft_verdict *beside, const char *name);

#endif
