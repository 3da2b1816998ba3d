# SPDX-License-Identifier: GPL-2.0
# TEST: a server that comes back with other memory: what was there reads as an error, never as zeros
# CPUS: 1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

stale="the server no longer has this volume's data (it restarted without its pool, or another client of this name has used it since); delete the volume and create it anew"

serve
load_volume 32M io_deadline=-1
put_data
stop_farmemd KILL
wait_for 20 recovering
dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none 2>/tmp/reader.err &
reader=$!
serve
wait_for 60 live
! wait "$reader" || die "a read of lost data succeeded"
expect_fail dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none
expect_fail dd if=/dev/zero of=/dev/farmem0 bs=4k count=1 oflag=direct status=none
expect_equal lost "$(value volumes/default state)" "state of the volume"
expect_equal "$stale" "$(value volumes/default reason)" "reason of the volume"
expect_log "volume default: lost: $stale"
unload
load_volume 32M
zeros /dev/farmem0 2097152 || die "the new memory is not zeros"
unload
