/* SPDX-License-Identifier: GPL-2.0 */
/*
 * firewall-fix.h - the command that lets a packet pass, of the tool that owns the rules.
 */
#ifndef FARMEMCTL_FIREWALL_FIX_H
#define FARMEMCTL_FIREWALL_FIX_H

#include "doctor.h"
#include "nft.h"

void firewall_fix(struct doctor *doctor, json_t *ruleset, bool legacy,
		  const struct nft_verdict *verdict, const struct nft_packet *packet);

#endif
