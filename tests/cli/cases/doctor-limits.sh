# The doctor on limits, huge pages and farmemd.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
limit() { put "$proc/$1/limits" "Max locked memory         $2              $2              bytes"; }
unit=$root/usr/lib/systemd/system/farmemd.service

limit self 65536
sick "a small limit on a compute node"
node_lends
limit self 8388608
sick "and on one that lends" --node memory
put "$proc/self/status" 'CapEff:	000001ffffffffff'
sick "as root" --node memory
rm "$proc/self/limits"
sick "no limits" --node memory

limit self unlimited
put "$proc/1234/limits" 'Max locked memory         67108864             67108864             bytes'
sick "farmemd that runs with a limit" --node memory
put "$proc/1234/status" 'CapEff:	0000000000004000'
sick "and may exceed it" --node memory
rm -r "$proc/1234"
put "$unit" LimitMEMLOCK=infinity
sick "a unit without a limit" --node memory
put "$unit" LimitMEMLOCK=64M
sick "a unit with a limit" --node memory
put "$unit" Type=notify
sick "a unit that says nothing" --node memory
put "$root/etc/systemd/system/farmemd.service.d/memlock.conf" LimitMEMLOCK=infinity
sick "and what is dropped in" --node memory

put "$root/etc/farmem/farmemd.conf" $'size = 4G\nhugepages = 2M'
sick "huge pages are missing" --node memory
put "$sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages" 2048
sick "they are there" --node memory
put "$root/etc/farmem/farmemd.conf" $'size = 4G\nhugepages = 1G'
sick "this machine has none of that size" --node memory
put "$sys/kernel/mm/hugepages/hugepages-1048576kB/free_hugepages" 1
sick "or too few" --node memory
sick "farmemd does not answer" --node memory --control "$box/none"
mkdir -p "$root/run/systemd/system"
sick "and systemd runs" --node memory --control "$box/none"
exec 9>&-
rm "$root/run/farmemd.sock" "$root/etc/farmem/farmemd.conf"
rm -r "$sys/module/farmem"
sick "nothing tells what this node is"
