# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For the cases state-*:  . "$FARMEM_TESTS/vm/states.sh"  (brings outages.sh along)
#
#   ends_in_every_way [PARAMETER...]   a volume is made with these, brought into a
#       state by the case's own enter(), and ended: by rmmod, farmemctl volume and
#       session delete, swapoff, and with everything frozen as before a suspend.
#       Each from the start, each bounded, each with nothing left behind.
#   ends_in_every_way_during OUTAGE    the same, of an outage
#
# The case may define serve_again(), by which the state ends, leave_state(), which undoes
# what enter() did around the server, and settings of the session.  Where the state costs
# no byte all of them are looked at: with keeps_data=yes it costs no swapoff and no
# suspend either, with keeps_data=waits these may have to wait for serve_again().

# shellcheck source=tests/vm/outages.sh
. "$FARMEM_TESTS/vm/outages.sh"

# Above all that one of these may wait for: connect_timeout, twice.
BOUND=60

serve_again() { serve; }

leave_state() { :; }

session_settings=()
keeps_data=''

begin() {
	serve
	load_volume 32M "$@" "${session_settings[@]}"
	put_data
}

end_server() {
	leave_state
	! farmemd_runs || stop_farmemd KILL
}

ends_by_rmmod() {
	begin "$@"
	enter
	freeze nobody
	in_time $BOUND unload
	if [[ -n $keeps_data ]]; then
		serve_again
		load_volume 32M "$@" "${session_settings[@]}"
		check_data
		in_time $BOUND unload
	fi
	end_server
}

ends_by_delete() {
	serve
	load
	make_session s client=tester "${session_settings[@]}"
	make_volume v session=s size=32M "$@"
	power_on sessions/s
	power_on volumes/v
	enter s
	# A server that is away cannot be given its memory back.
	in_time $BOUND within $BOUND farmemctl volume delete v --force --keep
	in_time $BOUND within $BOUND farmemctl session delete s
	expect_equal '' "$(objects)" "what is left in configfs"
	in_time $BOUND unload
	end_server
}

# What cannot be read is an error to the program that needs it, and no more.
swaps_until_killed() {
	set_value volumes/default io_deadline 3
	within $BOUND swapoff /dev/farmem0 || echo "swapoff: status $?"
	pkill -KILL -x farmem-memory || true
	wait "$1" || true
	within $BOUND swapoff -a
}

# Nobody is killed, and every page is read.
swaps_until_all_is_back() {
	within $((2 * BOUND)) swapoff /dev/farmem0 &
	[[ $keeps_data == yes ]] || serve_again
	wait $! || die "swapoff failed, though no page was lost"
	memory_is_whole "$1"
}

# ends_by_swapoff HOW [PARAMETER...]
ends_by_swapoff() {
	local program

	begin "${@:2}"
	swap_on
	run_squeezed 8M farmem-memory 16 fill touch=/tmp/filled until=/tmp/stop &
	program=$!
	wait_for 60 test -e /tmp/filled
	enter
	"$1" $program
	rm -f /tmp/filled /tmp/stop
	in_time $BOUND unload
	end_server
}

ends_by_every_swapoff() {
	[[ -z $keeps_data ]] || ends_by_swapoff swaps_until_all_is_back "$@"
	[[ $keeps_data == yes ]] || ends_by_swapoff swaps_until_killed "$@"
}

reads() {
	until [[ -e /tmp/enough ]]; do
		dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none 2>/dev/null || pause 0.1
	done
}

# It may be refused because of what waits, and must say so soon.
# freeze WHAT - waiting: a task is in the middle of a system call, or none
freeze() {
	echo 5000 >/sys/power/pm_freeze_timeout
	echo freezer >/sys/power/pm_test
	if ! within $BOUND sh -c 'echo freeze >/sys/power/state' 2>/dev/null; then
		[[ $keeps_data != yes && $1 == waiting ]] || die "a suspend was refused"
		echo "suspend: refused"
	fi
	echo none >/sys/power/pm_test
}

goes_on_when_thawed() {
	rm -f /tmp/enough
	begin "$@"
	reads &
	enter
	freeze waiting
	serve_again
	: >/tmp/enough
	within $BOUND tail --pid=$! -f /dev/null
	[[ -z $keeps_data ]] || check_data
	in_time $BOUND unload
	end_server
}

ends_in_every_way() {
	local way

	for way in ends_by_rmmod ends_by_delete ends_by_every_swapoff goes_on_when_thawed; do
		"$way" "$@"
		echo "$way: ok"
	done
}

ends_in_every_way_during() {
	outage=$1
	keeps_data=waits
	plug_in

	enter() { begin_outage "$outage" "$@"; }
	serve_again() { end_outage "$outage"; }
	leave_state() { end_outage "$outage"; }
	ends_in_every_way io_deadline=-1
}
