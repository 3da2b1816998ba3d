# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The compute node's part of a chaos run over several servers, see run: two groups, one
# fault after the other as plan has them, and `farmemctl group watch`, which repairs.
# Environment: CHAOS_MINUTES, CHAOS_SEED, CHAOS_SERVERS, CHAOS_COPIES.
#
#   one    verified. With copies no error is legal; without, those of a deadline that is over
#   swap   under a program that knows its memory, and waits for ever
#
# With two copies one loss is legal at a time. A fault that takes a server's memory waits
# until all is whole, and the memory goes only if every byte is on another server.

. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"
. "$FARMEM_TESTS/chaos/faults.sh"

RACK=${CHAOS_SERVERS:-3} RACK_SIZE=$((768 / RACK / 4 * 4))M
# Emulated nodes answer late, and a chunk that is copied fails when its server blinks.
RACK_HEARTBEAT=2 RACK_PEER_TIMEOUT=2
copies=${CHAOS_COPIES:-2} pools=/dev/shm/rack
round=0 refusals=0 watcher=''
# MiB: at first, at most, and of a chunk.
declare -A size=([one]=32 [swap]=48) most=([one]=48 [swap]=64) chunk=([one]=16M [swap]=24M)

# The workload.

workload_start() {
	local legal=()

	round=$((round + 1))
	rm -f /tmp/stop
	# pvmove lets discards pass what it copies: docs/rack.md.
	((copies > 1)) || legal=(-e -m '50,50,0')
	# See io.sh for why a READ is one packet.
	farmem-verify -p 5 -r 1 -l 4 -s $((seed + round)) -u /tmp/stop "${legal[@]}" \
		/dev/one/volume /tmp/one.state >>/tmp/one.out 2>&1 &
	one=$!
	mkswap -q /dev/swap/volume
	swapon /dev/swap/volume
	run_squeezed 16M farmem-memory 32 fill random until=/tmp/stop >>/tmp/swap.out 2>&1 &
	swapper=$!
}

workload_end() {
	wait_whole
	: >/tmp/stop
	expect_end one "$one"
	expect_end swap "$swapper"
	within 120 swapoff /dev/swap/volume
}

expect_workload() {
	! not_there "$one" || expect_end one "$one"
	! not_there "$swapper" || expect_end swap "$swapper"
	! not_there "$watcher" || die "the watcher has ended: $(tail -n 25 /tmp/watch.log)"
	# What is swapped out has one copy: new chunks wait for ever as well.
	((copies > 1)) || wait_for_ever
}

wait_for_ever() {
	local name

	for name in $(group_volumes swap); do
		[[ ! -e $CONFIG/volumes/$name ]] || set_value "volumes/$name" io_deadline -1 || true
	done
}

# What the kernel says of a group. Without a program: under emulation one costs a second.

read_value() {
	REPLY=''
	read -r REPLY 2>/dev/null <"$CONFIG/volumes/$1/$2" || true
}

# leg VOLUME - its array, and what that makes of it.
leg() {
	local at

	read_value "$1" device
	array='' legs_state=''
	for at in /sys/block/md*/md/dev-"$REPLY"; do
		[[ -n $REPLY && -e $at/state ]] || continue
		array=${at%/md/dev-*}
		read -r legs_state 2>/dev/null <"$at/state" || true
	done
}

# The volume holds all bytes, and its server is there.
holds_all() {
	read_value "$1" state
	[[ $REPLY == live ]] || return 1
	((copies == 1)) && return
	leg "$1"
	[[ $legs_state == in_sync* ]]
}

is_tied() {
	read_value "$1" stale
	[[ $REPLY == 0 ]] || return 1
	read_value "$1" partner
	[[ -n $REPLY ]]
}

