# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd with --pool is killed and started again ten times under writes that are verified: no error, no byte lost
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

more_reads() { (($(counter read_bytes) > $1 + 200000)); }
back() { (($(dmesg_since | grep -c 'session default: live again') == $1)); }

serve --pool $pool
load_volume 32M io_deadline=-1 client=worker
put_data
generation=$(counter generation)
fio --thread --direct=1 --filename=/dev/farmem0 --output=/tmp/fio.out --offset=4m --size=4m --bs=4k \
	--verify=crc32c --verify_fatal=1 --rw=randwrite --time_based --runtime=600 \
	--name=aio --ioengine=libaio --iodepth=16 --loops=1000 &
fio_pid=$!
for n in {1..10}; do
	wait_for 60 more_reads "$(counter read_bytes)"
	stop_farmemd KILL
	wait_for 20 recovering
	serve --pool $pool
	wait_for 60 back "$n"
done
kill -INT $fio_pid
wait $fio_pid || true
! grep -E 'err= *[1-9]|verify: bad|verify failed' /tmp/fio.out || die "$(cat /tmp/fio.out)"
check_data
expect_idle
expect_equal "$generation" "$(counter generation)" "generation"
expect_text "pool: took $pool over: 64M, 32M of it free, memory of 1 clients" "$(farmemd_log)" \
	"farmemd's log"
unload
rm $pool
