# SPDX-License-Identifier: GPL-2.0
# TEST: the loopback transport (server=local) holds data, zeros and discards as the real one does
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

load server=local size=16M
fio_jobs --ioengine=libaio --iodepth=32 <<-EOT
	[global]
	verify=crc32c
	verify_fatal=1
	rw=randwrite
	size=4m
	[small]
	bs=4k
	[large]
	bs=1m
	offset=4m
EOT
farmem-pages /dev/farmem0 write=0,1024,1
blkdiscard -f -o 40960 -l 400k /dev/farmem0
farmem-pages /dev/farmem0 write=50,5,2
echo 0 >"$CONFIG/volumes/default/power"
echo 1 >"$CONFIG/volumes/default/power"
farmem-pages /dev/farmem0 check=0,10,1 zeros=10,40 check=50,5,2 zeros=55,55 check=110,914,1
swap_on
run_squeezed 6M farmem-memory 12 fill random
swapoff /dev/farmem0
expect_idle
