# SPDX-License-Identifier: GPL-2.0
# What a farmemd takes to give memory back to the machine, and to take it again, for each GiB:
# seconds until it is done, and of these what farmemd computes. What a read of its client
# takes while that goes on, and beside a loop that only computes: counted CPUs take
# turns, so that a busy one makes the other wait. Then the machine needs half of the pool,
# 128 MiB, of what is lent: how many seconds it takes to move a chunk of a group. Counted.
# CONTENDERS: farmem
# MODES: icount-2

FLOOR=16 GIVES=256 LENDER=/run/lender.sock

available() { awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo; }
now() { echo "${EPOCHREALTIME/./}"; }
field() { farmemctl server show --control $LENDER --json | jq ".server[0].$1"; }
held() { echo $(($(field held) >> 20)); }
cpu_time() { cat "/proc/$lender/task"/*/schedstat | awk '{ n += $1 } END { printf "%.0f\n", n }'; }

# until_is COMMAND VALUE - it looks often enough to be late by little.
until_is() {
	local tries

	for ((tries = 0; tries < 600; tries++)); do
		[[ $($1) != "$2" ]] || return 0
		sleep 0.1
	done
	die "$1 is not $2, but $($1): $(tail -n 3 /tmp/lender.log)"
}

# There is room for all of it, until programs have what leaves too little.
lender_start() {
	local headroom=$(($(available) - GIVES - 300))

	farmemd --insecure --size "${FLOOR}M..$((FLOOR + GIVES))M" --slab-size 4M --listen "$FARMEM_SERVER:7479" \
		--control $LENDER --headroom "${headroom}M" >/tmp/lender.log 2>&1 &
	lender=$!
	until_is "grep -cw ready /tmp/lender.log" 1
	farmemctl volume create lender-0 --size 4M --server "$FARMEM_SERVER:7479" --client bench >/dev/null
	mkdir -p /tmp/programs
	mount -t tmpfs -o size=100% none /tmp/programs
	PROGRAMS=$((GIVES + 400))
}

lender_stop() {
	umount /tmp/programs
	farmemctl volume delete lender-0 >/dev/null
	kill "$lender"
	wait "$lender" || true
}

# A volume has memory when it is made; when it is gone that is free, once it is zeroed.
take() {
	farmemctl volume create lender-1 --size "$((GIVES - 8))M" --server "$FARMEM_SERVER:7479" --client bench >/dev/null
}
free_again() {
	farmemctl volume delete lender-1 >/dev/null
	until_is "field dirty" 0
	until_is "field quarantined" 0
}
programs_begin() {
	fallocate -l "${PROGRAMS}M" /tmp/programs/all
	given=$(now)
}
give() {
	programs_begin
	until_is held $FLOOR
}
programs_end() { rm /tmp/programs/all; }
# Until farmemd has seen that there is room.
room() { (($(field free) >= (GIVES - 8) << 20)) && echo yes; }

# And until a heartbeat has told its client.
room_is_known() {
	(($(<"/sys/kernel/config/farmem/sessions/$FARMEM_SERVER:7479/server_free") >= (GIVES - 8) << 20)) && echo yes
}

# per_gib VALUE MIB
per_gib() { awk -v value="$1" -v mib="$2" 'BEGIN { printf "%.0f\n", value * 1024 / mib }'; }

measure_once() {
	local began before

	until_is room yes
	began=$(now) before=$(cpu_time)
	take
	record "$(per_gib $(($(now) - began)) $((GIVES - 8)))" us/GiB take
	record "$(per_gib $(($(cpu_time) - before)) $((GIVES - 8)))" ns/GiB take-cpu
	free_again
	before=$(cpu_time)
	give
	record "$(per_gib $(($(now) - given)) "$GIVES")" us/GiB give
	record "$(per_gib $(($(cpu_time) - before)) "$GIVES")" ns/GiB give-cpu
	programs_end
}

give_and_take() {
	while [[ ! -e /tmp/lender.stop ]]; do
		until_is room yes
		take
		free_again
		give
		programs_end
	done
}

# more_start NUMBER - a farmemd that keeps its memory
more_start() {
	farmemd --insecure --size 256M --slab-size 4M --listen "$FARMEM_SERVER:$((7480 + $1))" \
		--control "/run/more$1.sock" >"/tmp/more$1.log" 2>&1 &
	more+=($!)
	until_is "grep -cw ready /tmp/more$1.log" 1
}

half_is_back() { (($(field held) + (128 << 20) <= had)) && echo yes; }

measure_lent() {
	local watcher had

	modprobe -a raid1 dm-mod
	until_is room_is_known yes
	farmemctl group create lent --size 128M --chunk 128M --copies 2 --client bench \
		--server "$FARMEM_SERVER:7479@a" --server "$FARMEM_SERVER:7481@b" >/dev/null
	# The third one has room.
	farmemctl group grow lent --size 144M --server "$FARMEM_SERVER:7482@c" >/dev/null
	farmemctl group watch >/tmp/watch.log 2>&1 &
	watcher=$!
	(($(field lent) >= 128 << 20)) || die "the lender has lent $(field lent) bytes only"
	had=$(field held)
	programs_begin
	until_is half_is_back yes
	record "$(($(now) - given))" us give-lent
	[[ $(cat /sys/block/farmem*/farmem/{read,write}_errors | sort -u) == 0 ]] || die "I/O has failed"
	# Of chunks that are gone md has told.
	! dmesg | grep -E 'super_written gets error|rescheduling sector|I/O error' || die "I/O has failed"
	programs_end
	kill $watcher
	wait $watcher || true
	farmemctl group delete lent >/dev/null
}

reads() {
	SIZE_MIB=4 fio_measure "$own" "$(ios 20000)" --rw=randread --bs=4k --ioengine=psync
	fio_latency
}

work() {
	local quiet loop beside pid own more=()

	more_start 1
	more_start 2
	lender_start
	own=/dev/$(<"/sys/kernel/config/farmem/volumes/lender-0/device")
	quiet=$(reads)
	(while :; do :; done) &
	pid=$!
	loop=$(reads)
	kill $pid
	wait $pid || true
	measure_once
	measure_lent
	rm -f /tmp/lender.stop
	give_and_take &
	pid=$!
	beside=$(reads)
	: >/tmp/lender.stop
	wait $pid
	lender_stop
	kill "${more[@]}"
	wait "${more[@]}" || true
	record "$quiet" ns read
	record "$loop" ns read-beside-loop
	record "$beside" ns read-beside
}
