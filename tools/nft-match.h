/* SPDX-License-Identifier: GPL-2.0 */
/*
 * nft-match.h - does a match of a rule hold for a packet?  nft.c's alone.
 */
#ifndef FARMEMCTL_NFT_MATCH_H
#define FARMEMCTL_NFT_MATCH_H

#include "nft.h"

/**
 * enum nft_fit - does it?
 * @NFT_NO: it does not
 * @NFT_YES: it does
 * @NFT_MAYBE: that depends on what is not known
 * @NFT_ABSENT: the packet has nothing to compare with, so neither does the opposite
 */
enum nft_fit {
	NFT_NO,
	NFT_YES,
	NFT_MAYBE,
	NFT_ABSENT,
};

enum nft_fit nft_compare(const struct nft_packet *packet, json_t *left, json_t *right);
enum nft_fit nft_match(const struct nft_packet *packet, json_t *match);

const char *nft_text(json_t *object, const char *key);
bool nft_same(const char *a, const char *b);

#endif
