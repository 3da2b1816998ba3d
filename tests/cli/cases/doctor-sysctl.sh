# The doctor on the file of settings in sysctl.d: the example itself, and what may be in one
# that an administrator wrote; what differs is named, and --fix does what the file says.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
file=$root/etc/sysctl.d/90-farmem.conf
packaging=$here/../../packaging
cat >"$box/do-sysctl" <<-EOT
	#!/bin/bash
	[ "\$1" = -p ] && echo 0 >"$proc/sys/vm/page-cluster"
EOT
chmod +x "$box/do-sysctl"
put "$proc/sys/kernel/osrelease" 6.12.95+deb12-amd64
sed -i 's/6.1.0-56-amd64/6.12.95+deb12-amd64/' "$box/modinfo"
printf 'Filename\tType\tSize\tUsed\tPriority\n/dev/farmem0\tpartition\t1048572\t0\t100\n' >"$proc/swaps"
put "$proc/sys/vm/page-cluster" 0
node_known

# The profile for tuned says the same.
settings() { sed -n 's/^\(vm[.].*[^ ]\) *= */\1=/p' "$1"; }
diff <(settings "$packaging/sysctl.d/90-farmem.conf") <(settings "$packaging/tuned/farmem/tuned.conf") &&
	echo "the two have the same $(settings "$packaging/sysctl.d/90-farmem.conf" | wc -l)"

mkdir -p "${file%/*}"
cp "$packaging/sysctl.d/90-farmem.conf" "$file"
sick "the example, and it holds"
put "$proc/sys/vm/page-cluster" 3
sick "another value since"
sick "mended" --fix
changed
put "$file" 'vm.page-cluster = 3'
put "$proc/sys/vm/page-cluster" 3
sick "the administrator wants readahead"

put "$proc/sys/net/ipv4/conf/eth0.7/rp_filter" 2
put "$proc/sys/net/ipv4/tcp_rmem" $'4096\t131072\t6291456'
cat >"$file" <<-EOT
	; with slashes, the dot is the interface's
	net/ipv4/conf/eth0.7/rp_filter = 1
	  # tabs and blanks
	net.ipv4.tcp_rmem=4096  131072 6291456
	vm.page-cluster = 0
	-vm.not-here = 1
	not a setting
	vm.page-cluster = 3
EOT
sick "all that a line may be"
echo net.ipv4.conf.eth0/7.rp_filter = 2 >>"$file"
sick "the last line holds"
echo vm.neither-here = 1 >>"$file"
sick "a setting that this kernel does not have"
rm "$file"
sick "no file"
