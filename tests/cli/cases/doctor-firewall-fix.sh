# Who is told to let RoCE's packets pass: who owns the rules.
# shellcheck source=tests/cli/firewall.sh
. "$here/firewall.sh"
filter_make
# From then on it is as if the ruleset NAME had been recorded.
helps() {
	cat >"$box/do-$1" <<-EOT
		#!/bin/bash
		cp "$here/rulesets/$2.json" "$box/rules"
		printf "#!/bin/bash\ncat '$here/rulesets/$2.save4' 2>/dev/null; exit 0\n" >"$box/bin/iptables-nft-save"
	EOT
	chmod +x "$box/do-$1"
}

helps ufw ufw-allowed
recorded "ufw" ufw --fix
changed
rm "$box/do-ufw"

# It is installed, and off: somebody else's rules drop.
put "$root/usr/sbin/ufw" ''
ruleset "ufw is off" drop
family=ip table=filter chain=INPUT more=',{"chain":{"family":"ip","table":"filter","name":"ufw-before-input"}}' \
	ruleset "ufw is off, its empty chains are there" drop

echo eth0: >"$box/zone"
helps firewall-cmd firewalld-allowed
recorded "firewalld, the interface is in no zone" firewalld --fix
changed
echo internal >"$box/zone.eth0"
recorded "firewalld, the interface is in a zone" firewalld-zone --fix
changed
rm "$box/do-firewall-cmd"
table=firewalld hook=output ruleset "firewalld, on the way out" drop
more=',{"chain":{"family":"ip","table":"filter","name":"INPUT_ZONES"}}' family=ip chain=INPUT \
	ruleset "firewalld with rules of iptables" drop

helps iptables-nft iptables-services-allowed
recorded "iptables" iptables-services --fix
changed
family=ip table=raw chain=PREROUTING hook=prerouting ruleset "iptables, another table" drop
family=ip chain=mine ruleset "a table of that name, made with nft" drop
helps nft firewalld-allowed
args=--fix ruleset "nft" drop
changed
hook=output ruleset "nft, on the way out" drop
put "$root/etc/sysconfig/nftables.conf" ''
ruleset "nft, on RHEL" drop
recorded "iptables, on RHEL" iptables-services
