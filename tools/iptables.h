/* SPDX-License-Identifier: GPL-2.0 */
/*
 * iptables.h - the rules of iptables, told as nft tells its own.
 *
 * Rules of iptables-nft stand in the ruleset that nft lists, but of most of their
 * matches only the name; those of iptables-legacy are not there.  iptables-save prints
 * both in full.
 */
#ifndef FARMEMCTL_IPTABLES_H
#define FARMEMCTL_IPTABLES_H

#include <jansson.h>
#include <stdbool.h>

bool iptables_hides(json_t *ruleset, const char *family);
void iptables_read(json_t *ruleset, const char *family, const char *save);
void iptables_complete(json_t *ruleset, const char *family, const char *save);

#endif
