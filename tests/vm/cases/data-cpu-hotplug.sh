# SPDX-License-Identifier: GPL-2.0
# TEST: a CPU that goes and comes back under I/O costs no byte and no I/O
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

[[ -w /sys/devices/system/cpu/cpu1/online ]] || skip "there is no second CPU to take away"
serve
load_volume 24M
fio --thread --direct=1 --filename=/dev/farmem0 --output=/tmp/fio.out --size=4m --bs=4k \
	--verify=crc32c --verify_fatal=1 --rw=randwrite --time_based --runtime=600 \
	--name=aio --ioengine=libaio --iodepth=16 --loops=1000 \
	--name=sync --ioengine=psync --offset=8m &
fio_pid=$!
for _ in 1 2; do
	for online in 0 1; do
		echo $online >/sys/devices/system/cpu/cpu1/online
		reads=$(counter read_bytes)
		# shellcheck disable=SC2016
		wait_for 30 bash -c '(($(</sys/block/farmem0/farmem/read_bytes) > $1 + 500000))' bash "$reads"
	done
done
kill -INT $fio_pid
wait $fio_pid || true
! grep -E 'err= *[1-9]|verify: bad|verify failed' /tmp/fio.out || die "$(cat /tmp/fio.out)"
farmem-pages /dev/farmem0 write=0,4096,1 check=0,4096,1
expect_idle
echo 1 >/sys/devices/system/cpu/cpu1/online