# All copies are there, and nothing of a command that has ended is left.
is_whole() {
	local at name one_degraded doing

	for at in "$CONFIG"/volumes/*/; do
		name=${at%/}
		name=${name##*/}
		holds_all "$name" || return 1
		((copies == 1)) || is_tied "$name" || return 1
	done
	for at in /sys/block/md*/md; do
		[[ -e $at ]] || continue
		# Without udev one that was stopped stays.
		[[ $(<"$at/array_state") != clear ]] || continue
		# It may go meanwhile.
		{ read -r one_degraded <"$at/degraded" && read -r doing <"$at/sync_action"; } 2>/dev/null || return 1
		[[ $one_degraded == 0 && $doing == idle ]] || return 1
	done
}

is_not_whole() { ! is_whole; }

wait_whole() {
	wait_for 400 is_whole && return
	farmemctl group chunks one
	farmemctl group chunks swap
	cat /proc/mdstat
	tail -n 40 /tmp/watch.log
	die "the groups are not whole again"
}

# Has each pair a chunk with all bytes on another server than this one?
survives() {
	local at name address
	local -A arrays=() good=()

	address=$(rack_address "$1")
	for at in "$CONFIG"/volumes/*/; do
		name=${at%/}
		name=${name##*/}
		leg "$name"
		[[ -n $array ]] || continue
		arrays[$array]=yes
		read_value "$name" session
		[[ $REPLY == "$address" ]] || ! holds_all "$name" || good[$array]=yes
	done
	((${#arrays[@]} == ${#good[@]}))
}

has_no_chunk() {
	local at address

	address=$(rack_address "$1")
	for at in "$CONFIG"/volumes/*/session; do
		at=${at%/session}
		read_value "${at##*/}" session
		[[ $REPLY != "$address" ]] || return 1
	done
}

# Faults of servers. Each undoes itself.

serve_pool() { rack_serve "$1" --pool "$pools/$1"; }

every_server() {
	local n

	for ((n = 1; n <= RACK; n++)); do
		"$@" "$n"
	done
}

server-killed() {
	rack_kill "$2"
	sleep "$1"
	serve_pool "$2"
}

# What is memory now is so later: I/O waits.
servers-killed() {
	every_server rack_kill
	sleep "$1"
	every_server serve_pool
}

server-stopped() {
	rack_stop "$2"
	sleep "$1"
	rack_continue "$2"
}

# Whatever else was lost in the very moment, as a busy host may have it: then it stays.
forget_pool() {
	if survives "$1"; then
		on-memory-node sh -c "rm -f $pools/$1*"
	else
		say "server $1 keeps its memory: another one is away"
	fi
}

server-emptied() {
	wait_whole
	rack_kill "$2"
	forget_pool "$2"
	sleep "$1"
	serve_pool "$2"
}

# Until the watcher has replaced what lay there.
server-long() {
	wait_whole
	rack_kill "$2"
	wait_for 400 has_no_chunk "$2" || die "server $2 is away and nobody replaces its chunks: $(tail -n 40 /tmp/watch.log)"
	[[ $3 == kept ]] || forget_pool "$2"
	sleep "$1"
	serve_pool "$2"
}

# Commands. What a fault before has left may forbid them: they say so, and the watcher goes on.

# try CMD...
try() {
	local status=0

	"$@" >/tmp/command.out 2>&1 || status=$?
	((status < 128)) || die "ended by signal $((status - 128)): $*"
	((status == 0)) || {
		refusals=$((refusals + 1))
		say "refused: $(paste -sd' ' /tmp/command.out)"
	}
}

# ended SECONDS GROUP CMD... - is killed after so long, unless it is over; repair goes on.
ended() {
	local status=0

	timeout --signal KILL "$1" "${@:3}" >/tmp/command.out 2>&1 || status=$?
	((status < 128 || status == 137)) || die "ended by signal $((status - 128)): ${*:3}"
	say "it ended with $status: $(tail -n 1 /tmp/command.out)"
	try farmemctl group repair "$2"
	wait_whole
}

# larger GROUP - sets REPLY to the size of the next growth.
larger() {
	((size[$1] >= most[$1])) || size[$1]=$((size[$1] + 8))
	REPLY=${size[$1]}M
}

grow() {
	wait_whole
	larger "$2"
	try farmemctl group grow "$2" --size "$REPLY"
}

# moving CMD... GROUP FROM TO - CMD with the command that moves; TO may be any.
moving() {
	local words=("${@:1:$# - 3}") group=${*: -3:1} from=${*: -2:1} to=${*: -1}

	words+=(farmemctl group move "$group" --from "$(rack_address "$from")")
	[[ $to == any ]] || words+=(--to "$(rack_address "$to")")
	"${words[@]}"
}

move() {
	wait_whole
	moving try "${@:2}"
}

scrub() {
	wait_whole
	try farmemctl group scrub "$2"
	[[ $2 != one || $(</tmp/command.out) != *differ* ]] || expect_text 'differ in 0 sectors' "$(</tmp/command.out)" scrub
}

# And it serves again: what names it takes it back.
drain() {
	local group from=$(($2 % RACK + 1))

	wait_whole
	try farmemctl group drain "$(rack_address "$2")"
	sleep "$1"
	wait_whole
	for group in one swap; do
		try farmemctl group move "$group" --from "$(rack_address "$from")" \
			--to "$(rack_address "$2")" --server "$(rack_address "$2")@r$2"
	done
}

grow-ended() {
	wait_whole
	larger "$3"
	ended "$2" "$3" farmemctl group grow "$3" --size "$REPLY"
}

move-ended() {
	wait_whole
	moving ended "$2" "$3" "${@:3}"
}

repair-ended() {
	wait_whole
	rack_kill "$4"
	has_no_chunk "$4" || wait_for 60 is_not_whole
	sleep "$1"
	serve_pool "$4"
	ended "$2" "$3" farmemctl group repair "$3"
}

# These two want quiet.
cycle() {
	workload_end
	for group in one swap; do farmemctl group stop $group; done
	sleep "$1"
	for group in one swap; do farmemctl group start $group --timeout 120; done
	workload_start
}

reload() {
	workload_end
	for group in one swap; do farmemctl group stop $group; done
	unload
	sleep "$1"
	load reconnect_max=4 connect_timeout="$CONNECT_TIMEOUT"
	for group in one swap; do farmemctl group start $group --timeout 120; done
	workload_start
}

# It ends with its readers.
progress() {
	local state

	trap - ERR
	while sleep 10; do
		state=whole
		is_whole || state='not whole'
		say "$state; one: $(tail -n 1 /tmp/one.out); watcher: $(tail -n 1 /tmp/watch.log)"
	done
}

modprobe -a raid1 dm-mod dm-mirror
# Else md copies 1 MB/s beside other I/O, and a fault has its end after a minute.
sysctl -qw dev.raid.speed_limit_min=100000
on-memory-node mkdir -p $pools
plug_in
every_server serve_pool
load reconnect_max=4 connect_timeout="$CONNECT_TIMEOUT"
for group in one swap; do
	group_make $group "${size[$group]}M" --chunk "${chunk[$group]}" --copies "$copies" --checksum crc32c
done
farmemctl group watch --delay 8 >/tmp/watch.log 2>&1 &
watcher=$!
workload_start
start=$SECONDS
progress &
run_faults "$RACK" "$copies"
workload_end
say "one: $(tail -n 1 /tmp/one.out)"
within 120 farmem-verify /dev/one/volume /tmp/one.state
((copies == 1)) || expect_text 'differ in 0 sectors' "$(farmemctl group scrub one)" 'the last scrub'
for group in one swap; do
	wait_for 60 group_is $group live || die "group $group is $(group_state $group)"
	((copies == 1)) || group_apart $group
	farmemctl group delete $group
done
wait_for 60 not_there $watcher || die "the watcher does not end with the last group"
cat /tmp/watch.log
rack_gone
unload
every_server rack_kill
on-memory-node rm -rf $pools
say "seed $seed, $events faults, $round rounds, $refusals commands refused: no byte was wrong"
