# SPDX-License-Identifier: GPL-2.0
# Nodes that keep the cluster's sets: two of them agree, servers come and go, and etcd's data is lost.

# sets_have COUNT - servers in each permutation
sets_have() {
	[[ $(ctl get --print-value-only /farmem/1/copysets | jq -c '[.permutations[] | flatten | unique | length]') == "[$1,$1]" ]]
}

etcd_start
for name in a b c d e; do
	server "$name" 512 uuid="\"$name\""
done
for name in a b c d; do
	agent "$name"
done
for name in x y; do
	printf '%s\n' "etcd = $endpoint" "sets = 10" >"$box/$name.conf"
	"$build/farmem-agent" --config "$box/$name.conf" >"$box/$name.log" 2>&1 &
	printf -v "agent_$name" %s $!
done
soon sets_have 4
# Each of the two does it alone.
agent_signal x STOP
agent e
soon sets_have 5
agent_signal x CONT
agent_signal y STOP
agent_signal e TERM
soon sets_have 4
agent_signal y CONT

# What is no set stays until an administrator deletes it. Other keys are none of theirs.
agent_signal x KILL
ctl put /farmem/1/copysets.bak other
ctl put /farmem/1/copysets rubbish
soon said y 1 "are none of this release; etcdctl del /farmem/1/copysets has them made anew"
# Meanwhile y looks some times.
for _ in {1..3}; do
	agent e
	soon has /farmem/1/servers/e rack-e
	agent_signal e TERM
done
[[ $(ctl get --print-value-only /farmem/1/copysets) == rubbish ]] || die "it was written over"
ctl del /farmem/1/copysets
soon sets_have 4

# All servers are gone: nothing changes in a time in which one of them would lose its place.
before=$(field /farmem/1/copysets version)
for name in a b c d; do
	agent_signal "$name" TERM
done
# shellcheck disable=SC2034 # of listed
reader=y
soon lists
soon grep "most servers are gone at one time" "$box/y.log"
[[ $(field /farmem/1/copysets version) == "$before" ]] || die "the sets forgot all servers"
agent_signal y TERM
