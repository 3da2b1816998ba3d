# SPDX-License-Identifier: GPL-2.0
# TEST: over a link between two nodes swap and fio at once keep every byte: 512 MiB on 6.1, 128 elsewhere, or $FARMEM_SOAK_MIB
# NODES: 2
# LONG: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

# More of it:  tests/vm/run --nodes 2 --timeout 7200 --env FARMEM_SOAK_MIB=4096 \
#	tests/vm/cases/two-node-swap-and-fio.sh
#
# Swap and fio have a volume each, of one session.
mib=${FARMEM_SOAK_MIB:-$([[ $FARMEM_KERNEL == 6.1 && -z $FARMEM_DEBUG ]] && echo 512 || echo 128)}
program=64 # MiB of memory, a third of it resident

start_farmemd --size 512M --listen "$SERVER"
load
make_session s client=tester
power_on sessions/s
make_volume swap session=s size=96M
make_volume data session=s size=64M
power_on volumes/swap
power_on volumes/data
swap=$(value volumes/swap device) data=$(value volumes/data device)
mkswap -q "/dev/$swap"
swapon "/dev/$swap"
run_squeezed 20M farmem-memory $program fill random touch=/tmp/swapping until=/tmp/stop sequential &
program_pid=$!
wait_for 100 test -e /tmp/swapping

both() {
	echo $((($(counter write_bytes "$swap") + $(counter write_bytes "$data")) >> 20))
}

# Each round writes and verifies all of the data volume once.
round=0
while (($(both) < mib)); do
	round=$((round + 1))
	fio --thread --direct=1 --filename="/dev/$data" --output=/tmp/fio.out --size=32m \
		--verify=crc32c --verify_fatal=1 --randseed=$round \
		--name=large --ioengine=io_uring --iodepth=16 --rw=write --bs=1m \
		--name=middle --ioengine=libaio --iodepth=32 --rw=randwrite --bs=64k --offset=32m ||
		die "fio, round $round: $(cat /tmp/fio.out)"
	kill -0 $program_pid || die "the swapping program ended"
done
: >/tmp/stop
wait $program_pid
swapoff "/dev/$swap"
expect_at_least "$mib" "$(both)" "MiB written"
expect_at_least $((mib / 8)) $(($(counter write_bytes "$swap") >> 20)) "MiB swapped out"
expect_idle "$swap"
expect_idle "$data"
echo "$round rounds of fio; MiB: swapped $(($(counter write_bytes "$swap") >> 20)) out and $(($(counter read_bytes "$swap") >> 20)) in, fio wrote $(($(counter write_bytes "$data") >> 20))"
all_off
