# SPDX-License-Identifier: GPL-2.0
# etcd by TLS: its certificate is verified, and so is the node's, which has no common name.

authority ca
authority other
certificate etcd /CN=etcd
certificate node /O=farmem
# shellcheck disable=SC2034 # of lib.sh
scheme=https ctl_options="--cacert $box/ca.pem --cert $box/node.pem --key $box/node.key"
etcd_start --cert-file "$box/etcd.pem" --key-file "$box/etcd.key" --client-cert-auth --trusted-ca-file "$box/ca.pem"
server a 512
agent a "ca = $box/ca.pem" "cert = $box/node.pem" "key = $box/node.key"
soon lists "rack-a $((512 << 20)) no"
agent_signal a TERM

agent a "ca = $box/other.pem" "cert = $box/node.pem" "key = $box/node.key"
soon grep -q "certificate.*; still trying" "$box/a.log"
agent_signal a TERM
: >"$box/a.log"
# The server hangs up: what libcurl makes of that depends on which end is first.
agent a "ca = $box/ca.pem"
soon grep -q "$endpoint: .*; still trying" "$box/a.log"
agent_signal a TERM
