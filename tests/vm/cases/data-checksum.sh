# SPDX-License-Identifier: GPL-2.0
# TEST: with checksum=crc32c a page that is not as it was written reads as an error, is counted and logged, and is good when it is written again; buffers that change while they are written cost no read
# KERNELS: 5.10 6.1 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool offset=

# A bit of the volume's page, which is in the pool's first slab.
flip() {
	local byte

	byte=$(od -An -tu1 -j $(($1 * 4096 + 77)) -N 1 $pool)
	# shellcheck disable=SC2059 # an octal number
	printf "\\$(printf %o $((byte ^ 16)))" |
		dd of=$pool bs=1 seek=$(($1 * 4096 + 77)) conv=notrunc status=none
}
read_all() { dd if=/dev/farmem0 of=/dev/null bs=2M count=2 iflag=direct status=none; }
stable() { cat /sys/block/farmem0/queue/stable_writes; }

load
serve --slab-size 4M --pool $pool
make_session default
make_volume default session=default size=4M checksum=crc32c
power_on sessions/default
power_on volumes/default
expect_equal crc32c "$(counter checksum)" "checksum of the disk"
expect_equal 1 "$(stable)" "stable_writes of the disk"

# Pages in two pieces each, where direct I/O may begin within a block.
[[ $FARMEM_KERNEL == 5.10 ]] || offset=,512
farmem-pages /dev/farmem0 write=0,1024,1 check=0,1024,1 \
	scatter=40,40,2$offset gather=40,40,2$offset \
	write=40,40,1 race=512,64,100 churn=600,1,200 churn=600,8,200 write=512,200,1 check=0,1024,1
expect_equal 0 "$(counter checksum_errors)" "mismatches so far"

mark_dmesg
flip 5
farmem-pages /dev/farmem0 check=0,5,1 lost=5,1 check=6,1018,1
expect_log "volume default: page 5 was read from $SERVER with checksum"
expect_log 'so it reads as an error until it is written again'
expect_equal 2 "$(counter checksum_errors)" "mismatches of two reads"
expect_equal 1 "$(counter read_errors)" "reads that failed"
expect_fail read_all
farmem-pages /dev/farmem0 write=5,1,3 check=5,1,3
expect_equal 4 "$(counter checksum_errors)" "mismatches of four reads"

# Another client's life knows no checksums of what it has not written.
flip 8
power_off volumes/default
power_on volumes/default
read_all
farmem-pages /dev/farmem0 write=8,1,4 check=8,1,4
flip 8
farmem-pages /dev/farmem0 lost=8,1
all_off
