# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For cases with etcd and farmem-agent:  . "$FARMEM_TESTS/vm/cluster.sh", after rack.sh
#
#   etcd_start, etcd_stop   an etcd that keeps what it was told
#   agent N                 an agent of the Nth server of a rack, whose failure domain is rN;
#                           agent sets...: one that keeps the sets; agent node: this node's groups
#   agents_killed           agents are killed and started anew, at random, until agents_rest
#   knows N, knows_group NAME STATE, knows_no_group   what the directory has

CLUSTER=/tmp/cluster
# Beside the run, whose programs come first.
ETCD=$(realpath "${PATH%%:*}/../../../etcd/usr/bin")
mkdir -p $CLUSTER
[[ -x $ETCD/etcd ]] || die "there is no etcd in the cache: tests/agent/fetch-etcd"

etcd_start() {
	"$ETCD/etcd" --data-dir $CLUSTER/etcd --log-level error --listen-client-urls http://127.0.0.1:2379 \
		--advertise-client-urls http://127.0.0.1:2379 --listen-peer-urls http://127.0.0.1:2380 \
		--initial-advertise-peer-urls http://127.0.0.1:2380 --initial-cluster default=http://127.0.0.1:2380 \
		>>$CLUSTER/etcd.log 2>&1 &
	etcd_pid=$!
	wait_for 60 etcdctl endpoint health
}
etcd_stop() {
	kill "$etcd_pid"
	wait "$etcd_pid" || true
}
etcdctl() { ETCDCTL_API=3 "$ETCD/etcdctl" "$@"; }

agent() {
	{
		printf '%s\n' "etcd = http://127.0.0.1:2379"
		if [[ $1 == sets* ]]; then
			echo "sets = 20"
		elif [[ $1 == node ]]; then
			printf '%s\n' "node = tester" "ttl = 10"
		else
			printf '%s\n' "status-socket = /run/rack$1.status" "domain = r$1" "ttl = 10"
		fi
	} >"$CLUSTER/$1.conf"
	farmem-agent --config "$CLUSTER/$1.conf" >>"$CLUSTER/$1.log" 2>&1 &
	agents[$1]=$!
}
declare -A agents=()

# By a process of its own. Each has a while to live and to be away.
agents_killed() {
	local name names=("${!agents[@]}")

	(
		while [[ ! -e $CLUSTER/rest ]]; do
			pause "$((RANDOM % 4 + 1))"
			name=${names[RANDOM % ${#names[@]}]}
			kill -KILL "${agents[$name]}" || echo "$name" >>$CLUSTER/died
			wait "${agents[$name]}" 2>/dev/null || true
			echo "$name" >>$CLUSTER/killed
			pause "$((RANDOM % 3)).1"
			agent "$name"
		done
		: >$CLUSTER/rested
	) &
}
agents_rest() {
	: >$CLUSTER/rest
	wait_for 60 test -e $CLUSTER/rested
}

# What farmemctl reads.
mkdir -p /etc/farmem
(umask 077; echo "etcd = http://127.0.0.1:2379" >/etc/farmem/agent.conf)
cluster() { farmemctl cluster "$1" --json; }
knows() { [[ $(cluster servers | jq '.servers | length') == "$1" ]]; }
# knows_group NAME STATE - of this node
knows_group() { cluster groups | jq -e --arg name "$1" --arg state "$2" \
	'.groups == [.groups[] | select(.node == "tester" and .name == $name and .state == $state)] and (.groups | length == 1)' >/dev/null; }
knows_no_group() { cluster groups | jq -e '.groups == []' >/dev/null; }
