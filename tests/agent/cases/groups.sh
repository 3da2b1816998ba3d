# SPDX-License-Identifier: GPL-2.0
# What a node's watcher writes of its groups is in the directory as long as node and group are there.

etcd_start
watcher a "$(group big live '"chunks": [{"server": "10.0.0.1:7471", "state": "live"}]')" "$(group swap copying '"moving": ["swap-p0 1.0 %"]')"
agent a "node = n1"
agent b "node = n2"
soon groups_listed "n1 big live" "n1 swap copying"
soon has /farmem/1/status/n1/big '"chunks":[{"server":"10.0.0.1:7471","state":"live"}]'

# Whatever a value says, its key says which group of which node it is.
ctl put /farmem/1/status/n3/x '{"node": "n1", "name": "big", "state": "live"}'
ctl put /farmem/1/status/n3 '{"state": "live"}'
ctl put /farmem/1/status/n3/y '[]'
ctl put "/farmem/1/status/n3/$(printf 'f\303\266ur')" '{"state": "live"}'
soon groups_listed "n1 big live" "n1 swap copying" "n3 x live"
ctl del --prefix /farmem/1/status/n3

# Its server has nothing to do with it, and groups are no servers.
soon grep -q "the directory forgets this server" "$box/a.log"
lists || die "servers: $(listed)"

# Another state is news at once, how far a copy is when ten seconds have passed.
version() { field /farmem/1/status/n1/swap version | tr -dc 0-9; }
watcher a "$(group big degraded)" "$(group swap copying '"moving": ["swap-p0 2.0 %"]')"
soon has /farmem/1/status/n1/big degraded
before=$(version) began=$SECONDS
for ((n = 10; n < 40; n++)); do
	watcher a "$(group big degraded)" "$(group swap copying "\"moving\": [\"swap-p0 $n.0 %\"]")"
	sleep 0.5
done
soon has /farmem/1/status/n1/swap "39.0 %"
(($(version) - before <= (SECONDS - began) / 10 + 2)) || die "$(($(version) - before)) times in $((SECONDS - began)) s"

# One that is deleted goes, also while etcd is away.
watcher b "$(group other live)"
soon groups_listed "n1 big degraded" "n1 swap copying" "n2 other live"
watcher a "$(group swap live)"
soon groups_listed "n1 swap live" "n2 other live"
etcd_stop
watcher b "$(group more live)"
soon grep -q "groups: .*; still trying" "$box/b.log"
etcd_start
soon groups_listed "n1 swap live" "n2 more live"
# Of what was under way then some is never tried again.
soon grep -q "groups: etcd answers again" "$box/b.log"

# What is no name is no key, and what is no file of the watcher is said once.
watcher b "$(group 'a/b' live)" "$(group next live)"
soon groups_listed "n1 swap live" "n2 next live"
echo '{"version": 2, "groups": [{"name": "later", "state": "live"}]}' >"$box/run-b/farmem-groups/groups.json"
soon grep -q "groups.json: it is of another release" "$box/b.log"
soon groups_listed "n1 swap live"
echo '{' >"$box/run-b/farmem-groups/groups.json"
soon grep -q "groups.json: it is no JSON" "$box/b.log"
said b 1 "it is of another release" || die "said more than once"
watcher b "$(group next live)"
soon groups_listed "n1 swap live" "n2 next live"
touch -d "2 minutes ago" "$box/run-b/farmem-groups/groups.json"
soon groups_listed "n1 swap live"
grep -q "groups.json: its watcher has not written it for a minute" "$box/b.log" || die "a watcher that hangs: $(<"$box/b.log")"

# The last group goes with the file; a node that dies is forgotten when its time is over.
rm "$box/run-b/farmem-groups/groups.json"
watcher b "$(group more live)"
soon groups_listed "n1 swap live" "n2 more live"
agent_signal a TERM
# shellcheck disable=SC2034 # of groups_listed
reader=b
groups_listed "n2 more live" || die "left, and there"
agent_signal b KILL
gone() { [[ -z $(ctl get --prefix /farmem/1/status/ --keys-only) ]]; }
soon gone
