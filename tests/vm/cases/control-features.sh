# SPDX-License-Identifier: GPL-2.0
# TEST: the features file says what this kernel offers
# CPUS: 1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

load
case $FARMEM_KERNEL in
5.10) expect_equal 'rdma local frontswap' "$(<$CONFIG/features)" "features" ;;
6.1) expect_equal 'rdma local rw_page' "$(<$CONFIG/features)" "features" ;;
*) expect_equal 'rdma local sync' "$(<$CONFIG/features)" "features" ;;
esac
# Without the pin that came with this function rw_page loses writes of swap.
[[ $(<$CONFIG/features) != *rw_page* ]] || grep -qw swapcache_clear /proc/kallsyms ||
	die "rw_page is offered, and this kernel does not pin the slot that it reads"
unload
