# The doctor on limits of locked memory, and on huge pages.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
limit() { put "$proc/$1/limits" "Max locked memory         $2              $2              bytes"; }

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
limit 1234 67108864
sick "farmemd that runs with a limit" --node memory
limit 1234 8589934592
sick "one that its pool fits into" --node memory
limit 1234 67108864
put "$proc/1234/status" 'CapEff:	0000000000004000'
sick "and may exceed it" --node memory
rm -r "$proc/1234"

sick "without systemd" --node memory

# With systemd it is asked.
mkdir -p "$root/run/systemd/system"
put "$box/unit" $'LoadState=loaded\nUnitFileState=disabled\nLimitMEMLOCK=infinity\nLimitMEMLOCKSoft=67108864\nUser=farmem\nCapabilityBoundingSet=cap_chown cap_ipc_lock'
sick "systemd knows of a limit" --node memory
put "$box/unit" $'LoadState=loaded\nUnitFileState=disabled\nLimitMEMLOCK=infinity\nLimitMEMLOCKSoft=infinity\nUser=farmem\nCapabilityBoundingSet=cap_chown'
sick "of none" --node memory
put "$box/unit" $'LoadState=loaded\nUnitFileState=disabled\nLimitMEMLOCK=infinity\nLimitMEMLOCKSoft=8589934592\nUser=farmem\nCapabilityBoundingSet=cap_chown'
sick "of one that the pool fits into" --node memory
put "$box/unit" $'LoadState=loaded\nUnitFileState=enabled\nLimitMEMLOCKSoft=67108864\nUser=\nCapabilityBoundingSet=cap_chown cap_ipc_lock'
sick "and of capabilities" --node memory
put "$box/unit" $'LoadState=not-found\nLimitMEMLOCKSoft=8388608\nUser=\nCapabilityBoundingSet=cap_chown'
sick "or of no such unit" --node memory
put "$box/unit" $'LoadState=loaded\nUnitFileState=enabled\nLimitMEMLOCKSoft=67108864\nUser=root\nCapabilityBoundingSet=cap_chown'
sick "root's without that capability" --node memory
rm "$root/etc/farmem/farmemd.conf"
put "$box/unit" $'LoadState=loaded\nLimitMEMLOCKSoft=8388608\nUser=farmem\nCapabilityBoundingSet='
sick "a limit, and a pool that nobody told of" --node memory
rm -r "$root/run/systemd" "$box/unit"

farmemd_conf 'hugepages = 2M'
sick "huge pages are missing" --node memory
huge 2048 100 70
sick "there are some, others have the rest" --node memory
huge 2048 2500 2060 12
sick "some are promised to others" --node memory
huge 2048 2049 2049
sick "they are there" --node memory
put "$root/etc/farmem/farmemd.conf" $'size = 4G\nhugepages = 2M\nkeys = /etc/farmem/keys'
huge 2048 100 70
sick "without a heading in the file" --node memory
export FAKE_HUGETLBFS=$box/huge
mkdir "$box/huge"
farmemd_conf "pool = $box/huge/pool"
sick "a pool on a hugetlbfs" --node memory
farmemd_conf 'hugepages = 1G'
sick "this machine has none of that size" --node memory
huge 1048576 2 1
sick "or too few" --node memory

# As many more as are missing, whoever has the others.
farmemd_conf 'hugepages = 2M'
huge 2048 100 70
folder=$sys/kernel/mm/hugepages/hugepages-2048kB
fake sh <<-EOT
	eval "\$2"
	echo \$((\$(<"$folder/nr_hugepages") - 30)) >"$folder/free_hugepages"
EOT
sick "--fix" --node memory --fix
cat "$folder/nr_hugepages"
exec 9>&-
