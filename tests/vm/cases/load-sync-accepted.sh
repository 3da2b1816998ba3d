# SPDX-License-Identifier: GPL-2.0
# TEST: sync=1 makes a synchronous disk where the kernel has the feature
# CPUS: 1
# KERNELS: 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M sync=1
expect_equal 1 "$(counter sync)" "sync of the disk"
expect_text ' sync' "$(<$CONFIG/features)" "features"
put_data
check_data
unload
