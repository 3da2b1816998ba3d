# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd started without its pool by mistake, even twice, and then with it: all is there but what was written in between, which is an error
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

pages() {
	farmem-pages /dev/farmem0 "$@"
}

serve --pool $pool
load_volume 32M io_deadline=-1
pages write=0,1000,1
blkdiscard -f -o $((100 * 4096)) -l $((100 * 4096)) /dev/farmem0
generation=$(counter generation)

replace_farmemd
pages lost=0,100 zeros=100,100 lost=200,800
pages write=0,10,2 write=100,10,2
blkdiscard -f -o $((20 * 4096)) -l $((10 * 4096)) /dev/farmem0
replace_farmemd
pages lost=0,20 zeros=20,10 lost=30,80 zeros=110,90 lost=200,800
pages write=5,10,3
mark_dmesg
replace_farmemd --pool $pool
expect_log "volume default: the server has its former memory again: 25 pages are lost"
expect_equal "$generation" "$(counter generation)" "generation"
expect_equal 25 "$(counter lost_pages)" "pages lost"
# 0..9 and 100..109 were written to the first wrong server, 5..14 to the second.
there=('lost=0,15' 'check=15,5,1' 'zeros=20,10' 'check=30,70,1' 'lost=100,10' 'zeros=110,90' 'check=200,800,1')
pages "${there[@]}"
replace_farmemd --pool $pool
pages "${there[@]}"
reload 32M io_deadline=-1
pages "${there[@]}"
pages write=0,15,4 write=100,10,4
expect_equal 0 "$(counter lost_pages)" "pages lost"
unload
rm $pool
