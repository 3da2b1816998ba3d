# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For the cases in cases/:  . "$FARMEM_TESTS/vm/cases.sh"  (brings lib.sh, io.sh, swap.sh along)
#
#   serve ARG...            farmemd with 64M on $SERVER; serve_at ADDR:PORT ARG...
#   replace_farmemd ARG...  it is killed, the session notices, and goes on with another one
#   load ARG...             modprobe farmem ARG..., which must succeed
#   load_volume SIZE ARG... the same with a volume of $SERVER: /dev/farmem0
#   unload                  rmmod farmem, bounded, after which nothing is left
#   expect_no_load TEXT ARG...  refused, TEXT in the kernel log, nothing left
#   nothing_left            no trace of the module in the kernel, save for threads:
#   no_threads_left         which takes longer
#   within SECONDS CMD...   CMD's status; dies when it takes longer
#   in_time SECONDS CMD...  the same of a function, which ends by itself
#   expect_log TEXT         in the kernel log, since mark_dmesg; expect_no_log TEXT
#   expect_equal WANT GOT WHAT
#   expect_text TEXT GOT WHAT   GOT has TEXT somewhere
#   counter NAME [DISK]     a file of /sys/block/DISK/farmem
#   make_session NAME KEY=VALUE...   mkdir and settings; make_volume likewise
#   put_keys FILE LINE...   a client's file of keys; KEY_A and KEY_B are two
#   put_server_keys FILE LINE...   of the same, the file of the server SERVER_UUID
#   power_on OBJECT         sessions/NAME or volumes/NAME; power_off likewise
#   expect_refusal TEXT OBJECT  power_on fails, and its reason has TEXT
#   value OBJECT FILE       of configfs
#   failed, live, recovering [SESSION]   whether it is; for wait_for
#   reload SIZE ARG...      rmmod, and load_volume again
#   all_off                 volumes and sessions of mkdir off and gone, unload
#   expect_at_least MIN GOT WHAT
#   unplug, plug_in         the cable between two nodes
#   set_fault NAME N        every Nth of it fails from now on, none with 0; or skips
#   adapter_says WHAT=N...  say_WHAT of the module that is loaded, of an adapter that arrives then
#   memory_may_fail         the debug kernel's own faults spare no allocation
#   fail_nth ARG...         each allocation of an operation fails once, and no other:
#                           helpers/farmem-fail-nth.c
#   fake_server WHAT=VALUE...   a server that misbehaves: helpers/fake-server.c
#   peer ARG...             farmem-peer in the background, printing to $PEER_LOG
#
# Any command that fails ends the case, which tells where, after which commands, on what.

set -Eeuo pipefail
# shellcheck source=tests/vm/lib.sh
. "$FARMEM_TESTS/vm/lib.sh"
# shellcheck source=tests/vm/io.sh
. "$FARMEM_TESTS/vm/io.sh"
# shellcheck source=tests/vm/swap.sh
. "$FARMEM_TESTS/vm/swap.sh"
# shellcheck source=tests/vm/failure.sh
. "$FARMEM_TESTS/vm/failure.sh"

SERVER=$FARMEM_SERVER:7471
CONFIG=/sys/kernel/config/farmem
# Emulated nodes on a busy host answer late, and a CM request that was lost is
# sent again only after 4 s and more.
CONNECT_TIMEOUT=$((FARMEM_NODES == 1 ? 10 * FARMEM_SLOWNESS : 40))
PEER_LOG=/tmp/peer.log
# shellcheck disable=SC2034 # for the cases
KEY_A=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff \
KEY_B=fedcba98765432100123456789abcdef
SERVER_UUID=5e5e5e5e-0000-4000-8000-0000000000aa
FAULTS=/sys/kernel/debug/farmem
# The debug kernel's own.
FAILSLAB=/sys/kernel/debug/failslab

failure_watch
trap 'leave $?' EXIT
# Huge pages are the business of the cases that ask for them: a few under
# writeback fill a small cgroup.
echo never >/sys/kernel/mm/transparent_hugepage/enabled
mark_dmesg

