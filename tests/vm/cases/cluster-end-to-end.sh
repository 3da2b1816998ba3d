# SPDX-License-Identifier: GPL-2.0
# TEST: a group that finds its servers in etcd, under fio: a lender gets its memory back, a server dies, etcd goes and comes, etcd and agents hang, agents are killed all the while; no I/O fails but that of the dead, and nothing is left behind
# KERNELS: 6.1 6.12
# LONG: yes
# TIMEOUT: 5400
# MEMORY: 8G
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"
. "$FARMEM_TESTS/vm/cluster.sh"

# Seconds for which agents are killed, and of rest after that.
KILLED=1200 REST=600
# Of 128 MiB each: all of the device.
PIECES=16
# The checker, five servers and their agents share two CPUs.
RACK_PEER_TIMEOUT=5

mkdir -p /dev/shm/rack
mount -o remount,size=90% /dev/shm
# serve_one N HEADROOM - with the memory that it left, if it has been there before
serve_one() {
	RACK_SIZE=32M..2G rack_serve "$1" --status-socket "/run/rack$1.status" --pool "/dev/shm/rack/$1" \
		--headroom "$2" --notice 20
}

# piece N SEED OPTION... - fio writes a part of the device at random and reads it back, or with
# --verify_only reads what that seed has written.
piece() {
	fio --name=piece --filename=/dev/big/volume --offset=$(($1 * 128))M --size=128M --rw=randwrite \
		--bsrange=4k-256k --ioengine=libaio --iodepth=8 --direct=1 --io_size=64M --randseed="$2" \
		--verify=pattern --verify_pattern="0x$(printf %08x "$2")%o" --verify_interval=4k --verify_fatal=1 "${@:3}" \
		--output-format=terse --terse-version=3 >>/tmp/fio.out 2>>/tmp/fio.err || {
		echo "fio ended with $?: $(tail -n 5 /tmp/fio.err)" >/tmp/fio.failed
		return 1
	}
}
# Each piece in turn is written anew, after a look at what it has held all the while.
checked() {
	local n seeds=()

	for ((n = 0; ; n = (n + 1) % PIECES)); do
		[[ -z ${seeds[n]-} ]] || piece $n "${seeds[n]}" --verify_only || return
		[[ ! -e /tmp/fio.stop ]] || break
		seeds[n]=$SRANDOM
		piece $n "${seeds[n]}" || return
		echo "$n" >>/tmp/fio.pieces
	done
	for n in "${!seeds[@]}"; do
		piece "$n" "${seeds[n]}" --verify_only || return
	done
}
# fio_more - it has gone on
fio_has() { [[ -e /tmp/fio.failed ]] || (($(wc -l </tmp/fio.pieces) >= $1)); }
fio_more() {
	wait_for 300 fio_has $(($(wc -l </tmp/fio.pieces) + 2))
	[[ ! -e /tmp/fio.failed ]] || die "$(</tmp/fio.failed)"
}

# becomes_live SECONDS
becomes_live() {
	wait_for "$1" group_is big live && return
	cat /tmp/watch.log
	pgrep -af "farmemctl|mdadm|lvm|fio" >&2
	die "the group is $(group_state big): $(farmemctl group chunks big)"
}

modprobe -a raid1 dm-mod
load
etcd_start
for n in 1 2 3 4 5; do
	serve_one $n 256M
	agent $n
done
agent sets1
agent sets2
wait_for 120 knows 5
has_sets() { [[ $(etcdctl get --print-value-only /farmem/1/copysets | jq '[.permutations[] | flatten | length] | add') == 10 ]]; }
wait_for 120 has_sets

echo "a group without a server named"
farmemctl group create big --size 2G --copies 2 --chunk 256M \
	--heartbeat "$RACK_HEARTBEAT" --peer-timeout "$RACK_PEER_TIMEOUT" --client tester
