# SPDX-License-Identifier: GPL-2.0
# TEST: sync=1 is refused where the kernel has no synchronous feature
# CPUS: 1
# KERNELS: 5.10 6.1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

expect_no_load 'volume default: sync=1 needs Linux 6.11 or newer; leave it 0 (-95)' \
	server=local size=1M sync=1
