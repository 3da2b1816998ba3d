// SPDX-License-Identifier: GPL-2.0
#include "nft.h"

#include <stdbool.h>
#include <string.h>

#include "nft-match.h"

/* Chains that jump to each other: the kernel allows 16. */
#define DEPTH_MAX 16

/* What may become of the packet, as bits: any of these; RETURNED: the chain is over. */
#define ACCEPTED	1u
#define DROPPED		2u
#define RETURNED	4u
#define UNDECIDED	(ACCEPTED | DROPPED)
/* Of a statement: it is no verdict. */
#define GOES_ON		0u

struct judge {
	json_t *rules;			/* the array "nftables" */
	const struct nft_packet *packet;
};

/* A word of a ruleset, and what it does. */
struct meaning {
	const char *word;
	unsigned int outcome;
};

/*
 * Statements that are neither matches nor jumps.  What is not named here may be a
 * verdict: "queue" gives the packet away, "dnat" turns it to another place.
 */
static const struct meaning statements[] = {
	{ "accept", ACCEPTED }, { "drop", DROPPED }, { "reject", DROPPED },
	{ "return", RETURNED }, { "snat", ACCEPTED }, { "masquerade", ACCEPTED },
	{ "counter", GOES_ON }, { "log", GOES_ON }, { "mangle", GOES_ON },
	{ "comment", GOES_ON }, { "continue", GOES_ON }, { "notrack", GOES_ON },
	{ "ct helper", GOES_ON }, { "ct timeout", GOES_ON }, { "ct expectation", GOES_ON },
	{ "secmark", GOES_ON }, { "dup", GOES_ON }, { "flow", GOES_ON }, { "last", GOES_ON },
	{ NULL, UNDECIDED },
};

/* Targets of iptables, which nft names and no more. */
static const struct meaning targets[] = {
	{ "REJECT", DROPPED }, { "DROP", DROPPED }, { "SNAT", ACCEPTED },
	{ "MASQUERADE", ACCEPTED },
	{ "LOG", GOES_ON }, { "NFLOG", GOES_ON }, { "ULOG", GOES_ON }, { "AUDIT", GOES_ON },
	{ "TRACE", GOES_ON }, { "MARK", GOES_ON }, { "CONNMARK", GOES_ON },
	{ "SECMARK", GOES_ON }, { "CONNSECMARK", GOES_ON }, { "CT", GOES_ON },
	{ "NOTRACK", GOES_ON }, { "CHECKSUM", GOES_ON }, { "TCPMSS", GOES_ON },
	{ "TOS", GOES_ON }, { "DSCP", GOES_ON }, { "TTL", GOES_ON }, { "HL", GOES_ON },
	{ "CLASSIFY", GOES_ON }, { "SET", GOES_ON }, { "TEE", GOES_ON }, { "LED", GOES_ON },
	{ NULL, UNDECIDED },
};

/* And its matches: extension headers that RDMA's packets do not have. */
static const char *const absent_headers[] = { "rt", "frag", "hbh", "dst", "mh", "ah", "esp" };

static unsigned int meaning_of(const struct meaning *list, const char *word)
{
	while (list->word && !nft_same(list->word, word))
		list++;
	return list->outcome;
}

/*
 * The answer of a rejection may be one that only some packets can have, and then nft
 * does not list the match that sorts out the others.
 */
static bool can_reject(const struct judge *judge, json_t *reject)
{
	const char *type = nft_text(reject, "type");

	if (nft_same(type, "icmp"))
		return !judge->packet->ipv6;
	if (nft_same(type, "icmpv6"))
		return judge->packet->ipv6;
	return !nft_same(type, "tcp reset") || nft_same(judge->packet->protocol, "tcp");
}

static unsigned int walk(const struct judge *judge, json_t *chain, const char *name,
			 unsigned int depth);

/*
 * A verdict, where @rule stands: what it may come to.  *@on: perhaps to nothing, and
 * the next rule is asked.
 */
static unsigned int decide(const struct judge *judge, json_t *rule, const char *name,
			   json_t *value, unsigned int depth, bool *on)
{
	unsigned int outcome;

	*on = false;
	if (!strcmp(name, "reject") && !can_reject(judge, value))
		outcome = GOES_ON;
	else if (strcmp(name, "jump") && strcmp(name, "goto"))
		outcome = meaning_of(statements, name);
	else
		outcome = walk(judge, rule, nft_text(value, "target"), depth + 1);
	/* Back from a jump the rules go on; back from a goto the chain is over. */
	if (!strcmp(name, "jump") && (outcome & RETURNED)) {
		*on = true;
		outcome &= ~RETURNED;
	}
	if (outcome == GOES_ON)
		*on = true;
	return outcome;
}