group_apart big
# Servers that it found, whichever these are: all are in one set, or in two.
mapfile -t found < <(for n in 1 2 3 4 5; do ! group_lies_on big $n || echo $n; done)
((${#found[@]} >= 3)) || die "it lies on servers ${found[*]} only"
lender=${found[0]} dies=${found[1]} later=${found[2]}
: >/tmp/fio.pieces
checked &
checker=$!
farmemctl group watch --delay 5 >/tmp/watch.log 2>&1 &
watcher=$!
agent node
wait_for 60 knows_group big live
agents_killed
since=$SECONDS
fio_more

echo "a lender needs its memory"
rack_kill "$lender" TERM
serve_one "$lender" 3G
becomes_live 60
group_lies_on big "$lender" || die "nothing of the group lies on server $lender: $(farmemctl group chunks big)"
had=$(rack_field "$lender" held) errors=$(group_errors)
began=$SECONDS
# So little that the lender needs all that it has lent, whatever comes free meanwhile.
programs_leave 2000
wait_for 300 group_has_left big "$lender"
wait_for 120 rack_holds "$lender" 32
echo "server $lender had its $((had >> 20)) MiB back after $((SECONDS - began)) s"
wait_for 60 rack_wants_nothing "$lender"
(($(group_errors) <= errors)) || die "I/O has failed"
group_apart big
fio_more
programs_end
# All servers share this machine: one that wants so much of it would want it again and again.
rack_kill "$lender" TERM
serve_one "$lender" 256M
becomes_live 60

echo "a server dies, with its memory"
rack_kill "$dies"
rm /dev/shm/rack/"$dies"
wait_for 60 group_is big degraded
becomes_live 100
wait_for 60 group_has_left big "$dies"
group_apart big
fio_more

echo "etcd is gone: I/O and failover go on"
etcd_stop
fio_more
rack_kill "$later"
rm /dev/shm/rack/"$later"
wait_for 60 group_is big degraded
becomes_live 100
wait_for 60 group_has_left big "$later"
group_apart big
fio_more
expect_fail farmemctl cluster 2>/dev/null
serve_one "$dies" 256M
serve_one "$later" 256M
etcd_start
wait_for 120 knows 5
# An agent may be gone just then.
wait_for 120 knows_group big live

echo "agents are killed for $KILLED s in all, and rest for $REST"
while ((SECONDS - since < KILLED)); do
	fio_more
done
agents_rest
[[ ! -e $CLUSTER/died ]] || die "agents ended by themselves: $(<$CLUSTER/died)"

echo "etcd and all agents hang: I/O and failover go on"
pkill -STOP -x etcd
pkill -STOP -x farmem-agent
fio_more
# One that has chunks: nothing moves back to those that died before.
for dies in 1 2 3 4 5; do
	! group_lies_on big $dies || break
done
rack_kill "$dies"
rm /dev/shm/rack/"$dies"
wait_for 60 group_is big degraded
becomes_live 160
wait_for 60 group_has_left big "$dies"
fio_more
pkill -CONT -x etcd
pkill -CONT -x farmem-agent
serve_one "$dies" 256M
wait_for 120 knows 5
: >/tmp/fio.stop
within 600 tail --pid="$checker" -f /dev/null
[[ ! -e /tmp/fio.failed ]] || die "$(</tmp/fio.failed)"
echo "fio has written $(wc -l </tmp/fio.pieces) pieces of 128 MiB, and found them later as they were; agents were killed $(wc -l <$CLUSTER/killed) times"
pause "$REST"
compared=$(farmemctl group scrub big)
[[ $compared == *"differ in 0 sectors"* ]] || die "$compared"
knows 5 || die "the directory has $(cluster servers)"
knows_group big live || die "the directory has $(cluster groups)"
no_orphans() { [[ $(jq '.orphans | length' /var/lib/farmem/groups/big.json) == 0 ]]; }
wait_for 240 no_orphans
no_orphans || die "orphans are left: $(jq -c .orphans /var/lib/farmem/groups/big.json)"
farmemctl group delete big
wait "$watcher"
rack_gone
wait_for 60 knows_no_group
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
rm -rf /dev/shm/rack
etcd_stop
