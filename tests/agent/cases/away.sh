# SPDX-License-Identifier: GPL-2.0
# A farmemd that does not answer is forgotten in time, and is there again when it answers.

etcd_start
agent a
soon grep -q "a.sock: No such file or directory; the directory forgets this server unless that ends" "$box/a.log"
lists || die "there is a server: $(listed)"
server a 512
soon lists "rack-a $((512 << 20)) no"

# Another farmemd of this node is another server.
server a 512 uuid='"2"'
soon has /farmem/1/servers/2 rack-a
soon lists "rack-a $((512 << 20)) no"
server a 512
soon has /farmem/1/servers/1 rack-a
soon lists "rack-a $((512 << 20)) no"
agent_signal a TERM
: >"$box/a.log"

# As after a restart of farmemd in its time: nothing is written anew.
agent a "ttl = 60"
soon lists "rack-a $((512 << 20)) no"
first=$(field /farmem/1/servers/1 lease)
server_gone a
soon said a 1 "unless that ends"
server a 512
soon asked a 3
[[ $(field /farmem/1/servers/1 lease) == "$first" ]] || die "another lease"
lists "rack-a $((512 << 20)) no" || die "it was forgotten: $(listed)"
agent_signal a TERM

agent a
soon lists "rack-a $((512 << 20)) no"
server_gone a
soon lists
server a 128
soon lists "rack-a $((128 << 20)) no"

# Something else answers there.
for answer in '{"ok": true}' 'no JSON' '{"size": 1, "free": 2, "cordoned": false}'; do
	echo "$answer" >"$box/a/status"
	soon said a 1 "no farmemd, or one of another release"
	soon lists
	: >"$box/a.log"
	server a 128
	soon lists "rack-a $((128 << 20)) no"
done
server a 128 listen='["0.0.0.0:7471"]'
soon grep -q "farmemd listens on all addresses; give address = ADDR:PORT in the agent's file" "$box/a.log"
soon lists
agent_signal a TERM
agent a "address = 192.0.2.1:7471" "address = 192.0.2.2:7471"
soon lists "rack-a $((128 << 20)) no"
[[ $("$build/farmemctl" cluster servers --config "$box/a.conf" --json | tr -d ' \n') == *'["192.0.2.1:7471","192.0.2.2:7471"]'* ]] ||
	die "other addresses"
agent_signal a TERM
lists || die "it stayed: $(listed)"
