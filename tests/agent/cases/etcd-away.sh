# SPDX-License-Identifier: GPL-2.0
# etcd is away, with one member or all, and comes back with its data or without.

etcd_start
server a 512
# The first of its endpoints is never there.
endpoints="http://127.0.0.1:1/ $endpoint" agent a
soon lists "rack-a $((512 << 20)) no"
! grep -q "still trying" "$box/a.log" || die "one member of two is enough"

etcd_stop
soon grep -q "none of etcd's 2 members answers; http://127.0.0.1:.*; still trying" "$box/a.log"
answer=$(listed)
[[ $answer == "farmem-agent: none of etcd's 2 members answers; http://127.0.0.1:"*"next: systemctl status etcd (on that node)" ]] || die "without etcd: $answer"
etcd_start
soon grep -q "etcd answers again" "$box/a.log"
soon lists "rack-a $((512 << 20)) no"

# Stopped in the midst of a call, it costs the time that it has for an answer.
kill -STOP "$etcd_pid"
soon said a 2 "still trying"
kill -CONT "$etcd_pid"
soon said a 2 "etcd answers again"
soon lists "rack-a $((512 << 20)) no"

# A call that fails is made again, though its lease lives on.
agent_signal a TERM
: >"$box/a.log"
agent a "ttl = 300"
soon lists "rack-a $((512 << 20)) no"
kill -STOP "$etcd_pid"
server a 512 cordoned=true
soon said a 1 "still trying"
kill -CONT "$etcd_pid"
soon lists "rack-a $((512 << 20)) yes"
soon said a 1 "etcd answers again"
agent_signal a TERM
server a 512
agent a
soon lists "rack-a $((512 << 20)) no"

# An administrator takes the lease away, or all data.
ctl lease list | sed 1d | xargs -n 1 env ETCDCTL_API=3 "$etcd/etcdctl" --endpoints "$endpoint" lease revoke
soon lists "rack-a $((512 << 20)) no"
etcd_stop
rm -rf "$box/etcd"
etcd_start
soon lists "rack-a $((512 << 20)) no"

# It does not wait for an etcd that is away.
etcd_stop
agent_signal a TERM
