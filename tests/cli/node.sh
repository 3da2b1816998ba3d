# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# node.sh - a whole node for `farmemctl doctor`, below $box: healthy, until a case
# breaks something.  To be sourced by the cases doctor-*.
#
#   node_make            a compute node with soft-RoCE, module loaded, all well
#   node_lends           and it lends memory: farmemd runs
#   put FILE TEXT        a file, its folders too
#   fake NAME            a program on PATH: its script is standard input
#   doctor ARG...        run it, show everything
#   sick WHAT ARG...     run it, show what differs from the healthy node
#
# A fake program that changes something notes it, for changed() to show.

put() {
	mkdir -p "${1%/*}"
	printf '%s\n' "$2" >"$1"
}

fake() {
	{
		echo '#!/bin/bash'
		cat
	} >"$box/bin/$1"
	chmod +x "$box/bin/$1"
}

# One that would change this very machine, were it not for this.
fake_change() {
	local name

	for name; do
		fake "$name" <<-EOT
			echo "$name \$*" >>"$box/changes"
			[ ! -x "$box/do-$name" ] || exec "$box/do-$name" "\$@"
		EOT
	done
}

changed() {
	echo "changed:"
	[ ! -f "$box/changes" ] || sed 's/^/  /' "$box/changes"
	rm -f "$box/changes"
}

node_modules() {
	local name

	for name in farmem ib_core rdma_cm ib_uverbs rdma_ucm; do
		mkdir -p "$sys/module/$name"
	done
	fake modinfo <<-EOT
		case "\$*" in
		*-F*) [ ! -e "$box/absent" ] || ! grep -qwx "\${!#}" "$box/absent" || exit 1
		      [ ! -e "$box/builtin" ] || ! grep -qwx "\${!#}" "$box/builtin" || { echo '(builtin)'; exit; }
		      echo "/lib/modules/6.1.0-56-amd64/kernel/\${!#}.ko" ;;
		*) cat "$box/modinfo" 2>/dev/null || exit 1 ;;
		esac
	EOT
	cat >"$box/modinfo" <<-EOT
		filename:       /lib/modules/6.1.0-56-amd64/updates/farmem.ko
		vermagic:       6.1.0-56-amd64 SMP preempt mod_unload modversions
	EOT
	put "$root/lib/modules/6.1.0-56-amd64/build/Makefile" ''
	put "$sys/kernel/security/lockdown" '[none] integrity confidentiality'
	put "$sys/module/module/parameters/sig_enforce" N
}

node_rdma() {
	local port=$sys/class/infiniband/rxe0/ports/1

	put "$sys/class/infiniband/rxe0/node_type" '1: CA'
	put "$sys/class/infiniband/rxe0/parent" eth0
	put "$port/state" '4: ACTIVE'
	put "$port/phys_state" '5: LinkUp'
	put "$port/link_layer" Ethernet
	put "$port/rate" '2.5 Gb/sec (1X SDR)'
	put "$port/gids/0" fe80:0000:0000:0000:5054:00ff:fe00:0001
	put "$port/gids/1" 0000:0000:0000:0000:0000:ffff:0a00:0001
	put "$port/gids/2" 0000:0000:0000:0000:0000:0000:0000:0000
	for number in 0 1; do
		put "$port/gid_attrs/types/$number" 'RoCE v2'
		put "$port/gid_attrs/ndevs/$number" eth0
	done
	mkdir -p "$sys/class/net/eth0/device" "$sys/class/net/eth1/device" "$sys/class/net/eth8/device"
	put "$sys/class/infiniband_verbs/uverbs0/dev" 231:192
	put "$root/dev/infiniband/uverbs0" ''
	put "$root/dev/infiniband/rdma_cm" ''
	cat >"$box/devices" <<-EOT
		device	rxe0
		port	rxe0	1	4096	4096
	EOT
	cat >"$box/visit" <<-EOT
		address	10.0.0.2
		step	server.address	ok	10.0.0.2:7471	
		step	server.route	ok	from 10.0.0.1, eth0	
		step	server.resolve	ok	through rxe0/1	
		contact	answered
		step	server.connect	ok	accepted	
		step	server.version	ok	protocol 1	
		step	server.auth	ok	node1 and the server have proved their key	
		step	server.read	ok	64 bytes of its status page in 5 us	
		step	server.write	ok	8 bytes of a heartbeat of our own in 4 us	
		step	server.memory	ok	7G of 8G are free	
	EOT
	fake fabric <<-EOT
		[ "\$1" = devices ] || echo "visit '\$2' '\$3' '\$4' '\$5'" >>"$box/visits"
		cat "$box/\$1"
	EOT
	fake ip <<-EOT
		case "\$*" in
		*route*) echo '[{"dst":"10.0.0.2","dev":"eth1"}]' ;;
		*address*) cat "$box/addresses" ;;
		*) echo "ip \$*" >>"$box/changes"
		   [ ! -x "$box/do-ip" ] || exec "$box/do-ip" "\$@" ;;
		esac
	EOT
	cat >"$box/addresses" <<-EOT
		[{"ifname":"lo","link_type":"loopback","flags":["UP"],"addr_info":[{"local":"127.0.0.1","scope":"host"}]},
		 {"ifname":"eth8","link_type":"ether","flags":[],"addr_info":[{"local":"10.0.0.8","scope":"global"}]},
		 {"ifname":"eth9","link_type":"ether","flags":["UP"],"addr_info":[{"local":"fe80::1","scope":"link"}]},
		 {"ifname":"eth0","link_type":"ether","flags":["UP"],"addr_info":[{"local":"10.0.0.1","scope":"global"}]}]
	EOT
}

