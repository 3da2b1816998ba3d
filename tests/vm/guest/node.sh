# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sets a guest up as a node: file systems, limits, network, soft-RoCE. To be
# sourced by session, after the run's configuration.

MANAGEMENT_MEMORY=192.168.77.2
# shellcheck disable=SC2034 # read by session
MANAGEMENT_PORT=7700

setup_file_systems() {
	mount -t tracefs tracefs /sys/kernel/tracing
	mount -t debugfs debugfs /sys/kernel/debug
	modprobe configfs && mount -t configfs configfs /sys/kernel/config
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	echo +memory +cpu +io >/sys/fs/cgroup/cgroup.subtree_control
	mount -t hugetlbfs hugetlbfs /dev/hugepages
}

setup_limits() {
	hostname "$NODE"
	ulimit -l unlimited
	sysctl -qw kernel.panic_on_oops=1 "kernel.hung_task_timeout_secs=$HUNG_SECONDS" \
		"kernel.watchdog_thresh=$WATCHDOG_SECONDS" kernel.printk_ratelimit=0
	dmesg -n 8
}

# interface_of MAC - prints the name of the interface with that address.
interface_of() {
	local address

	for address in /sys/class/net/*/address; do
		[[ $(<"$address") != "$1" ]] || basename "${address%/address}"
	done
}

# One node talks to itself over a dummy interface. Two are joined by a fabric,
# which tests may break, and by a management link, which they leave alone.
setup_network() {
	local number=1 link

	[[ $NODE == compute ]] || number=2
	ip link set lo up
	if ((NODES == 1)); then
		modprobe dummy numdummies=0
		ip link add "$FARMEM_NETDEV" type dummy
		ip link set "$FARMEM_NETDEV" mtu 4500
	else
		modprobe virtio_net
		link=$(interface_of "52:54:00:fa:00:0$number")
		ip link set "$link" name "$FARMEM_NETDEV"
		link=$(interface_of "52:54:00:fb:00:0$number")
		ip link set "$link" name management0
		ip address add "${MANAGEMENT_MEMORY%.*}.$number/24" dev management0
		ip link set management0 up
	fi
	ip address add "10.0.0.$number/24" dev "$FARMEM_NETDEV"
	ip address add "fd00::$number/64" dev "$FARMEM_NETDEV" nodad
	ip link set "$FARMEM_NETDEV" up
}

# 5.10 and 6.12 add no rxe device without a crc32 driver; 7.2 needs none, and
# with the generic one alone every packet costs far more.
setup_rxe() {
	modprobe -q crc32_generic
	modprobe -q crc32_pclmul
	modprobe -a rdma_rxe rdma_ucm ib_uverbs || return
	[[ -e /sys/class/infiniband/$FARMEM_RDMADEV ]] ||
		rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV" || return
	setup_rdma_devices
}

# What udev would do: names under /dev for the character devices.
setup_rdma_devices() {
	local device major minor

	mkdir -p /dev/infiniband
	for device in /sys/class/misc/rdma_cm /sys/class/infiniband_verbs/uverbs*; do
		IFS=: read -r major minor <"$device/dev"
		[[ -e /dev/infiniband/${device##*/} ]] ||
			mknod -m 666 "/dev/infiniband/${device##*/}" c "$major" "$minor"
	done
}

# KASAN reports once, taints the kernel with TAINT_BAD_PAGE and turns lockdep off
# (mm/kasan/report.c:end_report()).
kasan_is_silent() {
	local taint

	read -r taint </proc/sys/kernel/tainted
	(((taint >> 5 & 1) == 0))
}

# Lockdep ends at its first report, or when it has run out of its tables: from then
# on it finds nothing. Said in words that scan-log knows; KASAN's report speaks for itself.
tell_if_lockdep_is_off() {
	local stats=''

	kasan_is_silent || return 0
	[[ ! -e /proc/lockdep_stats ]] || stats=$(</proc/lockdep_stats)
	if [[ -z $stats ]]; then
		[[ -z $FARMEM_DEBUG ]] || echo 'WARNING: this debug kernel has no lockdep' >/dev/kmsg
	elif ! [[ $stats =~ debug_locks:\ *1 ]]; then
		echo 'WARNING: lockdep is off: see debug_locks in /proc/lockdep_stats' >/dev/kmsg
	fi
}

# KASAN keeps what is freed until a task that may sleep allocates
# (mm/kasan/common.c:__kasan_slab_alloc()). On a node that only serves nobody does: its
# soft interrupts receive all packets. 25 MB a second piled up so; a program that
# starts makes room for hundreds.
empty_kasan_quarantine() {
	while :; do
		sleep 3
	done
}

node_setup() {
	setup_file_systems
	setup_limits
	setup_network
	setup_rxe
}
