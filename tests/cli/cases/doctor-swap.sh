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
put "$sys/module/zswap/parameters/enabled" N
swaps /dev/farmem0p1 100
sick "a partition of it"
mkdir -p "$sys/block/dm-0/slaves/dm-1" "$sys/block/dm-1/slaves/farmem0"
swaps /dev/dm-0 100
sick "dm-crypt above it"
swaps /dev/dm-7 100
sick "dm-crypt above something else"
put "$proc/sys/kernel/osrelease" 6.12.95+deb12-amd64
sed -i 's/6.1.0-56-amd64/6.12.95+deb12-amd64/' "$box/modinfo"
put "$proc/sys/vm/page-cluster" 3
swaps /dev/farmem0 100
sick "without rw_page"
put "$sys/block/farmem0/farmem/sync" 1
sick "a synchronous volume"
swaps /dev/farmem0 100 /dev/farmem1 100
sick "and one that is not"
rm -r "$sys/block/farmem0"
put "$proc/sys/vm/page-cluster" 0
swaps /dev/sda2 -2 /dev/farmem0 -3
sick "a disk first"
swaps "/srv/$(printf 'a-very-long-folder/%.0s' {1..12})swapfile" -2 /dev/farmem0 -3
sick "a file with a long name first"
swaps /dev/sda2 100 /dev/farmem0 100
sick "as early as a disk"
swaps /dev/zram0 200 /dev/farmem0 100 /dev/sda2 -2
sick "zram first"
put "$proc/1234/comm" farmemd
sick "a node that lends swaps to farmem"
rm "$proc/sys/vm/page-cluster"
rm -r "$sys/module/zswap"
sick "no such settings"
