# SPDX-License-Identifier: GPL-2.0
# TEST: what soft-RoCE itself bears: rping without farmem, its data compared, on a network like that of the cases; recorded, and faultless where nothing is wrong
# LONG: yes
# NODES: 2
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

COUNT=100
record=$RESULTS/verbs-under-netem.txt

both() {
	tc qdisc "$1" dev "$FARMEM_NETDEV" root "${@:2}"
	on-memory-node tc qdisc "$1" dev "$FARMEM_NETDEV" root "${@:2}"
}

listening() { on-memory-node rdma resource show cm_id | grep "LISTEN.*7174" >/dev/null; }

# pings BYTES - a READ and a WRITE of that size each; prints how they ended.
pings() {
	local status=0

	# shellcheck disable=SC2016 # expanded there
	on-memory-node sh -c 'setsid timeout 40 rping -s -a "$0" -p 7174 -S "$1" -C "$2" >/dev/null 2>&1 </dev/null &' \
		"$FARMEM_SERVER" "$1" $COUNT
	wait_for 20 listening
	timeout 20 rping -c -V -a "$FARMEM_SERVER" -p 7174 -S "$1" -C $COUNT >/tmp/rping.log 2>&1 || status=$?
	on-memory-node pkill -KILL -x rping || true
	case $status in
	0) echo "$COUNT of $COUNT" ;;
	124) echo "not over after 20 s" ;;
	*) echo "failed: $(grep -v '^$' /tmp/rping.log | tail -n 1)" ;;
	esac
}

for rules in '' 'loss 1%' 'loss 3%' 'delay 2ms reorder 25% 50%' 'delay 5ms reorder 25% 50%' \
	'delay 10ms loss 1% duplicate 2%' 'delay 10ms 5ms'; do
	# shellcheck disable=SC2086 # words
	[[ -z $rules ]] || both add netem $rules limit 10000
	for bytes in 512 4096 32768; do
		printf '%-34s %6s bytes: %s\n' "${rules:-nothing wrong}" $bytes "$(pings $bytes)" |
			tee -a "$record"
	done
	[[ -z $rules ]] || both del
done
expect_equal 3 "$(grep -c "^nothing wrong.*$COUNT of $COUNT" "$record")" "sizes that pass on a good network"
