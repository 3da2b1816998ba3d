# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Guests whose disks system-disk makes. What a run writes to them is gone with the run. To be
# sourced by run.

# system_prepare - both nodes' disks, before the run's time begins.
system_prepare() {
	local node

	for node in memory compute; do
		"$here/system-disk" "$node" >"$run_dir/$node.disk" || refuse "there is no disk for the $node node"
		image_config "$node" >"$run_dir/$node.config"
	done
}

# system_boot NODE - sets boot, QEMU's options. A guest that panics shall not boot again.
system_boot() {
	local disk

	disk=$(<"$run_dir/$1.disk")
	qemu_append+=(root=/dev/vda rw "test_run=$run_dir" panic=0)
	boot=(-kernel "$disk.vmlinuz" -initrd "$disk.initrd"
		-drive "file=$disk.img,format=raw,if=virtio,snapshot=on")
}
