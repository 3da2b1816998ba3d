# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# I/O of the cases, and whether all of it comes back; cases.sh brings it along.
#
#   put_data [DISK], check_data [DISK]  2 MiB of noise at the disk's start
#   zeros DISK BYTES        whether it starts with that many
#   expect_idle [DISK]      nothing in flight, and no I/O failed so far
#   fio_jobs [OPTION...]    runs the job file on standard input
#   fio_verify ENGINE DEPTH [OPTION...]  writes 40 MiB and reads them back, in pieces of all kinds
#   fio_start [OPTION...]   fio in the background, writing by now, for ever
#   fio_fails               it ends, soon, with an error
#   verify_start [OPTION...]  farmem-verify all over $VERIFY_DISK, under way by now
#   verify_more             wait until it has written and read more
#   verify_end              it ends, having found every byte, and verifies once more
#   verify_again [OPTION...]  every byte that it knows of is there
#   retries FAULT           while every third is refused no I/O fails, no byte is lost
#   bystander               a client, 32M, that verifies from now on: the others shall not be its business
#   undisturbed             it goes on and has noticed nothing
#   leave_undisturbed       that, to its end

VERIFY=/tmp/verify
VERIFY_DISK=/dev/farmem0

put_data() {
	[[ -e /tmp/data ]] || head -c 2M /dev/urandom >/tmp/data
	dd if=/tmp/data of="/dev/${1-farmem0}" bs=64k oflag=direct conv=fsync status=none
}

check_data() {
	dd if="/dev/${1-farmem0}" bs=64k count=32 iflag=direct status=none | cmp - /tmp/data ||
		die "${1-farmem0} lost what was written"
}

zeros() {
	cmp -s -n "$2" "$1" /dev/zero
}

bystander() {
	load_volume 32M "$@"
	# One I/O at a time: the others are to get on as well.
	verify_start -l 1
	mark_dmesg
}

undisturbed() {
	verify_more
	expect_equal live "$(value sessions/default state)" "state of the bystander's session"
	expect_no_log 'session default failed'
}

leave_undisturbed() {
	undisturbed
	verify_end
	expect_no_log 'session default failed'
	expect_idle
	unload
}

# Accounting follows the end of an I/O that somebody else waited for.
expect_idle() {
	local disk=${1-farmem0}

	# shellcheck disable=SC2016
	wait_for 5 bash -c '[[ $(<"/sys/block/$1/farmem/inflight") == 0 ]]' bash "$disk" ||
		die "$(counter inflight "$disk") in flight at rest"
	expect_equal 0 "$(counter read_errors "$disk")" "read_errors"
	expect_equal 0 "$(counter write_errors "$disk")" "write_errors"
}

# In threads: processes of fio cost an emulated machine a second each.
fio_jobs() {
	cat >/tmp/jobs.fio
	fio --thread --direct=1 --filename=/dev/farmem0 --output=/tmp/fio.out "$@" /tmp/jobs.fio ||
		die "fio: $(cat /tmp/fio.out)"
	! grep -E 'err= *[1-9]|verify: bad|crc32c: verify failed' /tmp/fio.out ||
		die "fio found errors"
}

# 4k, 64k and 1M, sequential and random.
fio_verify() {
	fio_jobs --ioengine="$1" --iodepth="$2" "${@:3}" <<-EOT
		[global]
		size=8m
		verify=crc32c
		verify_fatal=1
		do_verify=1
		[write-4k]
		rw=write
		bs=4k
		size=4m
		[randwrite-4k]
		rw=randwrite
		bs=4k
		offset=4m
		size=4m
		[write-64k]
		rw=write
		bs=64k
		offset=8m
		[randwrite-64k]
		rw=randwrite
		bs=64k
		offset=16m
		[write-1m]
		rw=write
		bs=1m
		offset=24m
		[randwrite-1m]
		rw=randwrite
		bs=1m
		offset=32m
	EOT
	expect_at_least $((40 << 20)) "$(counter write_bytes)" "bytes written"
	expect_at_least $((40 << 20)) "$(counter read_bytes)" "bytes read"
	expect_idle
}

fio_writes() {
	(($(counter writes) > 100))
}

# Of an option given twice fio takes the last.
fio_start() {
	fio --name=job --filename=/dev/farmem0 --rw=randrw --bs=4k --ioengine=libaio --iodepth=16 \
		--direct=1 --time_based --runtime=300 "$@" >/tmp/fio.log 2>&1 &
	fio_pid=$!
	wait_for 30 fio_writes
}

fio_fails() {
	within 60 tail --pid="$fio_pid" -f /dev/null
	! wait "$fio_pid" || die "fio noticed nothing"
}

verify_done() {
	sed -nE 's/^reads=([0-9]+) writes=([0-9]+) .*/\1 \2/p' "$VERIFY.out" | tail -n 1
}

verify_passes() {
	local reads writes

	# No use to wait for one that is over.
	kill -0 "$verify_pid" 2>/dev/null || return 0
	read -r reads writes < <(verify_done)
	((reads > $1 && writes > $2))
}

verify_more() {
	local reads writes

	read -r reads writes < <(verify_done) || true
	# shellcheck disable=SC2015 # either may fail
	wait_for "${1-60}" verify_passes $((${reads:-0} + 20)) $((${writes:-0} + 20)) &&
		kill -0 "$verify_pid" ||
		die "the verifier is stuck, or over: $(<"$VERIFY.out")"
}

# Between two nodes no READ of several packets, unless told (-r 16): where one must ask
# for a part again, soft-RoCE ends many too early, and each costs a recovery.
verify_start() {
	rm -f "$VERIFY".*
	farmem-verify -p 1 -u "$VERIFY.stop" -r $((FARMEM_NODES == 1 ? 16 : 1)) "$@" "$VERIFY_DISK" "$VERIFY.state" >"$VERIFY.out" 2>&1 &
	verify_pid=$!
	verify_more
}

verify_end() {
	: >"$VERIFY.stop"
	within 120 tail --pid="$verify_pid" -f /dev/null
	wait "$verify_pid" || die "the verifier: $(grep -v '^reads=' "$VERIFY.out")"
	tail -n 1 "$VERIFY.out"
	verify_again
}

verify_again() {
	within 120 farmem-verify "$@" "$VERIFY_DISK" "$VERIFY.state" >"$VERIFY.again" 2>&1 ||
		die "the verifier, afterwards: $(<"$VERIFY.again")"
}

# Reads, writes and a discard, waited for and queued.
retries() {
	set_fault "$1" 3
	fio_jobs <<-EOT
		[global]
		verify=crc32c
		verify_fatal=1
		rw=randwrite
		[sync]
		bs=4k
		size=1m
		[aio]
		ioengine=libaio
		iodepth=32
		bs=64k
		offset=4m
		size=8m
	EOT
	farmem-pages /dev/farmem0 write=4096,100,1
	blkdiscard -f -o $((4096 * 4106)) -l 40k /dev/farmem0
	set_fault "$1" 0
	farmem-pages /dev/farmem0 check=4096,10,1 zeros=4106,10 check=4116,80,1
	expect_at_least 50 "$(counter shortages)" "shortages"
	expect_idle
}