node_make() {
	root=$box/root sys=$box/sys proc=$box/proc
	export FARMEM_ROOT=$root FARMEM_FABRIC=$box/bin/fabric PATH=$box/bin:$PATH
	mkdir -p "$box/bin"
	ln -s "$build/farmemd" "$box/bin"
	put "$root/etc/os-release" 'ID=debian'
	echo 'rdma local rw_page' >"$box/config/features"
	put "$proc/sys/kernel/osrelease" 6.1.0-56-amd64
	put "$proc/sys/vm/page-cluster" 3
	put "$proc/self/limits" 'Max locked memory         8388608              8388608              bytes'
	put "$proc/self/status" 'CapEff:	0000000000000000'
	put "$sys/module/zswap/parameters/enabled" N
	huge 2048 0 0
	put "$proc/meminfo" 'Hugepagesize:       2048 kB'
	node_modules
	node_rdma
	fake_change modprobe rdma nft sysctl udevadm mount
	fake systemctl <<-EOT
		if [ "\$1" = show ]; then
			cat "$box/unit" 2>/dev/null
			exit
		fi
		echo "systemctl \$*" >>"$box/changes"
		[ ! -x "$box/do-systemctl" ] || exec "$box/do-systemctl" "\$@"
	EOT
	node_known
}

# As it is now it is well.
node_known() {
	tool doctor "$@" | squeeze >"$box/healthy"
}

# Columns are as wide as what is in them.
squeeze() { sed 's/\([^ ]\)  */\1 /g'; }

# huge KB ALL FREE [PROMISED] - pages of that size
huge() {
	local folder=$sys/kernel/mm/hugepages/hugepages-$1kB

	put "$folder/nr_hugepages" "$2"
	put "$folder/free_hugepages" "$3"
	put "$folder/resv_hugepages" "${4:-0}"
}

# farmemd_conf [LINE]... - 4 GiB, and that
farmemd_conf() {
	put "$root/etc/farmem/farmemd.conf" "$(printf '%s\n' '[farmemd]' 'size = 4G' 'keys = /etc/farmem/keys' "$@")"
}

node_lends() {
	farmemd_conf
	put "$proc/1234/comm" farmemd
	put "$proc/1234/limits" 'Max locked memory         unlimited            unlimited            bytes'
	put "$proc/self/limits" 'Max locked memory         unlimited            unlimited            bytes'
	mkdir -p "$root/run/farmem" "$box/answers"
	mkfifo "$box/leash"	# it ends when its other end is closed
	"$helpers/fake-farmemd" "$root/run/farmem/farmemd.sock" "$box/answers" <"$box/leash" &
	exec 9>"$box/leash"
	until [ -S "$root/run/farmem/farmemd.sock" ]; do sleep 0.05; done
	node_known --node memory
}

doctor() {
	local rc=0

	echo "\$ farmemctl doctor $*"
	tool doctor "$@" >"$box/stdout" 2>"$box/stderr" || rc=$?
	cat "$box/stdout"
	sed 's/^/! /' "$box/stderr"
	echo "exit $rc"
}

sick() {
	local what=$1 rc=0
	shift

	echo "-- $what"
	tool doctor "$@" >"$box/stdout" 2>"$box/stderr" || rc=$?
	squeeze <"$box/stdout" | grep -vxFf "$box/healthy" | grep -v -e '^With --fix' -e '^$'
	advised <"$box/stdout"
	sed 's/^/! /' "$box/stderr"
	echo "exit $rc"
}

# Below whatever is not well stands what to type.
advised() {
	awk 'function close_it() { if (open_one) print "NOTHING TO TYPE: " open_one; open_one = "" }
		/^(fail|warn|unknown) / { close_it(); open_one = $0; next }
		/^ +(do|fix): / { open_one = ""; next }
		{ close_it() }
		END { close_it() }'
}
