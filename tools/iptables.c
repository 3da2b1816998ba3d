// SPDX-License-Identifier: GPL-2.0
/*
 * iptables.c - from what iptables-save prints to what nft.c reads.
 *
 * A line is a rule: "-A CHAIN", matches, then "-j TARGET" with options of its own.  What
 * is not known here becomes what nft makes of it, {"xt": {"type", "name"}}: a match that
 * may hold, or a target that nft.c knows by its name or takes for any verdict.
 */
#include "iptables.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nft-match.h"

#define WORDS_MAX	128
#define NAME_SIZE	600	/* of a table and a chain: each has at most 256 */

/* A line that is being read. */
struct line {
	json_t *ruleset;	/* the array "nftables" */
	const char *family;
	const char *table;
	json_t *chains;		/* an object: their names */
	char *word[WORDS_MAX + 1];
	int count;
	int at;			/* the word that is next */
	bool negated;		/* by a "!" before it */
	const char *module;	/* of the last -m; NULL: of none */
	bool understood;	/* something of that was told */
	json_t *expr;		/* what is told so far */
};

/* Words, some in quotes; the text is cut up.  False: there are too many. */
static bool split(struct line *line, char *text)
{
	char *to;

	line->count = 0;
	while (*(text += strspn(text, " "))) {
		bool quoted = *text == '"';

		if (line->count == WORDS_MAX)
			return false;
		text += quoted;
		line->word[line->count++] = to = text;
		while (*text && *text != (quoted ? '"' : ' ')) {
			text += quoted && *text == '\\' && text[1];
			*to++ = *text++;
		}
		text += !!*text;
		*to = '\0';
	}
	line->word[line->count] = NULL;
	return true;
}

/* The next word; "" if there is none. */
static char *next(struct line *line)
{
	return line->at < line->count ? line->word[line->at++] : "";
}

static void add_foreign(struct line *line, const char *type, const char *name)
{
	json_array_append_new(line->expr, json_pack("{s:{s:s,s:s}}", "xt", "type", type,
						    "name", name));
}

/* Takes both sides over. */
static void add_match(struct line *line, json_t *left, json_t *right)
{
	json_array_append_new(line->expr, json_pack("{s:{s:s,s:o,s:o}}", "match",
						    "op", line->negated ? "!=" : "==",
						    "left", left, "right", right));
	line->understood = true;
}

static json_t *payload(const char *protocol, const char *field)
{
	return json_pack("{s:{s:s,s:s}}", "payload", "protocol", protocol, "field", field);
}

static json_t *keyed(const char *what, const char *key)
{
	return json_pack("{s:{s:s}}", what, "key", key);
}

static json_t *number_or_word(const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);

	return *text && !*end ? json_integer(number) : json_string(text);
}

/* "4791" or "4791:4800". */
static json_t *ports(char *text)
{
	char *colon = strchr(text, ':');

	if (!colon)
		return number_or_word(text);
	*colon = '\0';
	return json_pack("{s:[o,o]}", "range", number_or_word(text), number_or_word(colon + 1));
}

/* "A,B": each as nft writes it, in small letters. */
static json_t *list(char *text, json_t *(*one)(char *text))
{
	json_t *array = json_array();
	char *each, *c;

	while ((each = strsep(&text, ","))) {
		for (c = each; *c; c++)
			*c = tolower((unsigned char)*c);
		json_array_append_new(array, one(each));
	}
	return json_pack("{s:o}", "set", array);
}

static json_t *word(char *text)
{
	return json_string(text);
}

/* "ADDR/BITS".  Masks with holes are written otherwise, and not understood. */
static json_t *address(char *text)
{
	char *slash = strchr(text, '/');
	char *end = NULL;
	long bits = 0;

	if (!slash)
		return json_string(text);
	bits = strtol(slash + 1, &end, 10);
	if (*end)
		return json_string("@");
	*slash = '\0';
	return json_pack("{s:{s:s,s:i}}", "prefix", "addr", text, "len", (int)bits);
}

/* "eth+" is "eth*" with nft. */
static json_t *interface(char *text)
{
	size_t length = strlen(text);

	if (length && text[length - 1] == '+')
		text[length - 1] = '*';
	return json_string(text);
}

static void take_port(struct line *line, const char *protocol, const char *field)
{
	char *text = next(line);

	add_match(line, payload(protocol, field), list(text, ports));
}

static void take_type(struct line *line, const char *flag)
{
	json_t *fib = json_pack("{s:{s:s,s:[s]}}", "fib", "result", "type", "flags", flag);

	add_match(line, fib, list(next(line), word));
}

