// SPDX-License-Identifier: GPL-2.0
#include "firewall.h"

#include <string.h>

#include "attr.h"
#include "cleanup.h"
#include "command.h"
#include "iptables.h"

#define SECONDS	15

/* Both IP versions have programs and tables of their own. */
static const struct version {
	const char *family;	/* of their tables, with nft */
	const char *names;	/* the tables of iptables-legacy, below /proc */
	const char *save;	/* that prints the rules of iptables-nft */
	const char *save_legacy;
} versions[] = {
	{ "ip", "net/ip_tables_names", "iptables-nft-save", "iptables-legacy-save" },
	{ "ip6", "net/ip6_tables_names", "ip6tables-nft-save", "ip6tables-legacy-save" },
};

#define VERSIONS (sizeof(versions) / sizeof(versions[0]))

/* @program prints its rules, which @put puts into @rules. */
static bool add_rules(json_t *rules, const char *family, const char *program,
		      void (*put)(json_t *ruleset, const char *family, const char *save))
{
	CLEANUP_FREE char *output = NULL;

	if (command_ask(&output, SECONDS, program, NULL))
		return false;
	put(rules, family, output);
	return true;
}

static void read_nft(struct firewall *firewall)
{
	CLEANUP_FREE char *output = NULL;
	int rc = command_ask(&output, SECONDS, "nft", "-j", "list", "ruleset", NULL);
	size_t i;

	if (!rc)
		firewall->rules = json_loads(output, 0, NULL);
	if (!firewall->rules) {
		firewall->nft = rc == COMMAND_MISSING ? FIREWALL_NO_PROGRAM : FIREWALL_DENIED;
		return;
	}
	firewall->nft = FIREWALL_READ;
	for (i = 0; i < VERSIONS; i++)
		if (iptables_hides(firewall->rules, versions[i].family))
			firewall->hidden |= !add_rules(firewall->rules, versions[i].family,
						       versions[i].save, iptables_complete);
}

/* Has iptables of the old kind rules in the kernel?  Root alone may read their tables' names. */
static enum firewall_answer look_for_legacy(const struct version *version)
{
	CLEANUP_FREE char *path = text_format("%s/%s", proc_root(), version->names);
	CLEANUP_FREE char *names = attr_read(path);

	if (!names)
		return file_missing(path) ? FIREWALL_NONE : FIREWALL_DENIED;
	return *names ? FIREWALL_READ : FIREWALL_NONE;
}

static void read_legacy(struct firewall *firewall, const struct version *version)
{
	enum firewall_answer answer = look_for_legacy(version);

	if (answer == FIREWALL_READ && !add_rules(firewall->legacy_rules, version->family,
						  version->save_legacy, iptables_read))
		answer = FIREWALL_NO_PROGRAM;
	/* One that is not known outweighs another that is. */
	if (answer > firewall->legacy)
		firewall->legacy = answer;
}

/**
 * firewall_read() - ask for the rules of all packet filters
 * @firewall: the answer, for firewall_free()
 * @has_nft: nftables is loaded; else it is not asked, which would load it
 */
void firewall_read(struct firewall *firewall, bool has_nft)
{
	size_t i;

	memset(firewall, 0, sizeof(*firewall));
	if (has_nft)
		read_nft(firewall);
	firewall->legacy_rules = json_pack("{s:[]}", "nftables");
	for (i = 0; i < VERSIONS; i++)
		read_legacy(firewall, &versions[i]);
}

/** firewall_free() - what firewall_read() has filled */
void firewall_free(struct firewall *firewall)
{
	json_decref(firewall->rules);
	json_decref(firewall->legacy_rules);
}
