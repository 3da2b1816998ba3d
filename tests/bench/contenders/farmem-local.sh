# SPDX-License-Identifier: GPL-2.0
# farmem's own layers: its loopback transport copies memory and has no fabric.
# FAST: no fabric

start() {
	modprobe farmem server=local "size=${SIZE_MIB}M"
	echo /dev/farmem0
}

stop() {
	rmmod farmem
}