/* A map of verdicts: those of the elements that may fit. */
static unsigned int look_up(const struct judge *judge, json_t *rule, json_t *vmap,
			    unsigned int depth, bool *on)
{
	json_t *set = json_object_get(json_object_get(vmap, "data"), "set");
	json_t *pair, *value;
	unsigned int outcome = 0;
	bool any_on = false;
	const char *name;
	size_t i;

	*on = true;
	if (!set)
		return UNDECIDED;
	json_array_foreach(set, i, pair) {
		enum nft_fit fit = nft_compare(judge->packet, json_object_get(vmap, "key"),
					       json_array_get(pair, 0));

		if (fit == NFT_NO || fit == NFT_ABSENT)
			continue;
		json_object_foreach(json_array_get(pair, 1), name, value)
			outcome |= decide(judge, rule, name, value, depth, on);
		any_on |= *on;
		*on = any_on || fit != NFT_YES;
		if (fit == NFT_YES)
			break;
	}
	return outcome;
}

/*
 * What nft shows of a match or a target of iptables; older ones do not even name it, but
 * a target stands @last.
 */
static enum nft_fit match_foreign(json_t *xt, bool last, unsigned int *outcome, bool *on)
{
	const char *type = nft_text(xt, "type"), *name = nft_text(xt, "name");
	size_t i;

	if (nft_same(type, "target") || (last && !type)) {
		*outcome = meaning_of(targets, name);
		*on = *outcome == GOES_ON;
		return NFT_YES;
	}
	if (nft_same(type, "match") && nft_same(name, "comment"))
		return NFT_YES;
	for (i = 0; i < sizeof(absent_headers) / sizeof(absent_headers[0]); i++)
		if (nft_same(type, "match") && nft_same(name, absent_headers[i]))
			return NFT_ABSENT;
	return NFT_MAYBE;
}

/* Only so many, or so often; or a set that may be full. */
static bool is_limit(const char *name)
{
	return !strcmp(name, "limit") || !strcmp(name, "quota") || !strcmp(name, "meter") ||
	       !strcmp(name, "ct count") || !strcmp(name, "set") || !strcmp(name, "map");
}

/*
 * One statement: what it may come to.  *@fit: what is behind it holds; *@on: it may
 * have come to nothing.
 */
static unsigned int take(const struct judge *judge, json_t *rule, const char *name, json_t *value,
			 bool last, unsigned int depth, enum nft_fit *fit, bool *on)
{
	unsigned int outcome = GOES_ON;

	*fit = NFT_YES;
	*on = true;
	if (!strcmp(name, "match"))
		*fit = nft_match(judge->packet, value);
	else if (is_limit(name))
		*fit = NFT_MAYBE;
	else if (!strcmp(name, "vmap"))
		outcome = look_up(judge, rule, value, depth, on);
	else if (!strcmp(name, "xt"))
		*fit = match_foreign(value, last, &outcome, on);
	else
		outcome = decide(judge, rule, name, value, depth, on);
	return outcome;
}

/* What a rule may come to.  *@on: perhaps to nothing, and the next one is asked. */
static unsigned int apply(const struct judge *judge, json_t *rule, unsigned int depth, bool *on)
{
	json_t *expr = json_object_get(rule, "expr");
	json_t *statement, *value;
	unsigned int outcome = 0;
	bool sure = true;
	const char *name;
	size_t i;

	*on = true;
	json_array_foreach(expr, i, statement) {
		/* Nothing that one could look at. */
		if (!json_object_size(statement))
			outcome |= UNDECIDED;
		json_object_foreach(statement, name, value) {
			bool last = i + 1 == json_array_size(expr);
			enum nft_fit fit;

			outcome |= take(judge, rule, name, value, last, depth, &fit, on);
			if (fit == NFT_NO || fit == NFT_ABSENT)
				return outcome;
			sure &= fit == NFT_YES;
			if (!*on) {
				*on = !sure;
				return outcome;
			}
		}
	}
	return outcome;
}

static bool is_of(json_t *rule, const char *family, const char *table, const char *name)
{
	return nft_same(nft_text(rule, "family"), family) &&
	       nft_same(nft_text(rule, "table"), table) && nft_same(nft_text(rule, "chain"), name);
}

