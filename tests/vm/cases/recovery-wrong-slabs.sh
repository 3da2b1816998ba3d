# SPDX-License-Identifier: GPL-2.0
# TEST: a volume for which the server had no room, or other slabs, goes on with every byte when farmemd is started with its pool
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool
wrong="the server's memory now has other slabs than this volume's; start farmemd with its former --pool and --slab-size, or delete the volume and create it anew"

refused() { [[ $(dmesg_since) == *"volume default: not available: "*"too little free memory"* ]]; }
lost() { [[ $(value volumes/default state) == lost ]]; }

away() {
	stop_farmemd KILL
	wait_for 20 recovering
}

back() {
	serve --pool $pool
	wait_for 60 live
	expect_equal live "$(value volumes/default state)" "state of the volume"
	check_data
	expect_equal 0 "$(counter lost_pages)" "pages lost"
}

serve --pool $pool
load_volume 32M io_deadline=-1
put_data

away
mark_dmesg
start_farmemd --size 16M --listen "$SERVER"
wait_for 60 refused
stop_farmemd KILL
back

away
mark_dmesg
serve --slab-size 1M
wait_for 60 lost
expect_equal "$wrong" "$(value volumes/default reason)" "reason of the volume"
expect_log "volume default: lost: $wrong"
! dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct 2>/dev/null || die "a read of a lost volume is no error"
! dd if=/dev/zero of=/dev/farmem0 bs=4k count=1 oflag=direct 2>/dev/null || die "a write to a lost volume is no error"
away
back
expect_log 'volume default: the server has its memory again'

unload
rm $pool
