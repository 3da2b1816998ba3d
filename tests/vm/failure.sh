# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What a case that fails tells: the commands that led there, and what it ran on. cases.sh
# brings it along; tests/cli/cases/vm-failure.sh tries it without a guest.
#
#   failure_watch        from now on the case's commands are kept, and one that fails is told
#   failure_due STATUS   whether the case has failed, or is stopped as its time is over
#   failure_tell STATUS  the commands, then the nodes, sessions, volumes and disks
#   failure_excerpt LOG  of the log of a case that failed: what to look at first

# A command of the case itself, not of a function that it calls: bash takes no trap of DEBUG
# along into those. So a loop that waits costs nothing, and one of the case is told once.
failure_step() {
	local step told="$1: ${2%%$'\n'*}" kept=()

	# Of a trap that runs.
	[[ $2 != "$failure_last" ]] || return 0
	failure_last=$2
	for step in "${failure_steps[@]:${#failure_steps[@]} > 11}"; do
		[[ $step == "$told" ]] || kept+=("$step")
	done
	failure_steps=("${kept[@]}" "$told")
}

failure_watch() {
	failure_steps=() failure_last=''
	# shellcheck disable=SC2154 # set in the trap itself
	trap 'status=$?; echo "status $status: $BASH_COMMAND" >&2; stack' ERR
	trap 'failure_step "$LINENO" "$BASH_COMMAND"' DEBUG
}

# bash ends of a signal with the status of the command before.
failure_due() {
	(($1 != 0 && $1 != 77 || SECONDS >= ${FARMEM_CASE_SECONDS:-SECONDS + 2} - 1))
}

# What hangs, as the module may, shall not keep the case from its end.
failure_tell() {
	local why="status $1"

	# timeout tells a case whose time is over twice: by its own id, and by its group's.
	trap '' TERM
	trap - ERR DEBUG
	(($1 != 0)) || why="out of time"
	echo "== ${0##*/} failed: $why, after $SECONDS s. Its last commands:" >&2
	printf '  %s\n' "${failure_steps[@]}" >&2
	read -r -t $((20 * FARMEM_SLOWNESS)) < <(failure_scene >&2; echo) ||
		echo "== the rest hangs" >&2
}

failure_scene() {
	local root=${FAILURE_ROOT-}

	failure_node "$FARMEM_NETDEV" "$root" || true
	((FARMEM_NODES == 1)) || timeout -k 1 15 on-memory-node \
		bash -c "$(declare -f failure_node); failure_node ${FARMEM_NETDEV@Q} ${root@Q}" || true
	failure_objects "$root"
}

# failure_node NETDEV ROOT - of the node where it runs; a test has its files below ROOT.
failure_node() {
	printf '== node %s: kernel %s, %s CPUs, memory: %s\n' "$(<"$2/proc/sys/kernel/hostname")" \
		"$(<"$2/proc/sys/kernel/osrelease")" "$(grep -c ^processor "$2/proc/cpuinfo")" \
		"$(sed -nE 's/^Mem(Total|Available): */\1 /p' "$2/proc/meminfo" | paste -sd ,)"
	{
		ip -br link show dev "$1"
		ip -br address show dev "$1"
		tc qdisc show dev "$1"
		rdma link show
		pgrep -a -x farmemd || echo "no farmemd"
		lsblk -n -o NAME,SIZE,TYPE,MOUNTPOINT
		sed '1d; s/^/swap: /' "$2/proc/swaps"
	} 2>&1 | sed 's/^/  /'
}

# failure_values FOLDER NAME... - those that are there and not empty.
failure_values() {
	local name value

	for name in "${@:2}"; do
		[[ ! -e $1/$name ]] || value=$(<"$1/$name")
		[[ -z ${value-} ]] || printf " %s='%s'" "$name" "$value"
		value=''
	done
	echo
}

failure_objects() {
	local object config=$1/sys/kernel/config/farmem

	[[ -d $config ]] || echo "== farmem.ko is not loaded"
	for object in "$config"/{sessions,volumes}/*; do
		[[ ! -d $object ]] || printf '== %s:%s\n' "${object#"$config/"}" \
			"$(failure_values "$object" server session size device state io_deadline reason)"
	done
	for object in "$1"/sys/block/farmem*; do
		[[ ! -d $object ]] || printf '== %s:%s\n' "${object##*/}" \
			"$(failure_values "$object/farmem" inflight parked reads writes read_errors write_errors)"
	done
}

# The case's own last lines, and then all that failure_tell says.
failure_excerpt() {
	awk '
	/^== .* failed: / && !told { told = 1; show() }
	told { print; next }
	{ line[NR] = $0 }
	END { if (!told) show() }
	function show(	i) { for (i = NR - told - 19; i <= NR - told; i++) if (i in line) print line[i] }
	' "$1"
}
