# SPDX-License-Identifier: GPL-2.0
# TEST: frontswap=1 is refused where the kernel does not offer it to modules, with and without a volume
# CPUS: 1
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

text='frontswap=1: only Linux 5.10 offers frontswap to modules; leave it 0'
expect_no_load "$text" frontswap=1
expect_no_load "$text" frontswap=1 server=local size=1M
