# SPDX-License-Identifier: GPL-2.0
# TEST: with frontswap=1 pages go and come by it, contents verified; the module stays and says so
# KERNELS: 5.10
# SHORT: yes
# KEEPS-MODULE: yes
. "$FARMEM_TESTS/vm/cases.sh"

stat_of() {
	cat "/sys/kernel/debug/frontswap/$1"
}

serve
load_volume 48M frontswap=1
expect_log 'frontswap is on: this module can no longer be unloaded'
swap_on
run_squeezed 16M farmem-memory 32 fill random sequential
echo always >/sys/kernel/mm/transparent_hugepage/enabled
run_squeezed 16M farmem-memory 32 fill random
expect_at_least 4000 "$(stat_of succ_stores)" "pages stored by frontswap"
expect_at_least 2000 "$(stat_of loads)" "pages loaded by frontswap"
swapoff /dev/farmem0
expect_idle
# An area elsewhere is none of its business.
modprobe brd rd_nr=1 rd_size=49152
stores=$(stat_of succ_stores)
mkswap -q /dev/ram0
swapon /dev/ram0
run_squeezed 16M farmem-memory 32 fill random
swapoff /dev/ram0
expect_equal "$stores" "$(stat_of succ_stores)" "pages stored of a foreign swap area"
expect_fail rmmod farmem
