# SPDX-License-Identifier: GPL-2.0
# farmem's frontswap. Its operations cannot be unregistered: the module stays, and
# with it the server, and each page that the kernel swaps out anywhere is offered
# to it first.
# KERNELS: 5.10
# MODES: icount
# WORKS: fault* dirty* sort
# LAST: whatever swaps after it would pay for that

start() {
	farmem_start frontswap=1
}

stop() {
	:
}
