# The doctor on packet filters: what a packet tells, and what the text of the rules does.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
mkdir "$sys/module/nf_tables"
# What changes the rules is the user's to run.
fake_change ufw iptables

# rules WHAT [ARG...] - with what nft lists on standard input
rules() {
	local what=$1
	shift
	cat >"$box/rules"
	fake nft <<-EOT
		[ "\$*" != "-s list ruleset" ] || exec cat "$box/rules"
		echo "nft \$*" >>"$box/changes"
	EOT
	sick "$what" "$@"
}

# chain HOOK POLICY [RULE...] - of nft's own
chain() {
	printf '\tchain %s {\n\t\ttype filter hook %s priority filter; policy %s;\n' "$1" "$1" "$2"
	shift 2
	[ $# -eq 0 ] || printf '\t\t%s\n' "$@"
	printf '\t}\n'
}

table() {
	printf 'table %s {\n' "$1"
	cat
	printf '}\n'
}

rules "no rule" </dev/null
chain input accept 'tcp dport 22 accept' | table 'inet filter' | rules "accepts"
chain input drop 'ct state established,related accept' | table 'inet filter' | rules "drops by default"
chain input drop 'udp dport { 53, 4791 } accept' | table 'inet filter' | rules "names the port"
chain input drop 'udp dport 14791 accept' | table 'inet filter' | rules "names a longer number"
chain input accept 'udp dport 4791 counter drop' | table 'inet filter' | rules "a rule against the port"
chain input accept 'ct state invalid drop' | table 'inet filter' | rules "drops on a condition"
chain input accept 'iif "lo" accept' 'counter drop' | table 'inet filter' | rules "drops in the end"
chain forward drop 'reject' | table 'inet filter' | rules "of others' packets"
chain output drop | table 'inet filter' | rules "on the way out"
{
	chain filter_INPUT accept 'jump filter_INPUT_ZONES' 'reject with icmpx admin-prohibited' | sed 's/hook [^ ]*/hook input/'
} | table 'inet firewalld' | rules "firewalld"
{
	chain INPUT drop 'counter jump ufw-before-input' | sed 's/hook [^ ]*/hook input/'
	printf '\tchain ufw-user-input {\n\t}\n'
} | table 'ip filter' | rules "ufw"
chain INPUT accept 'counter reject with icmp host-prohibited' | sed 's/hook [^ ]*/hook input/' |
	table 'ip filter' | rules "iptables"
chain OUTPUT drop | sed 's/hook [^ ]*/hook output/' | table 'ip6 filter' | rules "iptables, IPv6, on the way out"

# A packet knows better.
node_known --server 10.0.0.2
chain input drop 'ip saddr 10.0.0.0/8 accept' | table 'inet filter' | rules "the server answers" --server 10.0.0.2
sed -i 's/^contact.*/contact	silent/; s/server.connect\tok.*/server.connect\tfail\tno answer within 10 s\tping/; /server.version/,$d' "$box/visit"
chain input drop 'ip saddr 10.0.0.0/8 accept' | table 'inet filter' | rules "the server is silent" --server 10.0.0.2
chain input drop 'udp dport 4791 accept' | table 'inet filter' | rules "silent, and the port named" --server 10.0.0.2
chain input accept 'udp dport 4791 drop' | table 'inet filter' | rules "the rule against it" --server 10.0.0.2
chain input accept | table 'inet filter' | rules "silent for another reason" --server 10.0.0.2
chain input drop | table 'inet filter' | rules "opened by nobody but the user" --server 10.0.0.2 --fix
changed

fake nft <<'EOT'
echo "Operation not permitted (you must be root)" >&2
echo "netlink: Error: cache initialization failed: Operation not permitted" >&2
exit 1
EOT
sick "not root"
fake nft <<'EOT'
echo "netlink: Error: cache initialization failed: Invalid argument" >&2
exit 1
EOT
sick "a kernel that nft does not understand"
fake nft <<<'exit 1'
sick "nft fails without a word"
fake nft <<<'exit 127'
sick "no nft"
rmdir "$sys/module/nf_tables"
mkdir "$sys/module/iptable_filter"
sick "iptables-legacy"
rmdir "$sys/module/iptable_filter"
mkdir "$sys/module/nf_tables" "$sys/class/infiniband/rxe0/device"
chain input drop | table 'inet filter' | rules "hardware"
put "$sys/class/infiniband/rxe0/node_type" '4: RNIC'
chain input drop | table 'inet filter' | rules "iWARP"
chain input drop | table 'inet filter' | rules "iWARP, a port that the user says" --server 10.0.0.2:9001
chain input drop | table 'inet filter' | rules "iWARP, and of a server by its name" --server memory:9002
chain input drop | table 'inet filter' | rules "iWARP, IPv6 and no port" --server fd00::9003
chain input drop | table 'inet filter' | rules "iWARP, IPv6 and a port" --server '[fd00::1]:9004'
farmemd_conf 'listen = 10.0.0.1:9000'
chain input drop | table 'inet filter' | rules "iWARP, the port that farmemd has here"
chain input drop | table 'inet filter' | rules "iWARP, the usual port of a server elsewhere" --server 10.0.0.3