/* What the rules of chain @name may come to, in the table of @chain (a chain or a rule). */
static unsigned int walk(const struct judge *judge, json_t *chain, const char *name,
			 unsigned int depth)
{
	const char *family = nft_text(chain, "family"), *table = nft_text(chain, "table");
	unsigned int outcome = 0;
	bool on = true;
	json_t *each;
	size_t i;

	if (depth > DEPTH_MAX)
		return UNDECIDED;
	json_array_foreach(judge->rules, i, each) {
		json_t *rule = json_object_get(each, "rule");

		if (!rule || !is_of(rule, family, table, name))
			continue;
		outcome |= apply(judge, rule, depth, &on);
		if (!on)
			return outcome;
	}
	return outcome | RETURNED;
}

/* A chain that is called on the way in, or out. */
static bool is_base(json_t *chain, const struct nft_packet *packet)
{
	static const char *const in[] = { "ingress", "prerouting", "input", NULL };
	static const char *const out[] = { "output", "postrouting", "egress", NULL };
	const char *const *hook = nft_same(packet->hook, "input") ? in : out;
	const char *family = nft_text(chain, "family");

	if (nft_same(family, "bridge") || nft_same(family, "arp") ||
	    nft_same(family, packet->ipv6 ? "ip" : "ip6"))
		return false;
	while (*hook && !nft_same(*hook, nft_text(chain, "hook")))
		hook++;
	return *hook;
}

/* Chains of the hooks ingress and egress are those of one interface, or some. */
static enum nft_fit is_on_the_way(json_t *chain, const struct nft_packet *packet)
{
	json_t *devices = json_object_get(chain, "dev"), *each;
	size_t i;

	if (!devices)
		return NFT_YES;
	if (!packet->interface)
		return NFT_MAYBE;
	if (nft_same(json_string_value(devices), packet->interface))
		return NFT_YES;
	json_array_foreach(devices, i, each)
		if (nft_same(json_string_value(each), packet->interface))
			return NFT_YES;
	return NFT_NO;
}

/* What a base chain does with the packet. */
static enum nft_fate fate_in(const struct judge *judge, json_t *chain)
{
	enum nft_fit way = is_on_the_way(chain, judge->packet);
	unsigned int outcome;

	if (way == NFT_NO)
		return NFT_ACCEPT;
	outcome = walk(judge, chain, nft_text(chain, "name"), 0);
	if (outcome & RETURNED)
		outcome |= nft_same(nft_text(chain, "policy"), "drop") ? DROPPED : ACCEPTED;
	outcome &= UNDECIDED;
	if (outcome == ACCEPTED)
		return NFT_ACCEPT;
	return outcome == DROPPED && way == NFT_YES ? NFT_DROP : NFT_UNKNOWN;
}

/**
 * nft_judge() - what becomes of a packet
 * @ruleset: what `nft -j list ruleset` printed
 * @packet: the packet
 *
 * Every chain of the hook has its say: accepted is what all accept.
 * Return: the worst that one of them does, the first such.
 */
struct nft_verdict nft_judge(json_t *ruleset, const struct nft_packet *packet)
{
	struct judge judge = { json_object_get(ruleset, "nftables"), packet };
	struct nft_verdict worst = { .fate = NFT_ACCEPT };
	json_t *each;
	size_t i;

	json_array_foreach(judge.rules, i, each) {
		json_t *chain = json_object_get(each, "chain");
		enum nft_fate fate;

		if (!chain || !is_base(chain, packet))
			continue;
		fate = fate_in(&judge, chain);
		if (fate == NFT_ACCEPT || worst.fate == NFT_DROP ||
		    (fate == NFT_UNKNOWN && worst.fate == NFT_UNKNOWN))
			continue;
		worst = (struct nft_verdict){ fate, nft_text(chain, "family"),
					      nft_text(chain, "table"), nft_text(chain, "name") };
	}
	return worst;
}

/** nft_has_chain() - is there a chain @name in the table of a verdict? */
bool nft_has_chain(json_t *ruleset, const struct nft_verdict *beside, const char *name)
{
	json_t *each;
	size_t i;

	json_array_foreach(json_object_get(ruleset, "nftables"), i, each) {
		json_t *chain = json_object_get(each, "chain");

		if (nft_same(nft_text(chain, "family"), beside->family) &&
		    nft_same(nft_text(chain, "table"), beside->table) &&
		    nft_same(nft_text(chain, "name"), name))
			return true;
	}
	return false;
}