# What a case starts in the background ends with it. One that failed half way
# shall not leave disks that keep the module from being removed.
leave() {
	local object children failed=''

	((${1-0} == 0 || $1 == 77)) || failed=yes
	if failure_due "$1"; then failure_tell "$1" || true; fi
	mapfile -t children <<<"$(jobs -p)"
	kill -KILL "${children[@]}" 2>/dev/null || true
	# A server that is away would be waited for, by those that are killed as well.
	for object in "$CONFIG"/volumes/*/io_deadline; do
		[[ -z $failed || ! -e $object ]] || echo 0 >"$object"
		# The release before has none.
		object=${object%/*}/partner
		[[ -z $failed || ! -e $object ]] || echo >"$object"
	done
	# Not for all: the writer of a process substitution may wait for this shell.
	wait "${children[@]}" 2>/dev/null || true
	[[ -n $failed ]] || return 0
	[[ ! -e $FAILSLAB ]] || echo 0 >$FAILSLAB/probability
	exec 3<&- 2>/dev/null
	swapoff -a
	for object in "$CONFIG"/volumes/*/power "$CONFIG"/sessions/*/power; do
		[[ -e $object ]] || continue
		# shellcheck disable=SC2016 # the inner shell's argument
		timeout -k 5 60 bash -c 'echo 0 >"$0"' "$object" || true
	done
}

# A server with keys is the one that they are for, unless told.
serve_at() {
	[[ " $* " != *" --keys "* || " $* " == *" --uuid "* ]] || set -- "$@" --uuid "$SERVER_UUID"
	start_farmemd --size 64M --listen "$@"
}

serve() {
	serve_at "$SERVER" "$@"
}

replace_farmemd() {
	stop_farmemd KILL
	wait_for 20 recovering
	serve "$@"
	wait_for 60 live
}

within() {
	local status=0

	timeout -k 5 "$(($1 * FARMEM_SLOWNESS))" "${@:2}" || status=$?
	((status != 124 && status != 137)) ||
		die "not over within $(($1 * FARMEM_SLOWNESS)) s: ${*:2}"
	return "$status"
}

in_time() {
	local start=$SECONDS

	"${@:2}"
	((SECONDS - start < $1 * FARMEM_SLOWNESS)) ||
		die "took $((SECONDS - start)) s, not less than $(($1 * FARMEM_SLOWNESS)): ${*:2}"
}

load() {
	within 60 modprobe farmem "$@" || die "modprobe farmem $* failed:
$(dmesg_since | tail -n 5)"
}

load_volume() {
	load server="$SERVER" size="$1" connect_timeout="$CONNECT_TIMEOUT" "${@:2}"
	[[ -b /dev/farmem0 ]] || die "insmod is over and /dev/farmem0 is not there"
}

unload() {
	within 60 rmmod farmem
	nothing_left
}

expect_no_load() {
	local text=$1 status=0
	shift

	mark_dmesg
	within 60 modprobe farmem "$@" 2>/dev/null || status=$?
	((status != 0)) || die "loaded, and should not: modprobe farmem $*"
	expect_log "$text"
	nothing_left
}

# What the kernel keeps in the name of farmem, a line each.
traces() {
	local objects

	[[ ! -d /sys/module/farmem ]] || echo "the module"
	[[ ! -d $CONFIG ]] || echo "its configfs directory"
	[[ $(</proc/slabinfo) != *$'\n'farmem* ]] || grep -o '^farmem[^ ]*' /proc/slabinfo
	compgen -G '/sys/block/farmem*' || true
	objects=$(printf 'resource show %s\n' pd cq qp cm_id mr | rdma -b -)
	# Since 6.1 queue pairs made through rdma_cm go by its name.
	[[ $objects != *\[farmem]* && $objects != *\[rdma_cm]* ]] ||
		grep -E '\[(farmem|rdma_cm)\]' <<<"$objects"
}

# Its threads: of workqueues, whose names begin otherwise since 6.10.
threads() {
	grep -hsxE '(kworker/R-)?farmem(_io|_connect|_error)?' /proc/[0-9]*/comm || true
}

# Not the threads: that takes a second.
nothing_left() {
	expect_equal '' "$(traces)" "what is left of the module"
}

no_threads_left() {
	expect_equal '' "$(threads)" "threads of the module"
}

expect_log() {
	[[ $(dmesg_since) == *"$1"* ]] || die "the kernel log lacks: $1
it says: $(dmesg_since | grep farmem: | tail -n 5)"
}

expect_no_log() {
	[[ $(dmesg_since) != *"$1"* ]] || die "the kernel log says: $1"
}

expect_equal() {
	[[ $2 == "$1" ]] || die "$3: expected '$1', is '$2'"
}

expect_text() {
	[[ $2 == *"$1"* ]] || die "$3: expected '$1' in '$2'"
}

# The directories of sessions and volumes, a line each.
objects() {
	find "$CONFIG/sessions" "$CONFIG/volumes" -mindepth 1 -maxdepth 1
}

counter() {
	printf '%s\n' "$(<"/sys/block/${2-farmem0}/farmem/$1")"
}

make_object() {
	local object=$1 setting
	shift

	mkdir "$CONFIG/$object"
	for setting; do
		echo "${setting#*=}" >"$CONFIG/$object/${setting%%=*}"
	done
}

make_session() {
	make_object "sessions/$1" server="$SERVER" connect_timeout="$CONNECT_TIMEOUT" "${@:2}"
}

make_volume() {
	make_object "volumes/$1" "${@:2}"
}

value() {
	printf '%s\n' "$(<"$CONFIG/$1/$2")"
}

put_keys() {
	(umask 077 && printf '%s\n' "${@:2}" >"$1")
}

put_server_keys() {
	local line

	: >"$1"
	chmod 600 "$1"
	for line in "${@:2}"; do
		put_keys /tmp/derived.key "$line"
		farmemctl key derive "${line%% *}" --key /tmp/derived.key --uuid "$SERVER_UUID" >>"$1"
	done
}

failed() {
	[[ $(value "sessions/${1-default}" state) == failed ]]
}

live() {
	[[ $(value "sessions/${1-default}" state) == live ]]
}

