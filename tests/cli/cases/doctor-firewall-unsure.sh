# What the doctor does not know of a rule it takes for neither way: but what can't be
# about a new packet of RoCE's does not count.
# shellcheck source=tests/cli/firewall.sh
. "$here/firewall.sh"
filter_make
xt() { echo "{\"xt\":{\"type\":\"$1\",\"name\":\"$2\"}}"; }
fib() { match "{\"fib\":{\"result\":\"$1\",\"flags\":[\"$2\",\"iif\"]}}" "$3"; }
meta() { match "{\"meta\":{\"key\":\"$1\"}}" "$2" "${3-==}"; }
tcp() { match "{\"payload\":{\"protocol\":\"tcp\",\"field\":\"$1\"}}" "${@:2}"; }
ours=$(port 4791)

echo "== may be a verdict"
ruleset "a target of iptables that rejects" accept "$ours,{\"counter\":{}},$(xt target REJECT)"
ruleset "one that gives it to a program" accept "$ours,$(xt target NFQUEUE)"
ruleset "one that is not known" accept "$ours,$(xt target WHATEVER)"
ruleset "one that an old nft does not name" accept "$ours,{\"counter\":{}},{\"xt\":null}"
ruleset "a queue" accept "$ours,{\"queue\":{\"num\":1}}"
ruleset "another place" accept "$ours,{\"dnat\":{\"addr\":\"10.0.0.9\"}}"
ruleset "a statement that is not known" accept "$ours,{\"whatever\":{}}"
ruleset "the same, of another port" accept "$(port 53),{\"whatever\":{}}"

echo "== is none"
ruleset "targets that look on" accept "$ours,$(xt target LOG)" "$(xt target MARK)" "{\"log\":null},{\"mangle\":{}}"
ruleset "another source" accept "$(from '"172.17.0.2"'),{\"masquerade\":null}" "$(from '"172.17.0.3"'),$(xt target MASQUERADE)"

echo "== may hold"
ruleset "a match of iptables" drop "$(xt match recent),$accept"
ruleset "one that an old nft does not name" drop "{\"xt\":null},{\"counter\":{}},$accept"
ruleset "a set that is filled on the way" drop "{\"set\":{\"op\":\"add\"}},$accept"
ruleset "a named map" accept '{"vmap":{"key":{"payload":{"protocol":"udp","field":"dport"}},"data":"@ports"}}'
ruleset "a map of addresses" accept '{"vmap":{"key":{"payload":{"protocol":"ip","field":"saddr"}},"data":{"set":[["10.0.0.9",{"drop":null}],["10.0.0.8",{"accept":null}]]}}}'
ruleset "a map where both ways are one" drop '{"vmap":{"key":{"payload":{"protocol":"ip","field":"saddr"}},"data":{"set":[["10.0.0.9",{"accept":null}],["10.0.0.8",{"accept":null}]]}}}' "$accept"

echo "== cannot hold"
ruleset "a port of another protocol, either way" accept "$(tcp dport 22),$drop" "$(tcp dport 22 '!='),$drop"
ruleset "flags of another protocol" accept "$(match '{"&":[{"payload":{"protocol":"tcp","field":"flags"}},["syn"]]}' '"syn"' '!='),$drop"
ruleset "a piece of a packet" accept "$(match '{"&":[{"payload":{"protocol":"ip","field":"frag-off"}},8191]}' 0 '!='),$drop"
ruleset "an address of the other IP version, either way" accept \
	"$(match '{"payload":{"protocol":"ip6","field":"saddr"}}' '"fd00::9"' '!='),$drop"
ruleset "the other IP version" accept "$(meta nfproto '"ipv6"'),$drop"
ruleset "a source without a way back" accept "$(fib oif saddr false),$drop"
ruleset "not to this node" accept "$(fib type daddr '"local"'),$accept" "$drop"
ruleset "a broadcast" accept "$(fib type daddr '{"set":["broadcast","multicast"]}'),$drop"
ruleset "a multicast, or loopback" accept "$(from '{"prefix":{"addr":"224.0.0.0","len":4}}'),$drop" "$(from '"127.0.0.1"'),$drop"
ruleset "the way out of a packet that comes" accept "$(match '{"meta":{"key":"oifname"}}' '"eth0"'),$drop"
ruleset "a routing header" accept "$(match '{"exthdr":{"name":"rt","field":"type"}}' 0),$drop" "$(xt match rt),$drop"
ruleset "a header of the other IP version, either way" accept "$(match '{"exthdr":{"name":"frag"}}' true),$drop" "$(match '{"exthdr":{"name":"frag"}}' false),$drop"
ruleset "an answer that others get" accept '{"reject":{"type":"icmpv6"}}' '{"reject":{"type":"tcp reset"}}'
ruleset "a state that a new one has not" accept "$(state '"invalid"'),$drop" "$(state '"new"' '!='),$accept"
ruleset "lower ports, and higher" accept "$(port 1024 '<'),$drop" "$(port 4791 '>'),$drop" "$(port 5000 '>='),$drop"

echo "== holds"
ruleset "a port that is low enough" accept "$(port 4791 '<='),$drop"
ruleset "a number of a protocol" accept "$(meta l4proto 17),$drop"
ruleset "one's own IP version" accept "$(meta nfproto '"ipv4"'),$drop"
ruleset "another than the way out, which has no name yet" accept "$(match '{"meta":{"key":"oifname"}}' '"eth0"' '!='),$drop"
ruleset "an element with a comment" drop "$(port '{"set":[53,{"elem":{"val":4791,"comment":"RoCE"}}]}'),$accept"

echo "== addresses, once the server is known"
known --server 10.0.0.2
args="--server 10.0.0.2"
ruleset "of the server" drop "$(from),$accept"
ruleset "of its network" drop "$(from '{"prefix":{"addr":"10.0.0.0","len":8}}'),$accept"
ruleset "of half of it" accept "$(from '{"prefix":{"addr":"10.0.0.0","len":31}}'),$drop"
ruleset "of some" drop "$(from '{"set":["10.0.0.9",{"range":["10.0.0.1","10.0.0.3"]}]}'),$accept"
ruleset "to this node, whichever of its addresses" drop \
	"$(match '{"payload":{"protocol":"ip","field":"daddr"}}' '"10.0.0.1"'),$accept"
hook=output ruleset "to the server" accept "$(match '{"payload":{"protocol":"ip","field":"daddr"}}' '"10.0.0.2"'),$drop"
hook=output ruleset "out, with what only a packet that comes has" accept "$(into '"eth0"'),$drop"
hook=output ruleset "out, unsure" accept "$(xt match recent),$drop"
