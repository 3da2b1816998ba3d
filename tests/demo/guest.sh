#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The demo's part on the compute node: loads the module, moves data, prints the
# report. TOUCH is the path of farmem-touch.

set -Eeuo pipefail

# shellcheck source=tests/vm/lib.sh
. "$FARMEM_TESTS/vm/lib.sh"

POOL=768M VOLUME=512M FIO_SIZE=256M FIO_SECONDS=4
SWAP_MIB=192 CGROUP_MIB=96 TOUCHES=4096 IDLE_SECONDS=10
disk=/dev/farmem0 stats=/sys/block/farmem0/farmem
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
		echo "The server's:"
		farmemd_log | tail -n 5
	} >&2 || true
	exit "$status"
}
trap failed ERR

# server_cpu - ticks of 10 ms of farmemd: user, system; and how often it woke.
server_cpu() {
	# shellcheck disable=SC2016 # expanded on the memory node
	on-memory-node sh -c '
		cd "/proc/$(cat /run/farmemd.test.pid)" &&
		awk "{ print \$14, \$15 }" stat &&
		awk "/^voluntary_ctxt_switches/ { print \$2 }" status' | paste -s -d ' '
}

signal_server() {
	# shellcheck disable=SC2016
	on-memory-node sh -c 'kill -"$1" "$(cat /run/farmemd.test.pid)"' sh "$1"
}

# differences NAME SECONDS FROM TO - a line of the table of CPU times.
differences() {
	local from to
	read -ra from <<<"$3"
	read -ra to <<<"$4"
	printf '  %-26s %8s %8s %8s %8s\n' "$1" "$2" $((to[0] - from[0])) $((to[1] - from[1])) $((to[2] - from[2]))
}

counter() {
	cat "$stats/$1"
}

vmstat_of() {
	awk -v name="$1" '$1 == name { print $2 }' /proc/vmstat
}

mib() {
	echo $(($1 >> 20))
}

# fio_line NAME FIO-ARG... - runs a job, adds its line to the report. Fields of
# fio's terse format, version 3; those of writes follow 41 later.
fio_line() {
	local name=$1 read=0
	shift

	step "fio: $name"
	fio --name=demo --filename="$disk" --direct=1 --size="$FIO_SIZE" --time_based \
		--runtime="$FIO_SECONDS" --ramp_time=1 --randrepeat=0 --output-format=terse \
		--terse-version=3 "$@" >/tmp/fio.out
	[[ $* == *--rw=*read* ]] || read=41
	awk -F';' -v name="$name" -v o="$read" '$1 == 3 {
		split($(o + 30), p99, "=")
		printf "  %-28s %7d %9.1f %10.0f %10d\n",
			name, $(o + 8), $(o + 7) / 1024, $(o + 16), p99[2]
	}' /tmp/fio.out >>/tmp/report.fio
}

# fio checks by itself what it reads back.
fio_verify() {
	step "fio: writing 32 MiB at random places, verifying them by checksum"
	fio --name=verify --filename="$disk" --direct=1 --size=32M --rw=randwrite --bs=4k \
		--ioengine=libaio --iodepth=32 --verify=crc32c --verify_fatal=1 \
		--output-format=terse >/dev/null
}

swap() {
	step "swap: mkswap, swapon, $SWAP_MIB MiB in a cgroup of $CGROUP_MIB MiB"
	mkswap "$disk" >/dev/null
	swapon "$disk"
	out=$(vmstat_of pswpout) in=$(vmstat_of pswpin)
	run_in_cgroup "${CGROUP_MIB}M" "$TOUCH" "$SWAP_MIB" "$TOUCHES" | tee /tmp/touch.out |
		sed -u 's/^/         /'
	out=$(($(vmstat_of pswpout) - out)) in=$(($(vmstat_of pswpin) - in))
	swapoff "$disk"
}

machine() {
	local kind='software emulation (QEMU TCG): time is not to be trusted'

	! dmesg | grep 'Hypervisor detected: KVM' >/dev/null || kind='KVM; the RDMA adapter is software all the same'
	echo "$kind"
}

report() {
	local moved=$(($(counter read_bytes) + $(counter write_bytes)))
	local verified requests=$(($(counter reads) + $(counter writes)))
	verified=$(awk '{ for (i = 1; i < NF; i++) if ($(i + 1) == "pages," || $(i + 1) == "pages") n += $i }
		END { print n }' <(grep ^verified /tmp/touch.out))

	cat <<-END

	farmem demo: Linux $(uname -r), a compute node and a memory node, soft-RoCE
	Machines: $(machine)

	fio on $disk, O_DIRECT        IO/s     MiB/s    mean us     p99 us
	$(</tmp/report.fio)
	  32 MiB at random places    verified by checksum

	swap on $disk: $SWAP_MIB MiB used, $CGROUP_MIB MiB allowed
	  pages out, pages in        $out, $in
	  page contents              $verified read back and compared, every byte right

	what $disk did
	  reads, writes              $(counter reads) ($(mib "$(counter read_bytes)") MiB), $(counter writes) ($(mib "$(counter write_bytes)") MiB)
	  reads finished by polling  $(counter polled_reads) of $(counter reads)
	  errors                     $(counter read_errors) reads, $(counter write_errors) writes

	CPU time of farmemd on the memory node, from /proc/PID/stat, in ticks of 10 ms
	                              seconds     user   system    woken
	$(differences 'doing nothing' "$IDLE_SECONDS" "$idle" "$before")
	$(differences "moving $(mib "$moved") MiB" "$seconds" "$before" "$after")
	  Its own timers woke it; the $requests reads and writes asked nothing of it, and go
	  on while it is frozen. (System time counts the soft interrupts that fell into
	  it: they play the adapter here.)
	END
}

step "starting farmemd on the memory node, lending $POOL"
start_farmemd --size "$POOL" --listen "$FARMEM_SERVER:7471"
step "modprobe farmem server=$FARMEM_SERVER:7471 size=$VOLUME connect_timeout=60"
modprobe farmem "server=$FARMEM_SERVER:7471" "size=$VOLUME" connect_timeout=60
step "watching the server's CPU time for $IDLE_SECONDS s, nothing moves"
idle=$(server_cpu)
sleep "$IDLE_SECONDS"
before=$(server_cpu)
seconds=$SECONDS

fio_line '4k random read, depth 1' --rw=randread --bs=4k --ioengine=psync
fio_line '4k random write, depth 1' --rw=randwrite --bs=4k --ioengine=psync
fio_line '4k random read, depth 32' --rw=randread --bs=4k --ioengine=libaio --iodepth=32
fio_line '4k random write, depth 32' --rw=randwrite --bs=4k --ioengine=libaio --iodepth=32
fio_line '128k read, depth 1' --rw=read --bs=128k --ioengine=psync
fio_line '128k write, depth 1' --rw=write --bs=128k --ioengine=psync
signal_server STOP
fio_line 'read, farmemd frozen (STOP)' --rw=randread --bs=4k --ioengine=libaio --iodepth=32
signal_server CONT
fio_verify
swap

seconds=$((SECONDS - seconds))
after=$(server_cpu)
report >/tmp/report
step "rmmod farmem, stopping farmemd"
rmmod farmem
stop_farmemd TERM
cat /tmp/report
cp /tmp/report "$RESULTS/report"
