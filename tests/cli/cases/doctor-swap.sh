# The doctor on settings of swap: no warning while nothing of farmem is swap.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
swaps() {
	{
		printf 'Filename\tType\tSize\tUsed\tPriority\n'
		[ $# -eq 0 ] || printf '%s\tpartition\t1048572\t0\t%s\n' "$@"
	} >"$proc/swaps"
}

put "$proc/sys/vm/page-cluster" 5
put "$sys/module/zswap/parameters/enabled" Y
sick "before there is swap"
swaps /dev/farmem0 100
sick "swap on farmem"
put "$proc/sys/vm/page-cluster" 3
put "$sys/module/zswap/parameters/enabled" N
sick "page-cluster 3, with rw_page"
put "$proc/sys/kernel/osrelease" 6.12.95+deb12-amd64
sed -i 's/6.1.0-56-amd64/6.12.95+deb12-amd64/' "$box/modinfo"
sick "page-cluster 3, without"
put "$proc/sys/vm/page-cluster" 0
swaps /dev/sda2 -2 /dev/farmem0 -3
sick "a disk first"
swaps /dev/sda2 100 /dev/farmem0 100
sick "as early as a disk"
swaps /dev/zram0 200 /dev/farmem0 100 /dev/sda2 -2
sick "zram first"
put "$proc/1234/comm" farmemd
sick "a node that lends swaps to farmem"
rm "$proc/sys/vm/page-cluster"
rm -r "$sys/module/zswap"
sick "no such settings"
