# SPDX-License-Identifier: GPL-2.0
# TEST: swap on a group while its node has no free memory: a server dies, its chunks get new places without hands, the device grows, and LVM is slow while it is suspended; no byte is wrong, and nobody is killed
# LONG: yes
# NODES: 2
# MEMORY: 768M
# TIMEOUT: 1500
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"

# Two nodes that swap answer late on a busy host.
RACK=3 RACK_SIZE=160M RACK_HEARTBEAT=2 RACK_PEER_TIMEOUT=5

# As farmem-groups.service has it, by MemorySwapMax=0. This shell would wait for the swap as well.
mkdir /sys/fs/cgroup/unswapped
echo 0 >/sys/fs/cgroup/unswapped/memory.swap.max
echo $BASHPID >/sys/fs/cgroup/unswapped/cgroup.procs

# swapped CMD... - CMD where memory is swapped
swapped() {
	echo $BASHPID >/sys/fs/cgroup/cgroup.procs
	exec "$@"
}
free_mib() { awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo; }
vmstat_of() { awk -v name="$1" '$1 == name { print $2 }' /proc/vmstat; }
swapped_in() { (($(vmstat_of pswpin) >= $1)); }
go_on() { wait_for 240 swapped_in $(($(vmstat_of pswpin) + 200)); }
stalls() { awk '/^allocstall/ { n += $2 } END { print n }' /proc/vmstat; }

modprobe -a raid1 dm-mod
plug_in
load reconnect_max=2
for n in 1 2 3; do
	rack_serve "$n"
done
group_make far 96M --chunk 32M --copies 2
mkswap -q /dev/far/volume
swapon /dev/far/volume
farmemctl group watch --delay 5 >/tmp/watch.log 2>&1 &

echo 1 >/proc/sys/vm/overcommit_memory
swapped farmem-memory $(($(free_mib) + 32)) fill touch=/tmp/filled random until=/tmp/stop &
program=$!
wait_for 240 test -e /tmp/filled
go_on

# On a busy host a server may have been late, and lost its place: the only copy must not die.
wait_for 300 group_is far live
rack_kill 1
wait_for 60 group_is far degraded
go_on
wait_for 300 grep -q "Group far: live" /tmp/watch.log
group_apart far
go_on
cat /tmp/watch.log

# Memory runs out while LVM has the device suspended: this shell can do nothing meanwhile.
rack_serve 1
: >/tmp/held-resume
stalls=$(stalls)
LD_PRELOAD=$(dirname "$(command -v farmem-verify)")/held-resume.so \
	swapped farmemctl group grow far --size 128M >/tmp/grow.log 2>&1 &
grower=$!
wait_for 300 ended $grower
wait $grower || die "the group did not grow: $(cat /tmp/grow.log)"
[[ ! -e /tmp/held-resume ]] || die "LVM suspended nothing"
expect_at_least $((stalls + 1)) "$(stalls)" "times that a process had to wait for memory"
expect_equal $((128 << 20)) "$(blockdev --getsize64 /dev/far/volume)" "bytes of the device that grew"
go_on
expect_equal 0 "$(oom_count)" "victims of the OOM killer"
: >/tmp/stop
wait_for 600 ended $program
wait $program || die "the program that swapped found a wrong byte, or was killed"
within 120 swapoff /dev/far/volume
wait_for 240 group_is far live
within 120 farmemctl group delete far
rack_gone
unload
on-memory-node pkill -KILL -f "/run/rack"
