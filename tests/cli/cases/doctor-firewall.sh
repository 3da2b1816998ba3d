# The doctor on packet filters: what it can tell from a ruleset, and what it cannot.
# shellcheck source=tests/cli/firewall.sh
. "$here/firewall.sh"
filter_make

ruleset "accepts all" accept
ruleset "drops all" drop
ruleset "drops all but established" drop "$(state '["established","related"]'),$accept" "$(into '"lo"'),$accept"
ruleset "drops all but this port" drop "$(port 4791),{\"counter\":{\"packets\":0}},$accept"
ruleset "all but a set" drop "$(port '{"set":[53,4791]}'),$accept"
ruleset "all but a range" drop "$(port '{"range":[4000,5000]}'),$accept"
ruleset "all but other ports" drop "$(port '{"set":[53,{"range":[1,100]}]}'),$accept"
ruleset "drops this port" accept "$(port 4791),$drop"
ruleset "drops others" accept "$(port 4791 '!='),$drop"
ruleset "rejects all at the end" accept "$(port 53),$accept" '{"reject":{"type":"icmp"}}'
ruleset "all but of one address" drop "$(from),$accept"
ruleset "drops of one address" accept "$(from),$drop"
ruleset "accepts either way" accept "$(from),$accept" "$accept"
ruleset "a map of states" drop '{"vmap":{"key":{"ct":{"key":"state"}},"data":{"set":[["established",{"accept":null}],["invalid",{"drop":null}]]}}}' "$(port 4791),$accept"
ruleset "a map that drops what is new" accept '{"vmap":{"key":{"ct":{"key":"state"}},"data":{"set":[["new",{"drop":null}]]}}}'
ruleset "a named set" drop "$(port '"@ports"'),$accept"
ruleset "so many a second" drop "$(port 4791),{\"limit\":{\"rate\":10}},$accept"
more=',{"rule":{"family":"inet","table":"filter","chain":"ours","expr":['"$(port 4791),$accept"']}}' \
	ruleset "a chain of its own" drop '{"jump":{"target":"ours"}}'
more=',{"rule":{"family":"inet","table":"filter","chain":"ours","expr":[{"return":null}]}}' \
	ruleset "a chain that returns" drop '{"jump":{"target":"ours"}}'
more=',{"rule":{"family":"inet","table":"filter","chain":"ours","expr":[{"goto":{"target":"ours"}}]}}' \
	ruleset "a chain without end" drop '{"goto":{"target":"ours"}}'
ruleset "all but of another interface" drop "$(into '"eth1"'),$accept"
ruleset "all but of this one" drop "$(into '"eth0"'),$accept"
ruleset "all but of some" drop "$(into '"eth*"'),$accept"
table=firewalld ruleset "firewalld" drop
hook=output ruleset "on the way out" drop
hook=forward ruleset "on the way through" drop

fake nft <<<'exit 1'
sick "not root"
fake nft <<<"exit 127"
sick "no nft"
mkdir "$sys/class/infiniband/rxe0/device"
ruleset "hardware" drop
put "$sys/class/infiniband/rxe0/node_type" '4: RNIC'
ruleset "iWARP" drop
ruleset "iWARP, and another port" drop "$(match '{"payload":{"protocol":"tcp","field":"dport"}}' 7471),$accept"
farmemd_conf 'listen = 10.0.0.1:9000'
ruleset "iWARP, the port that farmemd has here" drop
known --server 10.0.0.2
args="--server 10.0.0.2" ruleset "iWARP, the usual port of a server elsewhere" drop