/* An option of a module; false: not one that is known here. */
static bool take_module_option(struct line *line, const char *option)
{
	const char *module = line->module ? line->module : "";

	if ((!strcmp(module, "udp") || !strcmp(module, "tcp")) && !strcmp(option, "--dport"))
		take_port(line, module, "dport");
	else if (!strcmp(module, "multiport") && !strcmp(option, "--dports"))
		take_port(line, "th", "dport");
	else if ((!strcmp(module, "conntrack") && !strcmp(option, "--ctstate")) ||
		 (!strcmp(module, "state") && !strcmp(option, "--state")))
		add_match(line, keyed("ct", "state"), list(next(line), word));
	else if (!strcmp(module, "addrtype") && !strcmp(option, "--dst-type"))
		take_type(line, "daddr");
	else if (!strcmp(module, "addrtype") && !strcmp(option, "--src-type"))
		take_type(line, "saddr");
	else
		return false;
	return true;
}

/* One without a module; false: not one that is known here. */
static bool take_option(struct line *line, const char *option)
{
	const char *ip = !strcmp(line->family, "ip") ? "ip" : "ip6";

	if (!strcmp(option, "-p"))
		add_match(line, keyed("meta", "l4proto"), number_or_word(next(line)));
	else if (!strcmp(option, "-s"))
		add_match(line, payload(ip, "saddr"), address(next(line)));
	else if (!strcmp(option, "-d"))
		add_match(line, payload(ip, "daddr"), address(next(line)));
	else if (!strcmp(option, "-i"))
		add_match(line, keyed("meta", "iifname"), interface(next(line)));
	else if (!strcmp(option, "-o"))
		add_match(line, keyed("meta", "oifname"), interface(next(line)));
	else
		return false;
	return true;
}

/* Modules that only unlock options, or say nothing. */
static bool is_silent(const char *module)
{
	return !strcmp(module, "udp") || !strcmp(module, "tcp") || !strcmp(module, "comment");
}

/* The options of a module are over: one that told nothing may hold or not. */
static void end_module(struct line *line)
{
	if (line->module && !line->understood && !is_silent(line->module))
		add_foreign(line, "match", line->module);
	line->module = NULL;
}

/* It is the last: what stands behind belongs to it. */
static void take_target(struct line *line, const char *option)
{
	char *name = next(line), *c;

	line->at = line->count;
	if (json_object_get(line->chains, name)) {
		const char *how = !strcmp(option, "-g") ? "goto" : "jump";

		json_array_append_new(line->expr, json_pack("{s:{s:s}}", how, "target", name));
		return;
	}
	if (strcmp(name, "ACCEPT") && strcmp(name, "RETURN")) {
		add_foreign(line, "target", name);
		return;
	}
	for (c = name; *c; c++)
		*c = tolower((unsigned char)*c);
	json_array_append_new(line->expr, json_pack("{s:n}", name));
}

/* Not understood: whatever it says, it may hold.  Its values are skipped. */
static void skip_option(struct line *line, const char *option)
{
	/* A piece of a packet, of IPv4: RDMA's are whole. */
	if (!strcmp(option, "-f")) {
		if (!line->negated)
			add_foreign(line, "match", "frag");
		return;
	}
	if (line->module && !strcmp(line->module, "comment")) {
		next(line);
		return;
	}
	add_foreign(line, "match", line->module ? line->module : option);
	line->understood = true;
	while (line->at < line->count && strcmp(line->word[line->at], "!") &&
	       *line->word[line->at] != '-')
		line->at++;
}

static void read_words(struct line *line)
{
	line->module = NULL;
	while (line->at < line->count) {
		const char *option = next(line);

		line->negated = !strcmp(option, "!");
		if (line->negated)
			option = next(line);
		if (!strcmp(option, "-m")) {
			end_module(line);
			line->module = next(line);
			line->understood = false;
		} else if (!strcmp(option, "-j") || !strcmp(option, "-g")) {
			end_module(line);
			take_target(line, option);
		} else if (!take_option(line, option) && !take_module_option(line, option)) {
			skip_option(line, option);
		}
	}
	end_module(line);
}

static void read_rule(struct line *line)
{
	const char *chain;

	line->at = 1;
	chain = next(line);
	line->expr = json_array();
	read_words(line);
	json_array_append_new(line->ruleset,
			      json_pack("{s:{s:s,s:s,s:s,s:o}}", "rule", "family", line->family,
					"table", line->table, "chain", chain, "expr", line->expr));
}

