# SPDX-License-Identifier: GPL-2.0
# TEST: whichever allocation of a read, write or discard fails, the disk itself has no error
# KERNELS: 6.1-debug
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
put_data
# Above the disk ENOMEM is an answer.
for what in pwrite pread discard; do
	fail_nth $what /dev/farmem0
done
expect_idle
put_data
check_data
