# SPDX-License-Identifier: GPL-2.0
# TEST: a group that finds its servers in etcd, under fio: a lender gets its memory back, a server dies, etcd goes and comes, agents are killed all the while; no I/O fails but that of the dead, and nothing is left behind
# KERNELS: 6.1 6.12
# LONG: yes
# TIMEOUT: 1500
# MEMORY: 8G
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"
. "$FARMEM_TESTS/vm/cluster.sh"

# The first one has most to lend.
serve_one() { RACK_SIZE=32M..$(($1 == 1 ? 4 : 2))G rack_serve "$1" --status-socket "/run/rack$1.status" "${@:2}"; }
headroom() { (($1 == 1)) && echo 3G || echo 256M; }

# fio writes one piece of the device after the other, and reads what it wrote.
checked() {
	local piece

	for ((piece = 0; ; piece = (piece + 1) % 16)); do
		fio --name=piece --filename=/dev/big/volume --offset=$((piece * 128))M --size=128M --rw=randwrite \
			--bsrange=4k-256k --ioengine=libaio --iodepth=8 --direct=1 --verify=crc32c --verify_fatal=1 \
			--io_size=64M --randseed="$SRANDOM" --output-format=terse --terse-version=3 >>/tmp/fio.out 2>>/tmp/fio.err || {
			echo "fio ended with $?: $(tail -n 5 /tmp/fio.err)" >/tmp/fio.failed
			return
		}
		echo "$piece" >>/tmp/fio.pieces
		[[ ! -e /tmp/fio.stop ]] || return
	done
}
# fio_more - it has gone on
fio_has() { [[ -e /tmp/fio.failed ]] || (($(wc -l </tmp/fio.pieces) >= $1)); }
fio_more() {
	wait_for 300 fio_has $(($(wc -l </tmp/fio.pieces) + 2))
	[[ ! -e /tmp/fio.failed ]] || die "$(</tmp/fio.failed)"
}

modprobe -a raid1 dm-mod
load
etcd_start
for n in 1 2 3 4 5; do
	serve_one $n --headroom "$(headroom $n)" --notice 20
	agent $n
done
agent sets1
agent sets2
wait_for 120 knows 5
has_sets() { [[ $(etcdctl get --print-value-only /farmem/1/copysets | jq '[.permutations[] | flatten | length] | add') == 10 ]]; }
wait_for 120 has_sets

echo "a group without a server named"
# It finds them at random, but the one that is to need its memory is to be one of them.
for try in 1 2 3 4 5 6 7 8; do
	farmemctl group create big --size 2G --copies 2 --chunk 256M --config $CLUSTER/reader.conf \
		--heartbeat "$RACK_HEARTBEAT" --peer-timeout "$RACK_PEER_TIMEOUT" --client tester
	group_apart big
	! group_lies_on big 1 || break
	farmemctl group delete big
done
group_lies_on big 1 || die "server 1 has no chunk after $try tries"
: >/tmp/fio.pieces
checked &
checker=$!
farmemctl group watch --delay 5 >/tmp/watch.log 2>&1 &
watcher=$!
agents_killed
fio_more

echo "a lender needs its memory"
had=$(rack_field 1 held)
began=$SECONDS
programs_leave 2900
wait_for 300 group_has_left big 1
wait_for 120 rack_holds 1 32
echo "server 1 had its $((had >> 20)) MiB back after $((SECONDS - began)) s"
wait_for 60 rack_wants_nothing 1
expect_equal 0 "$(group_errors)" "failed I/O"
group_apart big
fio_more
programs_end

echo "a server dies"
rack_kill 2
wait_for 60 group_is big degraded
wait_for 400 group_is big live
group_has_left big 2 || die "a chunk is left on the server that died"
group_apart big
fio_more

echo "etcd is gone: I/O and failover go on"
etcd_stop
fio_more
rack_kill 3
wait_for 60 group_is big degraded
wait_for 400 group_is big live
group_apart big
fio_more
expect_fail farmemctl cluster servers --config $CLUSTER/reader.conf 2>/dev/null
serve_one 2 --headroom 256M
serve_one 3 --headroom 256M
etcd_start
wait_for 120 knows 5

echo "at rest nothing is left behind"
agents_rest
: >/tmp/fio.stop
within 300 tail --pid="$checker" -f /dev/null
[[ ! -e /tmp/fio.failed ]] || die "$(</tmp/fio.failed)"
echo "fio has checked $(wc -l </tmp/fio.pieces) pieces of 128 MiB; agents were killed $(wc -l <$CLUSTER/killed) times"
no_orphans() { [[ $(jq '.orphans | length' /var/lib/farmem/groups/big.json) == 0 ]]; }
wait_for 240 no_orphans
farmemctl group delete big
wait "$watcher"
rack_gone
for n in 1 2 3 4 5; do
	all_is_free() { [[ $(rack_field "$n" lent) == 0 && $(rack_field "$n" quarantined) == 0 ]]; }
	wait_for 60 all_is_free
done
keys() { etcdctl get --prefix --keys-only /farmem/1/ | grep -c /farmem; }
has_keys() { [[ $(keys) == 11 ]]; }
wait_for 120 has_keys
wait_for 120 knows 5
cat /tmp/watch.log
umount /tmp/programs
unload
pkill -KILL -x farmem-agent
pkill -KILL -f "/run/rack"
etcd_stop
