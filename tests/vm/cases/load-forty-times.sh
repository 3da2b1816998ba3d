# SPDX-License-Identifier: GPL-2.0
# TEST: insmod and rmmod forty times, with I/O, leak nothing on either side
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# Besides nothing_left: what cannot be told apart by a name, and the server's.
snapshot() {
	rdma resource show
	pgrep -cx 'bioset|kworker/R-biose' || true
	farmemctl server show --json | jq -c '.server[0] | [.free, .lent, .dirty, .quarantined]'
}

available() {
	echo 3 >/proc/sys/vm/drop_caches
	sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

once() {
	load_volume 32M
	dd if=/dev/zero of=/dev/farmem0 bs=64k count=4 oflag=direct status=none
	unload
}

idle() {
	farmemctl server list --json | jq -e 'all(.loans[]; .connected == false)'
}

serve
for _ in {1..3}; do once; done
wait_for 10 idle
before=$(snapshot) memory=$(available)
for _ in {1..37}; do once; done
wait_for 10 idle
expect_equal "$before" "$(snapshot)" "resources, bioset threads, the server's memory"
lost=$((memory - $(available)))
echo "MemAvailable fell by $lost kB"
((lost < 16384)) || die "37 rounds cost $lost kB of memory"
no_threads_left
stop_farmemd
