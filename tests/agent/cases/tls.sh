# SPDX-License-Identifier: GPL-2.0
# etcd by TLS: its certificate is verified, and so is the node's, which has no common name.

authority() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" \
		-keyout "$box/$1.key" -out "$box/$1.pem" 2>/dev/null
}

# certificate NAME SUBJECT
certificate() {
	openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "$2" \
		-keyout "$box/$1.key" -out "$box/$1.csr" 2>/dev/null
	openssl x509 -req -in "$box/$1.csr" -CA "$box/ca.pem" -CAkey "$box/ca.key" -CAcreateserial -days 2 \
		-extfile <(echo "subjectAltName=IP:127.0.0.1") -out "$box/$1.pem" 2>/dev/null
}

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
