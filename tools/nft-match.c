// SPDX-License-Identifier: GPL-2.0
/*
 * nft-match.c - does a match of a rule hold for a packet?
 *
 * Left stands what of the packet is looked at, right a value, or many.  Of the packet
 * are known: its protocol, its destination port, its IP version, at times its interface
 * and the other node's address; and that it is the first one, to or from an address
 * of the network.
 */
#include "nft-match.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <string.h>

/* Of the field in IP's header: all but "don't fragment". */
#define FRAGMENT_BITS	0xbfff

/* What is known of the thing on the left: what nft calls it, its number, or both. */
struct value {
	const char *word;	/* NULL: it has none */
	long number;		/* -1: it has none */
};

/* An address: that of the other node, or any of its IP version. */
struct address {
	bool known;
	int family;
	unsigned char bytes[16];
};

/** nft_text() - a member that is a string; NULL if there is none */
const char *nft_text(json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/** nft_same() - are they both there, and the same? */
bool nft_same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Does any value of the right side fit? */
static enum nft_fit any_of(json_t *right, const void *known,
			   enum nft_fit (*fits)(json_t *value, const void *known))
{
	json_t *set = json_object_get(right, "set");
	enum nft_fit any = NFT_NO;
	json_t *each;
	size_t i;

	if (!json_is_array(set) && !json_is_array(right))
		return fits(right, known);
	json_array_foreach(json_is_array(set) ? set : right, i, each) {
		/* An element with a comment or a time-out has its value one level below. */
		json_t *inner = json_object_get(json_object_get(each, "elem"), "val");
		enum nft_fit one = fits(inner ? inner : each, known);

		if (one == NFT_YES)
			return NFT_YES;
		if (one == NFT_MAYBE)
			any = NFT_MAYBE;
	}
	return any;
}

static enum nft_fit answer(bool yes)
{
	return yes ? NFT_YES : NFT_NO;
}

static enum nft_fit fits_value(json_t *right, const void *known)
{
	json_t *range = json_object_get(right, "range");
	const char *text = json_string_value(right);
	const struct value *value = known;

	/* "@name" is a set whose elements are elsewhere, and any of a map's is "*". */
	if (text && *text != '@' && !strchr(text, '*') && value->word)
		return answer(!strcmp(text, value->word));
	if (json_is_integer(right) && value->number >= 0)
		return answer(json_integer_value(right) == value->number);
	if (json_array_size(range) == 2 && json_is_integer(json_array_get(range, 0)) &&
	    value->number >= 0)
		return answer(json_integer_value(json_array_get(range, 0)) <= value->number &&
			      value->number <= json_integer_value(json_array_get(range, 1)));
	return NFT_MAYBE;
}

static enum nft_fit holds(json_t *right, const char *word, long number)
{
	struct value value = { word, number };

	return any_of(right, &value, fits_value);
}

/* "eth*" is every one whose name begins so. */
static enum nft_fit fits_interface(json_t *right, const void *known)
{
	const char *text = json_string_value(right);
	size_t length = text ? strlen(text) : 0;

	if (!length || *text == '@')
		return NFT_MAYBE;
	/* Loopback is another way than the one that is asked about. */
	if (!strcmp(text, "lo"))
		return NFT_NO;
	if (!known || !strcmp(text, "*"))
		return NFT_MAYBE;
	if (text[length - 1] == '*')
		return answer(!strncmp(text, known, length - 1));
	return answer(!strcmp(text, known));
}

static bool same_start(const unsigned char *a, const unsigned char *b, unsigned int bits)
{
	unsigned int rest = bits % 8;

	if (memcmp(a, b, bits / 8))
		return false;
	return !rest || !((a[bits / 8] ^ b[bits / 8]) >> (8 - rest));
}

/* No packet between two nodes has such an address: a multicast's, or loopback's. */
static bool is_impossible(const unsigned char *bytes, unsigned int bits, int family)
{
	static const unsigned char one[16] = { [15] = 1 };

	if (family == AF_INET)
		return (bits >= 8 && bytes[0] == 127) || (bits >= 4 && bytes[0] >> 4 == 14);
	return (bits >= 8 && bytes[0] == 0xff) || (bits == 128 && !memcmp(bytes, one, 16));
}

static enum nft_fit fits_prefix(const char *text, long bits, const struct address *address)
{
	unsigned int all = address->family == AF_INET ? 32 : 128;
	unsigned char bytes[16];

	if (!text || inet_pton(address->family, text, bytes) != 1 || bits < 0 || bits > all)
		return NFT_MAYBE;
	if (!bits)
		return NFT_YES;
	if (is_impossible(bytes, bits, address->family))
		return NFT_NO;
	return address->known ? answer(same_start(bytes, address->bytes, bits)) : NFT_MAYBE;
}

static enum nft_fit fits_range(json_t *range, const struct address *address)
{
	size_t length = address->family == AF_INET ? 4 : 16;
	const char *first = json_string_value(json_array_get(range, 0));
	const char *last = json_string_value(json_array_get(range, 1));
	unsigned char from[16], to[16];

	if (!address->known || !first || !last || inet_pton(address->family, first, from) != 1 ||
	    inet_pton(address->family, last, to) != 1)
		return NFT_MAYBE;
	return answer(memcmp(from, address->bytes, length) <= 0 &&
		      memcmp(address->bytes, to, length) <= 0);
}

static enum nft_fit fits_address(json_t *right, const void *known)
{
	json_t *prefix = json_object_get(right, "prefix"), *range = json_object_get(right, "range");
	const struct address *address = known;
	unsigned int all = address->family == AF_INET ? 32 : 128;

	if (range)
		return fits_range(range, address);
	if (prefix)
		return fits_prefix(nft_text(prefix, "addr"),
				   json_integer_value(json_object_get(prefix, "len")), address);
	return fits_prefix(json_string_value(right), all, address);
}

/* @source: it is where the packet comes from.  The other end is this node. */
static enum nft_fit compare_address(const struct nft_packet *packet, bool source, json_t *right)
{
	struct address address = { .family = packet->ipv6 ? AF_INET6 : AF_INET };
	bool peers = source == nft_same(packet->hook, "input");

	address.known = peers && packet->peer &&
			inet_pton(address.family, packet->peer, address.bytes) == 1;
	return any_of(right, &address, fits_address);
}

static long protocol_number(const struct nft_packet *packet)
{
	return nft_same(packet->protocol, "tcp") ? 6 : 17;
}

static enum nft_fit compare_protocol(const struct nft_packet *packet, json_t *right)
{
	return holds(right, packet->protocol, protocol_number(packet));
}

static enum nft_fit compare_ip(const struct nft_packet *packet, const char *field, json_t *right)
{
	if (nft_same(field, "protocol") || nft_same(field, "nexthdr"))
		return compare_protocol(packet, right);
	if (nft_same(field, "saddr") || nft_same(field, "daddr"))
		return compare_address(packet, *field == 's', right);
	return NFT_MAYBE;
}

static enum nft_fit compare_payload(const struct nft_packet *packet, json_t *payload, json_t *right)
{
	const char *protocol = nft_text(payload, "protocol"), *field = nft_text(payload, "field");

	if (!protocol || nft_same(protocol, "vlan"))
		return NFT_MAYBE;
	if (nft_same(protocol, "ether"))
		return nft_same(field, "type") ? holds(right, packet->ipv6 ? "ip6" : "ip", -1) :
						 NFT_MAYBE;
	if (nft_same(protocol, "ip") || nft_same(protocol, "ip6"))
		return nft_same(protocol, "ip6") == packet->ipv6 ?
		       compare_ip(packet, field, right) : NFT_ABSENT;
	/* The headers of other protocols are not there. */
	if (!nft_same(protocol, packet->protocol) && !nft_same(protocol, "th"))
		return NFT_ABSENT;
	return nft_same(field, "dport") ? holds(right, NULL, packet->port) : NFT_MAYBE;
}

/* "i" or "o" stands before it: by which it comes, or goes.  The other one has no name. */
static enum nft_fit compare_interface(const struct nft_packet *packet, char way, json_t *right)
{
	if (*packet->hook != way)
		return NFT_NO;
	return any_of(right, packet->interface, fits_interface);
}

static enum nft_fit compare_meta(const struct nft_packet *packet, const char *key, json_t *right)
{
	if (nft_same(key, "l4proto"))
		return compare_protocol(packet, right);
	if (nft_same(key, "nfproto"))
		return holds(right, packet->ipv6 ? "ipv6" : "ipv4", packet->ipv6 ? 10 : 2);
	if (nft_same(key, "protocol"))
		return holds(right, packet->ipv6 ? "ip6" : "ip", -1);
	if (key && (nft_same(key + 1, "if") || nft_same(key + 1, "ifname")))
		return compare_interface(packet, *key, right);
	return NFT_MAYBE;
}

/* What the table of routes says.  That there is a way between the nodes is taken for granted. */
static enum nft_fit compare_fib(const struct nft_packet *packet, json_t *fib, json_t *right)
{
	bool exists = json_is_true(right) || json_integer_value(right) == 1;
	bool missing = json_is_false(right) ||
		       (json_is_integer(right) && !json_integer_value(right));
	json_t *flags = json_object_get(fib, "flags"), *flag;
	bool here = nft_same(packet->hook, "input");
	size_t i;

	if (!nft_same(nft_text(fib, "result"), "type"))
		return exists ? NFT_YES : missing ? NFT_NO : NFT_MAYBE;
	json_array_foreach(flags, i, flag)
		if (nft_same(json_string_value(flag), "saddr"))
			here = !here;
	return holds(right, here ? "local" : "unicast", here ? 2 : 1);
}

static enum nft_fit compare_ct(const char *key, json_t *right)
{
	if (nft_same(key, "state"))
		return holds(right, "new", -1);
	/* It is nobody's translation. */
	return nft_same(key, "status") ? NFT_NO : NFT_MAYBE;
}

/* Headers between IPv6's own and the transport's: there are none. */
static enum nft_fit compare_exthdr(const struct nft_packet *packet, json_t *exthdr, json_t *right)
{
	if (!packet->ipv6 || json_object_get(exthdr, "field"))
		return NFT_ABSENT;
	return json_is_false(right) ? NFT_YES : NFT_NO;
}

/*
 * Several things at once, or one and a mask.  Of these one is known: a packet of RDMA's
 * is no fragment of another.
 */
static enum nft_fit compare_list(const struct nft_packet *packet, json_t *list, json_t *right)
{
	json_t *first = json_object_get(json_array_get(list, 0), "payload");
	json_t *each;
	size_t i;

	json_array_foreach(list, i, each)
		if (nft_compare(packet, each, NULL) == NFT_ABSENT)
			return NFT_ABSENT;
	if (nft_same(nft_text(first, "field"), "frag-off") &&
	    !(json_integer_value(json_array_get(list, 1)) & ~FRAGMENT_BITS))
		return holds(right, NULL, 0);
	return NFT_MAYBE;
}

/**
 * nft_compare() - does what stands left have the value that stands right?
 * @packet: of which it is looked at
 * @left: the expression
 * @right: the value, or many
 */
enum nft_fit nft_compare(const struct nft_packet *packet, json_t *left, json_t *right)
{
	const char *what;
	json_t *value;

	json_object_foreach(left, what, value) {
		if (!strcmp(what, "payload"))
			return compare_payload(packet, value, right);
		if (!strcmp(what, "meta"))
			return compare_meta(packet, nft_text(value, "key"), right);
		if (!strcmp(what, "ct"))
			return compare_ct(nft_text(value, "key"), right);
		if (!strcmp(what, "fib"))
			return compare_fib(packet, value, right);
		if (!strcmp(what, "exthdr"))
			return compare_exthdr(packet, value, right);
		if (!strcmp(what, "tcp option"))
			return nft_same(packet->protocol, "tcp") ? NFT_MAYBE : NFT_ABSENT;
		if (json_is_array(value))
			return compare_list(packet, value, right);
	}
	return NFT_MAYBE;
}

/* "<" and its like are ranges. */
static enum nft_fit match_range(const struct nft_packet *packet, json_t *match, const char *op)
{
	json_int_t bound = json_integer_value(json_object_get(match, "right"));
	json_int_t other = op[1] != '=';
	json_t *range;
	enum nft_fit fit;

	range = *op == '<' ? json_pack("{s:[I,I]}", "range", (json_int_t)0, bound - other) :
			     json_pack("{s:[I,I]}", "range", bound + other, (json_int_t)UINT32_MAX);
	fit = nft_compare(packet, json_object_get(match, "left"), range);
	json_decref(range);
	return fit;
}

/** nft_match() - does the statement "match" hold? */
enum nft_fit nft_match(const struct nft_packet *packet, json_t *match)
{
	json_t *left = json_object_get(match, "left"), *right = json_object_get(match, "right");
	const char *op = nft_text(match, "op");
	enum nft_fit fit;

	if (op && strchr("<>", *op) && json_is_integer(right))
		return match_range(packet, match, op);
	fit = nft_compare(packet, left, right);
	if (nft_same(op, "==") || nft_same(op, "in"))
		return fit;
	if (nft_same(op, "!="))
		return fit == NFT_YES ? NFT_NO : fit == NFT_NO ? NFT_YES : fit;
	return fit == NFT_ABSENT ? NFT_ABSENT : NFT_MAYBE;
}
