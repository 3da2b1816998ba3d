# SPDX-License-Identifier: GPL-2.0
# TEST: sync=1 makes a synchronous disk where the kernel has the feature; such a volume has no partner
# CPUS: 1
# KERNELS: 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M sync=1
expect_equal 1 "$(counter sync)" "sync of the disk"
expect_text ' sync' "$(<$CONFIG/features)" "features"
put_data
check_data
! set_value volumes/default partner other >/dev/null || die "a synchronous volume that is on has a partner"
power_off volumes/default
set_value volumes/default partner other
expect_refusal "sync=1 and partner= exclude each other" volumes/default
unload
