# SPDX-License-Identifier: GPL-2.0
# TEST: pages that are lost stay so when the connection alone breaks next, and when the memory is lost again
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pages() {
	farmem-pages /dev/farmem0 "$@"
}

serve
load_volume 32M io_deadline=-1
pages write=0,100,1
replace_farmemd
pages write=0,50,2

mark_dmesg
set_fault fail_post_hard 1
pages lost=60,1 &
reader=$!
wait_for 20 recovering
set_fault fail_post_hard 0
wait_for 60 live
wait "$reader" || die "a read of a lost page was no error, across a reconnect"
expect_no_log "other memory"
pages check=0,50,2 lost=50,50

replace_farmemd
pages lost=0,100
pages write=0,100,3 check=0,100,3
unload