/* ":INPUT DROP [0:0]", or ":mine - [0:0]". */
static void read_chain(struct line *line)
{
	static const char *const hooks[][2] = {
		{ "PREROUTING", "prerouting" }, { "INPUT", "input" }, { "FORWARD", "forward" },
		{ "OUTPUT", "output" }, { "POSTROUTING", "postrouting" },
	};
	const char *name = line->word[0] + 1, *policy = line->count > 1 ? line->word[1] : "-";
	json_t *chain = json_pack("{s:s,s:s,s:s}", "family", line->family, "table", line->table,
				  "name", name);
	size_t i;

	for (i = 0; i < sizeof(hooks) / sizeof(hooks[0]) && strcmp(policy, "-"); i++)
		if (!strcmp(hooks[i][0], name))
			json_object_set_new(chain, "hook", json_string(hooks[i][1]));
	if (!strcmp(policy, "DROP"))
		json_object_set_new(chain, "policy", json_string("drop"));
	json_array_append_new(line->ruleset, json_pack("{s:o}", "chain", chain));
	json_object_set_new(line->chains, name, json_true());
}

/* @table: the one that the lines before have begun, "" for none. */
static void read_line(struct line *line, char *text, char *table, size_t size)
{
	if (*text == '*') {
		snprintf(table, size, "%s", text + 1);
		json_object_clear(line->chains);
		return;
	}
	if (!*table || (*text != ':' && strncmp(text, "-A ", 3)))
		return;
	if (!split(line, text)) {
		/* So long a rule may do anything, anywhere. */
		line->count = 4;
		line->word[2] = "-j";
		line->word[3] = "?";
	}
	if (*text == ':')
		read_chain(line);
	else
		read_rule(line);
}

/**
 * iptables_read() - put the rules of iptables into a ruleset
 * @ruleset: as nft lists it; {"nftables": []} is an empty one
 * @family: "ip" or "ip6"
 * @save: what iptables-save, or ip6tables-save, printed
 */
void iptables_read(json_t *ruleset, const char *family, const char *save)
{
	char table[64] = "";
	struct line line = { .ruleset = json_object_get(ruleset, "nftables"), .family = family,
			     .table = table, .chains = json_object() };
	char *copy = strdup(save);
	char *rest = copy;

	while (rest && *rest)
		read_line(&line, strsep(&rest, "\n"), table, sizeof(table));
	json_decref(line.chains);
	free(copy);
}

/* A match or a target of iptables, of which nft shows the name alone? */
static bool hides(json_t *rule)
{
	json_t *statement;
	size_t i;

	json_array_foreach(json_object_get(rule, "expr"), i, statement)
		if (json_object_get(statement, "xt"))
			return true;
	return false;
}

/**
 * iptables_hides() - are there rules of iptables that nft does not show in full?
 * @ruleset: what nft lists
 * @family: of the tables that are asked about
 */
bool iptables_hides(json_t *ruleset, const char *family)
{
	json_t *each;
	size_t i;

	json_array_foreach(json_object_get(ruleset, "nftables"), i, each) {
		json_t *rule = json_object_get(each, "rule");

		if (nft_same(nft_text(rule, "family"), family) && hides(rule))
			return true;
	}
	return false;
}

/* An object: for each chain of a family an array with its rules. */
static json_t *by_chain(json_t *ruleset, const char *family)
{
	json_t *chains = json_object();
	json_t *each;
	size_t i;

	json_array_foreach(json_object_get(ruleset, "nftables"), i, each) {
		json_t *rule = json_object_get(each, "rule");
		const char *table = nft_text(rule, "table"), *chain = nft_text(rule, "chain");
		char name[NAME_SIZE];

		if (!table || !chain || !nft_same(nft_text(rule, "family"), family))
			continue;
		snprintf(name, sizeof(name), "%s %s", table, chain);
		if (!json_object_get(chains, name))
			json_object_set_new(chains, name, json_array());
		json_array_append(json_object_get(chains, name), rule);
	}
	return chains;
}

/**
 * iptables_complete() - tell in full what nft has hidden
 * @ruleset: what nft lists
 * @family: "ip" or "ip6"
 * @save: what iptables-nft-save, or ip6tables-nft-save, printed
 *
 * Only those rules are taken from there: of others, that nft has made in the same
 * tables, iptables-save loses matches and whole chains without a word.  Those of a
 * chain are the same in number and order with both, or are left alone.
 */
void iptables_complete(json_t *ruleset, const char *family, const char *save)
{
	json_t *told = json_pack("{s:[]}", "nftables");
	json_t *full, *listed, *rules;
	const char *name;
	size_t i;

	iptables_read(told, family, save);
	full = by_chain(told, family);
	listed = by_chain(ruleset, family);
	json_object_foreach(listed, name, rules) {
		json_t *others = json_object_get(full, name);
		json_t *rule;

		if (json_array_size(others) != json_array_size(rules))
			continue;
		json_array_foreach(rules, i, rule)
			if (hides(rule))
				json_object_set(rule, "expr",
						json_object_get(json_array_get(others, i), "expr"));
	}
	json_decref(listed);
	json_decref(full);
	json_decref(told);
}
