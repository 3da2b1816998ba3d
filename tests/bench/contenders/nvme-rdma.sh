# SPDX-License-Identifier: GPL-2.0
# The kernel's NVMe over RDMA, to the kernel's target with a RAM disk behind it.

subsystem=nqn.2014-08.org.farmem:bench

# shellcheck disable=SC2016 # expanded on the memory node
target_up='
	set -e
	modprobe -a nvmet nvmet-rdma
	modprobe brd rd_nr=1 rd_size="$1"
	cd /sys/kernel/config/nvmet
	mkdir "subsystems/$2" "subsystems/$2/namespaces/1" ports/1
	echo 1 >"subsystems/$2/attr_allow_any_host"
	echo /dev/ram0 >"subsystems/$2/namespaces/1/device_path"
	echo 1 >"subsystems/$2/namespaces/1/enable"
	echo rdma >ports/1/addr_trtype
	echo ipv4 >ports/1/addr_adrfam
	echo "$3" >ports/1/addr_traddr
	echo 4420 >ports/1/addr_trsvcid
	ln -s "$PWD/subsystems/$2" "ports/1/subsystems/$2"'

# shellcheck disable=SC2016
target_down='
	cd /sys/kernel/config/nvmet &&
	rm "ports/1/subsystems/$1" && rmdir ports/1 &&
	rmdir "subsystems/$1/namespaces/1" "subsystems/$1" &&
	rmmod nvmet-rdma nvmet brd'

start() {
	on-memory-node sh -c "$target_up" target $((SIZE_MIB << 10)) "$subsystem" "$FARMEM_SERVER" >&2
	modprobe nvme-rdma
	nvme connect -t rdma -a "$FARMEM_SERVER" -s 4420 -n "$subsystem" >&2
	wait_for 20 test -b /dev/nvme0n1
	echo /dev/nvme0n1
}

stop() {
	nvme disconnect -n "$subsystem" >/dev/null
	on-memory-node sh -c "$target_down" target "$subsystem"
	rmmod nvme-rdma
}
