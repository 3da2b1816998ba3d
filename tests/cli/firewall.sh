# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# firewall.sh - packet filters of the node that node.sh makes, for the cases
# doctor-firewall*.
#
#   ruleset WHAT POLICY [RULE...]   an input chain with these rules: what does the
#                                   doctor find?  In table $table of $family, hook $hook;
#                                   $more rules and chains behind it, $dev of the chain
#   recorded WHAT NAME [ARG...]     the ruleset rulesets/NAME, as the tools print it
#   match port state into from      statements of rules, in nft's JSON

# shellcheck source=tests/cli/node.sh
. "$here/node.sh"

filter_make() {
	node_make
	mkdir "$sys/module/nf_tables"
	fake_change ufw iptables-nft ip6tables-nft iptables-legacy ip6tables-legacy
	for name in iptables-nft-save ip6tables-nft-save iptables-legacy-save ip6tables-legacy-save; do
		fake "$name" <<<'exit 127'
	done
	# A node without the interfaces' zones, as firewall-cmd says it.
	fake firewall-cmd <<-EOT
		case "\$*" in
		--get-zone-of-interface=*) cat "$box/zone.\${1#*=}" 2>/dev/null || { echo "no zone"; exit 2; } ;;
		*) echo "firewall-cmd \$*" >>"$box/changes"
		   [ ! -x "$box/do-firewall-cmd" ] || exec "$box/do-firewall-cmd" "\$@" ;;
		esac
	EOT
}

# Well is what the doctor says where no filter is loaded.
known() {
	rmdir "$sys/module/nf_tables"
	node_known "$@"
	mkdir "$sys/module/nf_tables"
}

# An nft that lists $box/rules.
nft_lists() {
	fake nft <<-EOT
		[ "\$*" != "-j list ruleset" ] || exec cat "$box/rules"
		echo "nft \$*" >>"$box/changes"
		[ ! -x "$box/do-nft" ] || exec "$box/do-nft" "\$@"
	EOT
}

ruleset() {
	local what=$1 policy=$2 rules='' rule
	local place="\"family\":\"${family-inet}\",\"table\":\"${table-filter}\""
	local name="${chain-input}"
	shift 2
	for rule; do
		rules+=",{\"rule\":{$place,\"chain\":\"$name\",\"handle\":9,\"expr\":[$rule]}}"
	done
	echo "{\"nftables\":[{\"metainfo\":{}},{\"table\":{\"family\":\"${family-inet}\",\"name\":\"${table-filter}\"}},
		{\"chain\":{$place,\"name\":\"$name\",\"type\":\"filter\",\"hook\":\"${hook-input}\",${dev:+\"dev\":$dev,}\"prio\":0,\"policy\":\"$policy\"}}$rules${more-}]}" >"$box/rules"
	nft_lists
	# shellcheck disable=SC2086 # none, or two
	sick "$what" ${args-}
}

# Those of iptables are saved by programs of their own.
record() {
	nft_lists
	cp "$here/rulesets/$1.json" "$box/rules"
	for save in 4: 6:6; do
		fake "ip${save#*:}tables-nft-save" <<<"cat '$here/rulesets/$1.save${save%:*}' 2>/dev/null; exit 0"
	done
}

recorded() {
	local what=$1
	record "$2"
	shift 2
	sick "$what" "$@"
}

match() { echo "{\"match\":{\"op\":\"${3-==}\",\"left\":$1,\"right\":$2}}"; }
port() { match '{"payload":{"protocol":"udp","field":"dport"}}' "$@"; }
state() { match '{"ct":{"key":"state"}}' "$1" in; }
into() { match '{"meta":{"key":"iifname"}}' "$@"; }
from() { match '{"payload":{"protocol":"ip","field":"saddr"}}' "${1-"\"10.0.0.2\""}"; }
# shellcheck disable=SC2034 # the cases'
accept='{"accept":null}' drop='{"drop":null}'
