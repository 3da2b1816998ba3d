# SPDX-License-Identifier: GPL-2.0
# TEST: the bond that carries the address changes to its other link, and with it the adapter's address: the session reconnects, every byte is there
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

bond=10.0.9.1

noticed() { [[ $(dmesg_since) == *'session default failed'*"${1-}"* ]]; }

fail_over() {
	local bonding=/sys/class/net/bond0/bonding other=right

	[[ $(<$bonding/active_slave) != right ]] || other=left
	mark_dmesg
	echo $other >$bonding/active_slave
}

modprobe bonding max_bonds=0
modprobe dummy numdummies=0
ip link add bond0 type bond mode active-backup fail_over_mac active miimon 100
for link in left right; do
	ip link add $link type dummy
	ip link set $link master bond0
done
ip link set bond0 up
ip address add $bond/24 dev bond0
rdma link add over-bond type rxe netdev bond0

SERVER=$bond:7471
serve
load_volume 32M io_deadline=-1 heartbeat=0
verify_start
# A queue may fail before CM tells.
fail_over
wait_for 30 noticed
wait_for 120 live
verify_more
verify_end

# Nothing is under way, not even a heartbeat: nobody but CM can tell.
fail_over
wait_for 30 noticed 'the local address moved to another device'
wait_for 120 live
verify_again
expect_idle
unload
stop_farmemd
rdma link delete over-bond
ip link delete bond0
ip link delete left
ip link delete right
