# SPDX-License-Identifier: GPL-2.0
# TEST: writes of a former session that the network delivers long after the next one has begun land nowhere
# LONG: yes
# NODES: 2
# CPUS: 2
. "$FARMEM_TESTS/vm/cases.sh"

# Packets that wait here.
late() { tc -s -j qdisc show dev "$FARMEM_NETDEV" | jq '.[0].qlen'; }
all_delivered() { (($(late) == 0)); }

serve
load_volume 32M io_deadline=-1
# From another CPU than the first, and so on another queue pair than the first: that
# one may be in error by itself, for over it the server asks whether the client lives.
taskset -cp 1 $$
# Few sectors: what lands late shall find something newer.
verify_start -n 128 -m 10,90,0
tc qdisc add dev "$FARMEM_NETDEV" root netem delay 30s limit 100000
wait_for 60 recovering
# What comes now overtakes what waits.
tc qdisc change dev "$FARMEM_NETDEV" root netem delay 1ms limit 100000
wait_for 120 live
verify_more
verify_end
expect_at_least 1 "$(late)" "packets of the former session still under way"
wait_for 120 all_delivered
tc qdisc del dev "$FARMEM_NETDEV" root
verify_again
expect_idle
unload
