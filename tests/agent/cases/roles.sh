# SPDX-License-Identifier: GPL-2.0
# Users of etcd: a memory node writes its own keys and no other, and its token is renewed.

etcd_start
ctl user add root:secret
ctl user grant-role root root
for node in 1 2; do
	ctl role add "lender-$node"
	for folder in servers load; do
		ctl role grant-permission "lender-$node" readwrite "/farmem/1/$folder/$node"
	done
	ctl user add "node-$node:password-$node"
	ctl user grant-role "node-$node" "lender-$node"
	echo "password-$node" >"$box/password-$node"
done
ctl role add client-3
ctl role grant-permission client-3 readwrite --prefix /farmem/1/status/n3/big
ctl user add node-3:password-3
ctl user grant-role node-3 client-3
echo password-3 >"$box/password-3"
ctl role add reader
ctl role grant-permission reader read --prefix /farmem/1/
ctl user add reader:password-reader
ctl user grant-role reader reader
echo password-reader >"$box/password-reader"
ctl auth enable
printf '%s\n' "etcd = $endpoint" "user = reader" "password = $box/password-reader" >"$box/reader.conf"
# shellcheck disable=SC2034 # of lib.sh
reader=reader

server a 512
server b 256 uuid='"2"'
agent a "user = node-1" "password = $box/password-1"
agent b "user = node-1" "password = $box/password-1"
soon lists "rack-a $((512 << 20)) no"
soon grep -q "permission denied; still trying" "$box/b.log"
lists "rack-a $((512 << 20)) no" || die "node 1 wrote the keys of node 2: $(listed)"
agent_signal b TERM
agent b "user = node-2" "password = $box/password-2"
soon lists "rack-a $((512 << 20)) no" "rack-b $((256 << 20)) no"

# A compute node writes its own groups, and says nothing for another node.
watcher c "$(group big live)" "$(group other live)"
watcher d "$(group big live)"
for agent in c d; do
	agent $agent "user = node-3" "password = $box/password-3" "node = n${agent/#c/3}"
done
soon groups_listed "n3 big live"
soon grep -q "groups: .*permission denied; still trying" "$box/c.log"
watcher c "$(group big degraded)" "$(group other live)"
soon groups_listed "n3 big degraded"
soon grep -q "groups: .*permission denied; still trying" "$box/d.log"
groups_listed "n3 big degraded" || die "node 3 wrote a key of node d"
agent_signal d TERM

# A member that starts anew has forgotten all tokens.
etcd_stop
ctl_options="--user root:secret" etcd_start
server a 128
soon lists "rack-a $((128 << 20)) no" "rack-b $((256 << 20)) no"

# A node that keeps the sets, and may not: once said is enough.
printf '%s\n' "etcd = $endpoint" "user = reader" "password = $box/password-reader" "sets = 10" >"$box/m.conf"
"$build/farmem-agent" --config "$box/m.conf" >"$box/m.log" 2>&1 &
agent_m=$!
soon grep -q "sets: .*permission denied; still trying" "$box/m.log"

# Without a password, and with a wrong one.
agent_signal a TERM
agent a
soon grep -q "user name is empty; still trying" "$box/a.log"
agent_signal a TERM
agent a "user = node-1" "password = $box/password-2"
soon grep -q "invalid user ID or password; still trying" "$box/a.log"
agent_signal a TERM

# As systemd gives a password to a service.
mkdir "$box/credentials"
mv "$box/password-1" "$box/credentials"
CREDENTIALS_DIRECTORY=$box/credentials agent a "user = node-1" "password = $box/password-1"
soon lists "rack-a $((128 << 20)) no" "rack-b $((256 << 20)) no"
! grep "answers again" "$box/m.log" || die "it was told again and again: $(<"$box/m.log")"
[[ $(grep -c "still trying" "$box/c.log") == 1 ]] || die "it was told again and again: $(<"$box/c.log")"
kill "$agent_m"
