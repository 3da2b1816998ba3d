# SPDX-License-Identifier: GPL-2.0
# TEST: a server that comes back with other memory: each page that was there reads as an error until it is written again, never as zeros, also after a reload
# CPUS: 1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

pages() {
	farmem-pages /dev/farmem0 "$@"
}

serve
load_volume 32M io_deadline=-1
pages write=0,1000,1
blkdiscard -f -o $((100 * 4096)) -l $((100 * 4096)) /dev/farmem0
stop_farmemd KILL
wait_for 20 recovering
pages lost=0,1 &
reader=$!
pages write=1,1,2 &
writer=$!
serve
wait_for 60 live
wait "$reader" || die "a read that waited was not an error"
wait "$writer" || die "a write that waited was one"
expect_equal live "$(value volumes/default state)" "state of the volume"
# 32 MiB but for what is zero and what was written since.
expect_equal $((8192 - 100 - 1)) "$(counter lost_pages)" "pages lost"
pages lost=0,1 check=1,1,2 lost=2,98 zeros=100,100 lost=200,800
pages write=300,100,2 check=300,100,2 lost=299,1 lost=400,1
blkdiscard -f -o $((500 * 4096)) -l $((10 * 4096)) /dev/farmem0
pages zeros=500,10
expect_equal $((8192 - 100 - 1 - 100 - 10)) "$(counter lost_pages)" "pages lost"
expect_at_least 900 "$(counter lost_reads)" "reads of lost pages"
expect_log "volume default: the server came back with other memory: 8092 pages are lost"

reload 32M
pages lost=0,1 check=1,1,2 lost=2,98 zeros=100,100 lost=200,100 check=300,100,2 lost=400,100 \
	zeros=500,10 lost=510,490
expect_equal $((8192 - 100 - 1 - 100 - 10)) "$(counter lost_pages)" "pages lost"
blkdiscard -f /dev/farmem0
expect_equal 0 "$(counter lost_pages)" "pages lost"
pages zeros=0,8192
unload
