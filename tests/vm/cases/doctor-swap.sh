# SPDX-License-Identifier: GPL-2.0
# TEST: the doctor finds settings of swap that hurt and a limit of locked memory, changes none by itself, and --fix mends what can be mended in place
# CPUS: 1
# shellcheck source=tests/vm/doctor.sh
. "$FARMEM_TESTS/vm/doctor.sh"

cluster=$(</proc/sys/vm/page-cluster)
serve
load_volume 32M
swap_on --priority 10
echo 5 >/proc/sys/vm/page-cluster
echo Y >/sys/module/zswap/parameters/enabled
modprobe brd rd_nr=1 rd_size=16384
mkswap -q /dev/ram0
swapon --priority 20 /dev/ram0
before=$(state_of_node)
examine --node both
expect_code 3
# What rw_page reads is one page, whatever is set.
clustered=1
[[ $(</sys/kernel/config/farmem/features) != *rw_page* ]] || clustered=0
if ((clustered)); then
	finds warn swap.page-cluster 'each fault reads 32 pages'
else
	finds ok swap.page-cluster 'reads here are synchronous'
fi
finds warn swap.zswap 'zswap is on'
finds warn swap.priority "/dev/farmem0 has priority 10, /dev/ram0 20"
finds warn swap.loop '/dev/farmem0 is swap'
expect_equal "$before" "$(state_of_node)" "the node, after the doctor"

examine --node both --fix
expect_code 3
expect_equal "$clustered" "$(grep -c '^# ' <<<"$RAN")" "commands that the doctor ran"
finds ok swap.page-cluster ''
finds warn swap.zswap ''
finds warn swap.priority ''
expect_equal "$((clustered ? 0 : 5)) Y" "$(</proc/sys/vm/page-cluster) $(</sys/module/zswap/parameters/enabled)" "the settings"
swapoff -a
modprobe -r brd
echo N >/sys/module/zswap/parameters/enabled
echo "$cluster" >/proc/sys/vm/page-cluster

# Root without CAP_IPC_LOCK is bound by its limit, as everybody else.
CODE=0
(
	ulimit -l 64
	trap - ERR
	setpriv --bounding-set=-ipc_lock farmemctl doctor --node memory --json >/tmp/report
) || CODE=$?
REPORT=$(</tmp/report)
expect_code 3
finds warn limits.shell '64K'
unload
