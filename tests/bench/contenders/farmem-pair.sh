# SPDX-License-Identifier: GPL-2.0
# A pair: md raid1 of two volumes of farmem over RDMA.
# MODES: icount
# KERNELS: 6.1 6.12 newest
# WORKS: read-4k-1 write-4k-1 read-4k-32-libaio write-4k-32-libaio fault-random-pc0

config=/sys/kernel/config/farmem

start() {
	# md keeps its superblock and its bitmap in front of the data.
	local other=$config/volumes/other size=$((SIZE_MIB + 16))

	SIZE_MIB=$size LEND_MIB=$((2 * size + 64)) farmem_start >/dev/null
	mkdir "$other"
	echo default >"$other/session"
	echo "${size}M" >"$other/size"
	echo 1 >"$other/power"
	modprobe raid1
	mdadm --quiet --create /dev/md0 --run --level=1 --raid-devices=2 --assume-clean \
		--metadata=1.2 --bitmap=internal --failfast /dev/farmem0 "/dev/$(<"$other/device")" >&2
	echo /dev/md0
}

stop() {
	mdadm --quiet --stop /dev/md0
	echo 1 >"$config/volumes/other/release"
	rmdir "$config/volumes/other"
	farmem_stop
}
