# SPDX-License-Identifier: GPL-2.0
# What a server has is in the directory while it answers, and what is news comes there.

etcd_start
server a 512
server b 256 uuid='"2"' cordoned=true
agent a
agent b
soon lists "rack-a $((512 << 20)) no" "rack-b $((256 << 20)) yes"
soon grep -q "server 1 is in the directory: 10.0.0.1:7471, failure domain rack-a" "$box/a.log"

# A sixteenth is news, less is not, and a cordon always is.
before=$(field /farmem/1/load/2 mod_revision)
server b 300 uuid='"2"' cordoned=true
server a 448
soon lists "rack-a $((448 << 20)) no" "rack-b $((256 << 20)) yes"
# By then b had its own ten seconds, too.
soon asked b $(($(wc -l <"$box/b/requests") + 3))
[[ $(field /farmem/1/load/2 mod_revision) == "$before" ]] || die "44 MiB of 1 GiB were news"
server b 300 uuid='"2"'
soon lists "rack-a $((448 << 20)) no" "rack-b $((300 << 20)) no"

# So is what a server wants back.
server a 448 wanted=$((64 << 20)) lent=$((512 << 20))
soon has /farmem/1/load/1 '"lent":536870912,"wanted":67108864'
server a 448
soon has /farmem/1/load/1 '"wanted":0'

# And how its programs wait; a little more is not.
server a 448 pressure=40
soon has /farmem/1/load/1 '"pressure":40'
before=$(field /farmem/1/load/1 mod_revision)
server a 448 pressure=49
soon asked a $(($(wc -l <"$box/a/requests") + 12))
[[ $(field /farmem/1/load/1 mod_revision) == "$before" ]] || die "9 percent more were news"

# What does not change is not written again.
server a 448 listen='["10.0.0.1:7471", "[fd00::1]:7471"]'
soon has /farmem/1/servers/1 fd00::1
[[ $(field /farmem/1/servers/2 version) == '"version":1' ]] || die "server b was told more than once"

# An agent that ends in peace is gone at once, one that dies when its time is over.
agent_signal a TERM
# shellcheck disable=SC2034 # of listed
reader=b
lists "rack-b $((300 << 20)) no" || die "left, and there: $(listed)"
agent_signal b KILL
soon lists
