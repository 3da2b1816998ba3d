# iptables of the old kind, whose rules nft does not see; and a kernel with all built in.
# shellcheck source=tests/cli/firewall.sh
. "$here/firewall.sh"
filter_make
rmdir "$sys/module/nf_tables"
fake nft <<<"echo 'nft is asked'; exit 1"
names=$proc/net/ip_tables_names
saves() {
	printf '%s\n' '*filter' "$@" COMMIT >"$box/legacy"
	fake iptables-legacy-save <<<"cat '$box/legacy'"
}

put "$names" ''
sick "no rules"
rm "$names"
mkdir "$names"	# not to be read, even by root
sick "not root"
rmdir "$names"
put "$names" filter
sick "no program to ask"
saves ':INPUT ACCEPT [0:0]' '-A INPUT -p udp -m udp --dport 53 -j DROP'
sick "rules that drop others"
saves ':INPUT DROP [0:0]' '-A INPUT -i lo -j ACCEPT' '-A INPUT -m state --state RELATED,ESTABLISHED -j ACCEPT'
sick "rules that drop it"
sick "with --fix" --fix
changed
saves ':INPUT DROP [0:0]' '-A INPUT -m recent --rcheck --seconds 60 --name x --mask 255.255.255.255 --rsource -j ACCEPT'
sick "rules that may"
saves ':INPUT ACCEPT [0:0]' ':mine - [0:0]' '-A INPUT -g mine' '-A mine -m comment --comment -j -p udp -m udp --dport 4700:4800 -j mine2' \
	'-A mine -j REJECT --reject-with icmp-port-unreachable'
sick "a chain, a comment that looks like a target, a target that is not known"
saves ':INPUT ACCEPT [0:0]' "-A INPUT$(printf ' ! -d 10.0.0.%s' {1..200}) -p tcp -j LOG"
sick "a rule that is too long to be read"
saves ':INPUT ACCEPT [0:0]' '-A INPUT -s 10.0.0.0/255.0.0.255 -j DROP'
sick "a mask with holes"
saves ':INPUT ACCEPT [0:0]' '-A INPUT -p 6 -j DROP' '-A INPUT ! -f -p udp -j DROP'
sick "a number of a protocol, and whole packets"
rm "$names"
put "$proc/net/ip6_tables_names" filter
sick "rules for IPv6, and none to list them"

mkdir "$sys/module/nf_tables"
rm "$proc/net/ip6_tables_names"
put "$names" filter
ruleset "nft accepts, and there are old rules that may not" accept
fake iptables-legacy-save <<<'exit 1'
ruleset "nft accepts, and the old rules are not listed" accept

rmdir "$sys/module/nf_tables"
rm "$names"
ruleset "no filter is loaded: nft would load it" drop
echo nf_tables >"$box/builtin"
ruleset "nf_tables is built in" drop
