# SPDX-License-Identifier: GPL-2.0
# TEST: another client's rkey is worth nothing to a client that has come by it, neither to read nor to write
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

size=$((16 << 20))

# key_of BYTES - the rkey of farmemd's only registration of that many.
key_of() {
	on-memory-node rdma -j -d resource show mr |
		jq -r --argjson bytes "$1" '.[] | select(.comm == "farmemd" and .mrlen == $bytes) | .rkey'
}

# broken QUEUE - how many sessions of mallory's have ended with it.
broken() {
	farmemd_log | grep -cF "(mallory): session closed: queue $1 broke (" || true
}

# one_more QUEUE - is there one more than $before?
one_more() {
	(($(broken "$1") == before + 1))
}

# refused QUEUE STEP
refused() {
	local before

	before=$(broken "$1")
	peer -n mallory -q 2 "$FARMEM_SERVER" 7471 connect hello queue=1 open=1,$size "on=$1" "$2" gone=20000
	peer_denied 30 "${2%%=*}"
	peer_said 30 disconnected
	wait "$peer_pid"
	# Not the log's last line: the adapter's own event may follow it.
	wait_for 30 one_more "$1"
}

serve
bystander
# The pool is lent from its start: before mallory's bytes are those of the bystander.
peer -n mallory "$FARMEM_SERVER" 7471 connect hello open=1,$size
peer_said 30 'grant reason=0'
wait "$peer_pid"
grant=$(<"$PEER_LOG")
[[ $grant =~ first=(0x[0-9a-f]+), ]] && data=$((BASH_REMATCH[1] - (32 << 20)))
[[ $grant =~ state=(0x[0-9a-f]+)\  ]] && state=$((BASH_REMATCH[1] - (32 << 20) / 4096))
# Hexadecimal, as the peer wants them.
printf -v data %x "$data"
printf -v state %x "$state"
data_key=$(key_of $((32 << 20)))
state_key=$(key_of $(((32 << 20) / 4096)))
[[ $data_key =~ ^[0-9a-f]+$ && $state_key =~ ^[0-9a-f]+$ ]] || die "its keys are '$data_key', '$state_key'"

for queue in 0 1; do
	refused $queue "peek=$data,$data_key"
	refused $queue "poke=$data,$data_key"
	refused $queue "poke=$state,$state_key"
done
# It is still the bystander's key, and of use to it.
expect_equal "$data_key" "$(key_of $((32 << 20)))" "its key"
leave_undisturbed
