# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Guests whose disks system-disk makes. What a run writes to them is gone with the run. To be
# sourced by run.

# system_prepare - the nodes' disks, before the run's time begins.
system_prepare() {
	local node nodes_disks=(memory compute)

	((nodes == 2)) || nodes_disks=(lone)
	for node in "${nodes_disks[@]}"; do
		system_disk "$node" "${node/lone/compute}"
	done
}

# system_disk KIND NODE
system_disk() {
	"$here/system-disk" "$1" >"$run_dir/$2.disk" || refuse "there is no disk for the $1 node"
	image_config "$2" >"$run_dir/$2.config"
}

# system_boot NODE - sets boot, QEMU's options. A guest that panics shall not boot again.
system_boot() {
	local disk

	disk=$(<"$run_dir/$1.disk")
	qemu_append+=(root=/dev/vda rw "test_run=$run_dir" panic=0)
	boot=(-kernel "$disk.vmlinuz" -initrd "$disk.initrd"
		-drive "file=$disk.img,format=raw,if=virtio,snapshot=on")
}
