# SPDX-License-Identifier: GPL-2.0
# The network block device over TCP, to nbdkit's memory.

# shellcheck disable=SC2016 # expanded on the memory node
server_up='
	nbdkit --pidfile /run/nbdkit.pid --ipaddr "$2" memory "$1" </dev/null >/dev/null 2>&1'

start() {
	on-memory-node sh -c "$server_up" server "${SIZE_MIB}M" "$FARMEM_SERVER" >&2
	modprobe nbd nbds_max=1
	nbd-client "$FARMEM_SERVER" /dev/nbd0 >/tmp/nbd.log 2>&1 || die "$(</tmp/nbd.log)"
	wait_for 20 test -s /sys/block/nbd0/pid
	echo /dev/nbd0
}

# shellcheck disable=SC2016
stop() {
	nbd-client -d /dev/nbd0 >/tmp/nbd.log 2>&1
	on-memory-node sh -c 'kill "$(cat /run/nbdkit.pid)"'
	wait_for 20 rmmod nbd
}
