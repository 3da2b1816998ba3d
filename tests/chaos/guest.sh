# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The compute node's part of a chaos run, see run: three volumes of one session, one
# fault after the other as plan has them. Environment: CHAOS_MINUTES, CHAOS_SEED.
#
# All with checksums, of which none may fail a read.
#
#   one    verified, waits for ever (io_deadline=-1): no error is legal
#   two    verified, waits for 5 s: errors are legal, wrong bytes are not
#   swap   under a program that knows its memory
#
# Every fault is logged with its time; a progress line comes every 10 s. What a run
# does follows from its seed alone, when it does it from the machine as well.

. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/chaos/faults.sh"

pool=/dev/shm/farmem.pool
round=0 swapped=0 mismatches=0

# Verifiers and the program that swaps.

workload_start() {
	local name legal

	round=$((round + 1))
	rm -f /tmp/stop
	for name in one two; do
		legal=()
		[[ $name == one ]] || legal=(-e)
		# See io.sh for why a READ is one packet.
		farmem-verify -p 5 -r 1 -s $((seed + round)) -u /tmp/stop "${legal[@]}" \
			"/dev/$(value volumes/$name device)" /tmp/$name.state >>/tmp/$name.out 2>&1 &
		printf -v "$name" %s $!
	done
	mkswap -q "/dev/$(value volumes/swap device)"
	swapon "/dev/$(value volumes/swap device)"
	run_squeezed 16M farmem-memory 32 fill random until=/tmp/stop &
	swapper=$!
}

workload_end() {
	wait_for 180 live s || die "the session does not come back: $(value sessions/s reason)"
	: >/tmp/stop
	expect_end one "$one"
	expect_end two "$two"
	expect_end swap "$swapper"
	swapped=$((swapped + $(counter write_bytes "$(value volumes/swap device)")))
	within 60 swapoff "/dev/$(value volumes/swap device)"
}

# Counters live as long as their volumes.
count_mismatches() {
	local name

	for name in one two swap; do
		mismatches=$((mismatches + $(counter checksum_errors "$(value volumes/$name device)")))
	done
}

expect_workload() {
	local name

	for name in one two swapper; do
		! not_there "${!name}" || expect_end "${name/swapper/swap}" "${!name}"
	done
}

# Objects.

objects_on() {
	modprobe farmem
	make_session s client=chaos reconnect_max=4
	power_on sessions/s
	make_volume one session=s size=16M io_deadline=-1 checksum=crc32c
	make_volume two session=s size=16M io_deadline=5 checksum=crc32c
	make_volume swap session=s size=48M io_deadline=-1 checksum=crc32c
	volumes_on
}

volumes_on() {
	local name

	for name in one two swap; do
		power_on volumes/$name
	done
}

volumes_off() {
	local name

	for name in one two swap; do
		power_off volumes/$name
	done
}

# Faults. Each undoes itself.

serve_pool() {
	start_farmemd --size 256M --listen "$SERVER" --pool $pool
}

kill-server() {
	stop_farmemd KILL
	sleep "$1"
	serve_pool
}

end-server() {
	stop_farmemd TERM
	sleep "$1"
	serve_pool
}

stop-server() {
	on-memory-node pkill -STOP -x farmemd
	sleep "$1"
	on-memory-node pkill -CONT -x farmemd
}

unsent() {
	on_nodes "$1" dmesg | grep -c 'qp#1 Failed allocating skb' || true
}

# What the kernel had to send meanwhile for a connection that was being made ends
# soft-RoCE's queue pair 1, for good: an administrator makes the device anew
# (docs/design/soft-roce.md).
address-gone() {
	local address=${FARMEM_SERVER%.*}.2/24 before

	[[ $2 == memory ]] || address=${FARMEM_SERVER%.*}.1/24
	before=$(unsent "$2")
	on_nodes "$2" ip address del "$address" dev "$FARMEM_NETDEV"
	sleep "$1"
	on_nodes "$2" ip address add "$address" dev "$FARMEM_NETDEV"
	[[ $(unsent "$2") == "$before" ]] || device-gone 1 "$2"
}

device-gone() {
	on_nodes "$2" timeout 90 rdma link delete "$FARMEM_RDMADEV"
	sleep "$1"
	on_nodes "$2" rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
}

# Its memory is free again after a while, or when the session ends: see docs/design/fencing.md.
other-volume() {
	wait_for 180 live s
	make_volume "other$events" session=s size=16M
	if ! set_value "volumes/other$events" power 1; then
		say "no room for another: $(value "volumes/other$events" reason)"
		rmdir "$CONFIG/volumes/other$events"
		return
	fi
	zeros "/dev/$(value "volumes/other$events" device)" 1048576 || die "a new volume is not zeros"
	farmem-pages "/dev/$(value "volumes/other$events" device)" write=0,64,7 check=0,64,7
	within 90 farmemctl volume delete "other$events"
}

# These two want quiet.
session-cycle() {
	workload_end
	volumes_off
	power_off sessions/s
	sleep "$1"
	power_on sessions/s
	volumes_on
	workload_start
}

reload() {
	workload_end
	count_mismatches
	all_off
	sleep "$1"
	objects_on
	workload_start
}

# It ends with its reader.
progress() {
	trap - ERR
	while sleep 10; do
		say "one: $(tail -n 1 /tmp/one.out); two: $(tail -n 1 /tmp/two.out)"
	done
}

serve_pool
plug_in
objects_on
workload_start
progress &
run_faults
workload_end
for name in one two; do
	say "$name: $(tail -n 1 /tmp/$name.out)"
	within 120 farmem-verify "/dev/$(value volumes/$name device)" /tmp/$name.state
done
count_mismatches
all_off
on-memory-node rm $pool
say "seed $seed, $events faults, $round rounds, $((swapped >> 20)) MiB swapped out, $mismatches checksums that did not match at first: no byte was wrong"
