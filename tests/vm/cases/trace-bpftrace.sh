# SPDX-License-Identifier: GPL-2.0
# TEST: the scripts for bpftrace tell of each program how long its I/O took, its page faults that read swap, and how long it waited while the session recovered
# KERNELS: 6.1 6.12
# LONG: yes
# TIMEOUT: 900
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool
said=/tmp/said

mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing

# trace SCRIPT - it runs in the background; USR1 makes it print what it has counted.
trace() {
	bpftrace "$FARMEM_TESTS/../packaging/bpftrace/$1.bt" >$said 2>&1 &
	tracer=$!
	wait_for 180 grep -q Attaching $said || die "$1: $(<$said)"
}

# tells PATTERN COMMAND... - after COMMAND, which may run several times before all is attached
tells() {
	"${@:2}"
	kill -USR1 $tracer || die "bpftrace has ended: $(<$said)"
	grep -qE "$1" $said
}

trace_ends() {
	kill -INT $tracer
	wait $tracer || die "bpftrace: $(<$said)"
	! grep -iE 'error|warning|lost' $said || die "bpftrace: $(<$said)"
}

copy() { dd if=/dev/zero of=/dev/farmem0 bs=64k count=64 oflag=direct status=none; }
read_back() { dd if=/dev/farmem0 of=/dev/null bs=64k count=64 iflag=direct status=none; }
swap_in_and_out() { run_squeezed 16M farmem-memory 32 fill random; }

serve --pool $pool
load_volume 64M io_deadline=-1
put_data

trace latency-by-process
wait_for 120 tells '^@read_us\[dd\]:' read_back
wait_for 120 tells '^@write_us\[dd\]:' copy
trace_ends

swap_on
trace faults-by-program
wait_for 300 tells '^@faults\[farmem-memory\]: [1-9]' swap_in_and_out
expect_at_least 1 "$(sed -n 's/^@pages\[farmem-memory\]: //p' $said | tail -n 1)" "pages that faults read"
trace_ends
swapoff /dev/farmem0

trace time-parked
# Until it is attached: I/O that waits, and what the session does, is told of each outage.
outage() {
	(sleep 0.1; exec dd if=/dev/farmem0 of=/dev/null bs=4k count=2048 iflag=direct status=none) &
	replace_farmemd --pool $pool
	wait $!
}
wait_for 300 tells '^@parked_ms\[dd\]:' outage
expect_text ': recovering, was live' "$(<$said)" "what the session did"
expect_text '@recovering_ms' "$(<$said)" "how long that took"
trace_ends
unload
rm $pool
