# SPDX-License-Identifier: GPL-2.0
# TEST: the link goes down under writes that are verified, until the session gives up: all go on when it is back
# NODES: 2
# TIMEOUT: 300
. "$FARMEM_TESTS/vm/cases.sh"

more_reads() { (($(counter read_bytes) > $1 + 500000)); }

serve
load_volume 32M io_deadline=-1
put_data
fio --thread --direct=1 --filename=/dev/farmem0 --output=/tmp/fio.out --offset=4m --size=4m --bs=4k \
	--verify=crc32c --verify_fatal=1 --rw=randwrite --time_based --runtime=600 \
	--name=aio --ioengine=libaio --iodepth=16 --loops=1000 &
fio_pid=$!
wait_for 60 more_reads 0
on-memory-node ip link set "$FARMEM_NETDEV" down
wait_for 60 recovering
on-memory-node ip link set "$FARMEM_NETDEV" up
wait_for 120 live
wait_for 60 more_reads "$(counter read_bytes)"
kill -INT $fio_pid
wait $fio_pid || true
! grep -E 'err= *[1-9]|verify: bad|verify failed' /tmp/fio.out || die "$(cat /tmp/fio.out)"
check_data
expect_idle
unload
