# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For cases with several memory servers on the memory node:  . "$FARMEM_TESTS/vm/rack.sh", after cases.sh
#
#   rack_address N       where the Nth of them listens: 1, 2, ...
#   rack_serve N ARG...  farmemd ARG... with $RACK_SIZE is ready there
#   rack_kill N [SIGNAL] it is gone
#   rack_stop N, rack_continue N   it hangs, and goes on
#   rack_field N FIELD   what it says of itself; rack_holds N MIB, rack_wants_nothing N
#   programs_leave MIB   so much memory is left to this machine; programs_end
#   group_make NAME SIZE ARG...    farmemctl group create, over servers 1 to $RACK, each a
#                        failure domain of its own
#   group_state NAME     a word
#   group_is NAME STATE  for wait_for
#   group_domains NAME   for each pair the domains of its chunks, a line each
#   group_crash NAME     all servers are gone, and then this node forgets it: what the servers
#                        find in their pools is what they had when the node crashed
#   group_lies_on NAME N, group_has_left NAME N   is there a chunk on that server?
#   group_errors         failed I/O of all volumes
#   group_apart NAME     no two copies are in one domain, or it dies
#   rack_gone            no group, volume, session or array is left

RACK=4 RACK_SIZE=128M RACK_HEARTBEAT=1 RACK_PEER_TIMEOUT=0.5

rack_address() { echo "$FARMEM_SERVER:$((7470 + $1))"; }

rack_serve() {
	# shellcheck disable=SC2016 # expanded on the memory node
	on-memory-node sh -c '
		log=$0
		: >"$log"
		setsid farmemd "$@" >"$log" 2>&1 </dev/null &' "/tmp/rack$1.log" \
		--insecure --size "$RACK_SIZE" --slab-size 4M --listen "$(rack_address "$1")" \
		--control "/run/rack$1.sock" "${@:2}"
	wait_for 30 on-memory-node grep -qw ready "/tmp/rack$1.log"
}

rack_pid() { on-memory-node pgrep -f "/run/rack$1.sock"; }
rack_is_gone() { ! rack_pid "$1"; }
rack_signal() { on-memory-node pkill "-$2" -f "/run/rack$1.sock"; }
rack_kill() {
	rack_signal "$1" "${2-KILL}"
	wait_for 30 rack_is_gone "$1"
}
rack_stop() { rack_signal "$1" STOP; }
rack_continue() { rack_signal "$1" CONT; }

rack_field() { farmemctl server show --control "/run/rack$1.sock" --json | jq ".server[0].$2"; }
rack_holds() { [[ $(rack_field "$1" held) == $(($2 << 20)) ]]; }
rack_wants_nothing() { [[ $(rack_field "$1" wanted) == 0 ]]; }

# What can't be had back: files of a tmpfs.
programs_leave() {
	mkdir -p /tmp/programs
	mountpoint -q /tmp/programs || mount -t tmpfs -o size=100% none /tmp/programs
	programs_end
	fallocate -l "$(($(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo) - $1))M" /tmp/programs/all
}
programs_end() { rm -f /tmp/programs/all; }

group_make() {
	local servers=() n

	for ((n = 1; n <= RACK; n++)); do
		servers+=(--server "$(rack_address "$n")@r$n")
	done
	farmemctl group create "$1" --size "$2" --heartbeat "$RACK_HEARTBEAT" --peer-timeout "$RACK_PEER_TIMEOUT" \
		--client tester "${servers[@]}" "${@:3}"
}

group_state() { farmemctl group list --noheadings --output name,state | awk -v name="$1" '$1 == name { print $2 }'; }
group_is() { [[ $(group_state "$1") == "$2" ]]; }

group_lies_on() { farmemctl group chunks "$1" --noheadings --output server | grep -x "$(rack_address "$2")" >/dev/null; }
group_has_left() { ! group_lies_on "$@"; }
group_errors() { cat /sys/block/farmem*/farmem/{read,write}_errors | awk '{ n += $1 } END { print n + 0 }'; }

group_domains() {
	farmemctl group chunks "$1" --noheadings --output array,domain | sort |
		awk '{ of[$1] = of[$1] " " $2 } END { for (array in of) print array of[array] }' | sort
}

group_apart() {
	local array first second more

	while read -r array first second more; do
		[[ -n $second && -z $more && $first != "$second" ]] ||
			die "the copies of $array are in the failure domains: $first $second $more"
	done < <(group_domains "$1")
}

# No server hears of what the node takes down.
group_crash() {
	local name n

	for ((n = 1; n <= RACK; n++)); do
		! rack_pid "$n" >/dev/null || rack_kill "$n"
	done
	for name in $(group_volumes "$1"); do
		farmemctl volume set "$name" --io-deadline 0 --partner ''
	done
	dmsetup remove --force "$1-volume"
	for name in /dev/md/"$1"-p*; do
		mdadm --stop "$name"
	done
	for name in $(group_volumes "$1"); do
		farmemctl volume delete "$name" --force --keep
	done
	rm -rf "/dev/${1:?}"
}
# Those that this node has.
group_volumes() { (cd "$CONFIG/volumes" && echo "$1"-*); }

rack_gone() {
	[[ -z $(ls /var/lib/farmem/groups 2>/dev/null) ]] || die "a record is left: $(ls /var/lib/farmem/groups)"
	[[ -z $(ls "$CONFIG/volumes") ]] || die "a volume is left: $(ls "$CONFIG/volumes")"
	[[ -z $(ls "$CONFIG/sessions") ]] || die "a session is left: $(ls "$CONFIG/sessions")"
	! grep -q '^md' /proc/mdstat || die "an array is left: $(cat /proc/mdstat)"
}
