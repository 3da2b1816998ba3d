// SPDX-License-Identifier: GPL-2.0
#include "nft.h"

#include <stdbool.h>
#include <string.h>

/* Chains that jump to each other: the kernel allows 16. */
#define DEPTH_MAX 16

/* May a match hold? */
enum tri { NO, YES, MAYBE };

/* What a chain came to: one of the fates, or the end of it. */
enum outcome { ACCEPTED, DROPPED, UNDECIDED, RETURNED };

struct judge {
	json_t *rules;			/* the array "nftables" */
	const struct nft_packet *packet;
};

static const char *text(json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static bool same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Does a value of the right side name this text or number? */
static enum tri holds(json_t *right, const char *word, unsigned int number)
{
	json_t *range = json_object_get(right, "range");
	json_t *set = json_object_get(right, "set");
	enum tri any = NO;
	json_t *each;
	size_t i;

	/* "@name" is a set whose elements are elsewhere, and any of a map's is "*". */
	if (json_is_string(right) && strpbrk(json_string_value(right), "@*"))
		return MAYBE;
	if (json_is_string(right))
		return word ? (same(json_string_value(right), word) ? YES : NO) : MAYBE;
	if (json_is_integer(right))
		return word ? MAYBE : (json_integer_value(right) == number ? YES : NO);
	if (json_array_size(range) == 2 && !word)
		return json_integer_value(json_array_get(range, 0)) <= number &&
		       number <= json_integer_value(json_array_get(range, 1)) ? YES : NO;
	if (!json_is_array(set) && !json_is_array(right))
		return MAYBE;
	json_array_foreach(json_is_array(set) ? set : right, i, each) {
		enum tri one = holds(each, word, number);

		if (one == YES)
			return YES;
		if (one == MAYBE)
			any = MAYBE;
	}
	return any;
}

static enum tri not(enum tri value)
{
	return value == MAYBE ? MAYBE : value == YES ? NO : YES;
}

/* Of the packet are known: its protocol and its destination port, and that it is new. */
static enum tri compare_payload(const struct judge *judge, json_t *payload, json_t *right)
{
	const char *protocol = text(payload, "protocol"), *field = text(payload, "field");
	const char *ours = judge->packet->protocol;

	if (same(field, "dport") && (same(protocol, ours) || same(protocol, "th")))
		return holds(right, NULL, judge->packet->port);
	if (same(protocol, "ip") && same(field, "protocol"))
		return holds(right, ours, 0);
	if (same(protocol, "tcp") || same(protocol, "udp") || same(protocol, "icmp") ||
	    same(protocol, "icmpv6"))
		return same(protocol, ours) ? MAYBE : NO;
	return MAYBE;
}

static enum tri compare_meta(const struct judge *judge, const char *key, json_t *right)
{
	const char *interface = judge->packet->interface;

	if (same(key, "l4proto"))
		return holds(right, judge->packet->protocol, 0);
	/* "i" or "o" stands before it: by which it comes, or goes. */
	if (key && (same(key + 1, "if") || same(key + 1, "ifname"))) {
		/* Loopback is another way than the one that is asked about. */
		if (same(json_string_value(right), "lo"))
			return NO;
		return interface ? holds(right, interface, 0) : MAYBE;
	}
	return MAYBE;
}

static enum tri compare(const struct judge *judge, json_t *left, json_t *right)
{
	json_t *payload = json_object_get(left, "payload");
	json_t *meta = json_object_get(left, "meta"), *ct = json_object_get(left, "ct");

	if (payload)
		return compare_payload(judge, payload, right);
	if (meta)
		return compare_meta(judge, text(meta, "key"), right);
	if (same(text(ct, "key"), "state"))
		return holds(right, "new", 0);
	/* It is nobody's translation. */
	return same(text(ct, "key"), "status") ? NO : MAYBE;
}

static enum tri match(const struct judge *judge, json_t *match)
{
	enum tri result = compare(judge, json_object_get(match, "left"),
				  json_object_get(match, "right"));

	return same(text(match, "op"), "!=") ? not(result) : result;
}

static enum outcome walk(const struct judge *judge, json_t *chain, const char *name,
			 unsigned int depth);

/* Statements that only look on. */
static bool is_harmless(const char *name)
{
	static const char *const harmless[] = { "counter", "log", "mangle", "comment", "ct helper",
						"notrack" };
	size_t i;

	for (i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (!strcmp(harmless[i], name))
			return true;
	return false;
}

/* A statement that ends the rule: *@out is what it came to; false: the rule goes on. */
static bool decide(const struct judge *judge, json_t *rule, const char *name, json_t *value,
		   unsigned int depth, enum outcome *out)
{
	bool jump = !strcmp(name, "jump");

	if (!strcmp(name, "accept"))
		*out = ACCEPTED;
	else if (!strcmp(name, "drop") || !strcmp(name, "reject"))
		*out = DROPPED;
	else if (!strcmp(name, "return"))
		*out = RETURNED;
	else if (jump || !strcmp(name, "goto"))
		*out = walk(judge, rule, text(value, "target"), depth + 1);
	else
		return false;
	/* Back from a jump the rules go on; back from a goto the chain is over. */
	return !(jump && *out == RETURNED);
}

/* A map of verdicts: that of the element that fits. */
static bool look_up(const struct judge *judge, json_t *rule, json_t *vmap, unsigned int depth,
		    enum outcome *out)
{
	json_t *set = json_object_get(json_object_get(vmap, "data"), "set");
	json_t *pair, *value;
	const char *name;
	size_t i;

	*out = UNDECIDED;
	if (!set)
		return true;
	json_array_foreach(set, i, pair) {
		enum tri fits = compare(judge, json_object_get(vmap, "key"), json_array_get(pair, 0));

		if (fits == NO)
			continue;
		json_object_foreach(json_array_get(pair, 1), name, value)
			if (fits == YES)
				return decide(judge, rule, name, value, depth, out);
		return true;
	}
	return false;
}

/* What a rule does; false: the next one is asked.  @sure: all its matches hold. */
static bool apply(const struct judge *judge, json_t *rule, unsigned int depth, enum outcome *out,
		  bool *sure)
{
	json_t *statement, *value;
	const char *name;
	size_t i;

	*sure = true;
	json_array_foreach(json_object_get(rule, "expr"), i, statement) {
		json_object_foreach(statement, name, value) {
			enum tri result = MAYBE;

			if (decide(judge, rule, name, value, depth, out))
				return true;
			if (!strcmp(name, "jump") || is_harmless(name))
				continue;
			if (!strcmp(name, "vmap")) {
				if (look_up(judge, rule, value, depth, out))
					return true;
				continue;
			}
			if (!strcmp(name, "match"))
				result = match(judge, value);
			if (result == NO)
				return false;
			*sure &= result == YES;
		}
	}
	return false;
}

static bool is_of(json_t *rule, json_t *chain, const char *name)
{
	return same(text(rule, "family"), text(chain, "family")) &&
	       same(text(rule, "table"), text(chain, "table")) && same(text(rule, "chain"), name);
}

/*
 * The rules of chain @name, in the table of @chain (a chain or a rule).  What may happen
 * and what happens else must be the same, or nothing is known.
 */
static enum outcome walk(const struct judge *judge, json_t *chain, const char *name,
			 unsigned int depth)
{
	enum outcome out = RETURNED;
	int possible = -1;	/* what an earlier rule may have decided */
	json_t *each;
	size_t i;

	if (depth > DEPTH_MAX)
		return UNDECIDED;
	json_array_foreach(judge->rules, i, each) {
		json_t *rule = json_object_get(each, "rule");
		enum outcome one;
		bool sure;

		if (!rule || !is_of(rule, chain, name))
			continue;
		if (!apply(judge, rule, depth, &one, &sure))
			continue;
		if (sure) {
			out = one;
			break;
		}
		if (possible >= 0 && possible != (int)one)
			return UNDECIDED;
		possible = one;
	}
	return possible < 0 || possible == (int)out ? out : UNDECIDED;
}

/* A chain that is called on the way in, or out. */
static bool is_base(json_t *chain, const struct nft_packet *packet)
{
	static const char *const in[] = { "ingress", "prerouting", "input", NULL };
	static const char *const out[] = { "output", "postrouting", "egress", NULL };
	const char *const *hook = same(packet->hook, "input") ? in : out;

	if (same(text(chain, "family"), "bridge") || same(text(chain, "family"), "arp"))
		return false;
	while (*hook && !same(*hook, text(chain, "hook")))
		hook++;
	return *hook;
}

static enum nft_fate fate_of(enum outcome out, json_t *chain)
{
	bool drops = same(text(chain, "policy"), "drop");

	switch (out) {
	case ACCEPTED:
		return NFT_ACCEPT;
	case DROPPED:
		return NFT_DROP;
	case RETURNED:
		return drops ? NFT_DROP : NFT_ACCEPT;
	default:
		return NFT_UNKNOWN;
	}
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
		fate = fate_of(walk(&judge, chain, text(chain, "name"), 0), chain);
		if (fate == NFT_ACCEPT || worst.fate == NFT_DROP ||
		    (fate == NFT_UNKNOWN && worst.fate == NFT_UNKNOWN))
			continue;
		worst = (struct nft_verdict){ fate, text(chain, "family"), text(chain, "table"),
					      text(chain, "name") };
	}
	return worst;
}
