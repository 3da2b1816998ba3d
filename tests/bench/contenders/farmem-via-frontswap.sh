# SPDX-License-Identifier: GPL-2.0
# farmem's frontswap. Its operations cannot be unregistered, so the module stays:
# no contender that comes later, by its name, may need it otherwise loaded.
# KERNELS: 5.10
# MODES: icount
# WORKS: fault* dirty* sort

start() {
	farmem_start frontswap=1
}

stop() {
	:
}