recovering() {
	[[ $(value "sessions/${1-default}" state) == recovering ]]
}

# set_value OBJECT FILE VALUE - prints the error, if there is one. Without a
# process of its own, which costs far more: what hangs, hangs the case.
set_value() {
	local status=0 said

	said=$(trap - ERR; echo "$3" 2>&1 >"$CONFIG/$1/$2") || status=$?
	((status == 0)) || printf '%s\n' "${said##*: }"
	return "$status"
}

power_on() {
	set_value "$1" power 1 || die "$1 does not go on: $(value "$1" reason)"
}

power_off() {
	set_value "$1" power 0 || die "$1 does not go off: $(value "$1" reason)"
}

expect_refusal() {
	! set_value "$2" power 1 >/dev/null || die "$2 went on, and should not"
	expect_text "$1" "$(value "$2" reason)" "reason of $2"
	expect_equal 0 "$(value "$2" power)" "power of $2"
}

# expect_error TEXT OBJECT FILE VALUE - a setting is refused with that error.
expect_error() {
	local said

	! said=$(set_value "$2" "$3" "$4") || die "$2/$3 took $4, and should not"
	expect_equal "$1" "$said" "error of $4 in $2/$3"
}

# Kills and awaits a process of ours; its status is not of interest.
end_process() {
	kill "$@" 2>/dev/null || true
	wait "${@: -1}" 2>/dev/null || true
}

fake_server() {
	[[ -z ${fake_pid-} ]] || end_process "$fake_pid"
	: >/tmp/fake.log
	fake-server "$FARMEM_SERVER" 7471 "$@" >/tmp/fake.log 2>&1 &
	fake_pid=$!
	wait_for 10 grep -q ready /tmp/fake.log
}

peer() {
	: >"$PEER_LOG"
	# Its lines shall be there before it ends.
	stdbuf -oL farmem-peer "$@" >"$PEER_LOG" 2>&1 &
	# shellcheck disable=SC2034 # for the case
	peer_pid=$!
}

# peer_said SECONDS TEXT
peer_said() {
	wait_for "$1" grep -qF -- "$2" "$PEER_LOG" || die "the peer lacks '$2': $(<"$PEER_LOG")"
}

# peer_denied SECONDS STEP - the adapter of farmemd's node has refused the peer's access.
# 5.10's soft-RoCE does not answer, so the peer's retries end: docs/design/soft-roce.md.
peer_denied() {
	local why='remote access error'

	[[ $FARMEM_KERNEL != 5.10 ]] || why='transport retry counter exceeded'
	peer_said "$1" "$2 failed: $why"
}

reload() {
	unload
	load_volume "$@"
}

all_off() {
	local object

	for object in "$CONFIG"/volumes/*/ "$CONFIG"/sessions/*/; do
		[[ -d $object ]] || continue
		object=${object#"$CONFIG/"} object=${object%/}
		power_off "$object"
		rmdir "$CONFIG/$object"
	done
	unload
}

expect_at_least() {
	(($2 >= $1)) || die "$3: expected $1 or more, is $2"
}

# Not "ip link set down": a responder of soft-RoCE whose interface is down goes on,
# when it is up, behind a packet that it never sent, and the requester takes that for
# success (rxe_comp.c:check_ack() on 6.1). And a virtio_net that is down keeps what it
# has sent, and with it the queue pairs.
unplug() {
	wire loss 100%
}

plug_in() {
	wire
}

# What a command does not name stays as the one before had it, so all is named.
NETEM=(tc qdisc replace dev "$FARMEM_NETDEV" root netem delay 0ms loss 0% duplicate 0% reorder 0% corrupt 0%)

# wire RULE... - what netem does to packets both ways. From 6.12 on soft-RoCE takes a packet
# that comes while a queueing discipline is put in or taken out for an error of its queue
# pair, and a node whose queue pair 1 that is connects to nothing any more
# (docs/design/soft-roce.md): plug_in comes before there is I/O, and netem stays.
wire() {
	"${NETEM[@]}" "$@"
	on-memory-node "${NETEM[@]}" "$@"
}

set_fault() {
	[[ -e $FAULTS/$1 ]] || skip "this farmem.ko has no fault hooks (FARMEM_FAULTS=y)"
	echo "$2" >"$FAULTS/$1"
}

adapter_says() {
	local said

	for said; do set_fault "say_${said%%=*}" "${said#*=}"; done
	within 60 rdma link delete "$FARMEM_RDMADEV"
	rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
}

# They spare what may wait for memory, unless told. A stack in the log for each that
# fails would be a book.
memory_may_fail() {
	local pages=${FAILSLAB%/*}/fail_page_alloc

	echo N >$FAILSLAB/ignore-gfp-wait
	echo N >"$pages/ignore-gfp-wait"
	echo N >"$pages/ignore-gfp-highmem"
	echo 0 >"$pages/min-order"
	echo 0 >$FAILSLAB/verbose
	echo 0 >"$pages/verbose"
}

fail_nth() {
	memory_may_fail
	farmem-fail-nth "$@" || die "farmem-fail-nth $*; the log:
$(dmesg_since | grep -a farmem: | tail -n 5)"
}
