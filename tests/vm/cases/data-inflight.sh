# SPDX-License-Identifier: GPL-2.0
# TEST: inflight counts while I/O is under way and is 0 at rest
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
expect_equal 0 "$(counter inflight)" "inflight before"
fio --thread --direct=1 --filename=/dev/farmem0 --output=/tmp/fio.out --name=write --rw=randwrite \
	--bs=256k --size=32m --ioengine=libaio --iodepth=32 --time_based --runtime=60 &
fio_pid=$!
# shellcheck disable=SC2016
wait_for 30 bash -c '(($(</sys/block/farmem0/farmem/inflight) > 0))'
end_process -INT $fio_pid
grep -q 'err= 0' /tmp/fio.out || die "$(cat /tmp/fio.out)"
expect_idle
