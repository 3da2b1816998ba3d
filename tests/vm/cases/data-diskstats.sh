# SPDX-License-Identifier: GPL-2.0
# TEST: /proc/diskstats counts what was read, written and discarded, and time
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

# reads sectors-read writes sectors-written discards sectors-discarded in-flight
stats() {
	awk '$3 == "farmem0" { print $4, $6, $8, $10, $15, $17, $12 }' /proc/diskstats
}

serve
load_volume 16M
read -r r0 rs0 w0 ws0 d0 ds0 _ < <(stats)
farmem-pages /dev/farmem0 write=0,640,1 check=0,256,1
blkdiscard -f -o 0 -l 1M /dev/farmem0
read -r r1 rs1 w1 ws1 d1 ds1 inflight < <(stats)
expect_equal $((640 * 8)) $((ws1 - ws0)) "sectors written"
expect_equal $((256 * 8)) $((rs1 - rs0)) "sectors read"
expect_equal 2048 $((ds1 - ds0)) "sectors discarded"
# Batches of 64 pages, and perhaps two requests for one.
expect_at_least 10 $((w1 - w0)) "writes"
expect_at_least 4 $((r1 - r0)) "reads"
expect_at_least 1 $((d1 - d0)) "discards"
expect_equal 0 "$inflight" "in flight at rest"
read -r r2 _ < <(stats)
farmem-pages /dev/farmem0 check=300,8,1 check=320,8,1
read -r r3 _ < <(stats)
expect_equal 2 $((r3 - r2)) "two small reads"
expect_idle
