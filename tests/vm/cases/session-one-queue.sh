# SPDX-License-Identifier: GPL-2.0
# TEST: queues=1 makes one queue pair, which reads and writes correctly
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M queues=1
expect_equal 1 "$(value sessions/default queue_count)" "queue_count"
expect_equal 1 "$(rdma resource show qp | grep -cE '\[(farmem|rdma_cm)\]')" "queue pairs of the module"
expect_equal 1 "$(farmemctl server list --json | jq '.loans[0].queues')" "queues at the server"
fio --name=job --filename=/dev/farmem0 --size=4M --rw=randwrite --bs=4k --ioengine=libaio --iodepth=32 \
	--direct=1 --verify=crc32c --verify_fatal=1 --output=/tmp/fio.log || die "$(</tmp/fio.log)"
unload
