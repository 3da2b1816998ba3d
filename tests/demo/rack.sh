#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The demo with several servers, on the compute node: swap with two copies of each page, over
# SERVERS memory servers of which one is killed. TOUCH is the path of farmem-touch.

set -Eeuo pipefail

# shellcheck source=tests/vm/lib.sh
. "$FARMEM_TESTS/vm/lib.sh"
# shellcheck source=tests/vm/rack.sh
. "$FARMEM_TESTS/vm/rack.sh"

# shellcheck disable=SC2153 # of run's environment
RACK=$SERVERS RACK_SIZE=224M
SWAP_MIB=96 CGROUP_MIB=48 TOUCHES=1024 DELAY=5
step='booting'

step() {
	step=$*
	printf '  %3d s  %s\n' "$SECONDS" "$step"
}

failed() {
	local status=$?

	{
		echo "FAILED while $step. The module's last words:"
		dmesg | grep farmem: | tail -n 5
		echo "The watcher's:"
		tail -n 20 /tmp/watch.log
	} >&2 || true
	exit "$status"
}
trap failed ERR

said() { grep -q "$1" /tmp/touch.out; }
rounds() { grep -c '^verified and' /tmp/touch.out || true; }
more_rounds() { (($(rounds) > $1 + 1)); }

# slowest FROM TO - of the program's rounds FROM to TO, the page that took longest
slowest() {
	grep '^verified and' /tmp/touch.out | sed -n "$1,$2p" | awk '$(NF - 1) > most { most = $(NF - 1) } END { print most }'
}

chunks() { farmemctl group chunks far --output array,volume,server,state; }

report() {
	cat <<-END

	farmem demo: Linux $(uname -r), a compute node, $SERVERS memory servers on another, soft-RoCE
	Machines: software emulation (QEMU TCG), or KVM: time says little

	$SWAP_MIB MiB swapped to the group, $CGROUP_MIB MiB allowed, two copies of each page

	$(</tmp/before)

	Server 1 is killed.                      The slowest page
	  before                                 $(slowest 1 "$healthy") s
	  while it died                          $(slowest $((healthy + 1)) "$degraded") s, the pause
	  with one copy, and while md copies     $(slowest $((degraded + 1)) "$live") s
	  with two copies again                  $(slowest $((live + 1)) 9999) s, $repair s after the kill

	$(</tmp/after)

	Every byte was right: $(awk '/^verified/ { for (i = 1; i < NF; i++) if ($(i + 1) ~ /^pages/) n += $i } END { print n }' /tmp/touch.out) pages read back and compared.
	END
}

step "starting $SERVERS memory servers on the memory node, lending $RACK_SIZE each"
for ((n = 1; n <= SERVERS; n++)); do
	rack_serve "$n"
done
modprobe -a raid1 dm-mod
modprobe farmem reconnect_max=2
step 'farmemctl group create far --size 192M --chunk 64M --copies 2 --server ...'
group_make far 192M --chunk 64M --copies 2
chunks >/tmp/before
step "mkswap, swapon, farmemctl group watch --delay $DELAY"
mkswap -q /dev/far/volume
swapon /dev/far/volume
farmemctl group watch --delay "$DELAY" >/tmp/watch.log 2>&1 &
step "$SWAP_MIB MiB in a cgroup of $CGROUP_MIB MiB"
run_in_cgroup "${CGROUP_MIB}M" "$TOUCH" "$SWAP_MIB" "$TOUCHES" /tmp/stop >/tmp/touch.out &
program=$!
wait_for 300 more_rounds 1
healthy=$(rounds)

step 'kill -KILL, of server 1'
rack_kill 1
killed=$SECONDS
wait_for 60 group_is far degraded
wait_for 120 more_rounds "$(rounds)"
degraded=$(rounds)
step 'the program goes on; each page has one copy'
wait_for 300 grep -q 'Group far: live' /tmp/watch.log
live=$(rounds) repair=$((SECONDS - killed))
step 'repaired, without hands: the chunks of server 1 have new places'
group_apart far
chunks >/tmp/after
wait_for 120 more_rounds "$live"
: >/tmp/stop
wait "$program"
swapoff /dev/far/volume
step 'server 1 is back, without what it had'
rack_serve 1
step 'farmemctl group delete far, rmmod farmem'
farmemctl group delete far
rmmod farmem
on-memory-node pkill -KILL -f /run/rack
report | tee "$RESULTS/report"
