# SPDX-License-Identifier: GPL-2.0
# TEST: the RDMA device goes away (rdma link del) under I/O: errors, in bounded time, and rmmod works
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

writing() { (($(counter writes) > 50)); }

serve
load_volume 32M
fio --name=job --filename=/dev/farmem0 --rw=randrw --bs=4k --ioengine=libaio --iodepth=16 \
	--direct=1 --time_based --runtime=300 >/tmp/fio.log 2>&1 &
fio=$!
wait_for 30 writing
within 60 rdma link delete "$FARMEM_RDMADEV"
within 60 tail --pid=$fio -f /dev/null
! wait $fio || die "fio noticed nothing"
expect_equal failed "$(value sessions/default state)" "state of the session"
expect_equal "$SERVER: the RDMA device was removed" "$(value sessions/default reason)" "reason"
unload

# And it may come back.
rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
load_volume 32M
put_data
check_data
unload
