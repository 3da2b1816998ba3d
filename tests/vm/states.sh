# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For the cases state-*:  . "$FARMEM_TESTS/vm/states.sh"  (brings cases.sh along)
#
#   ends_in_every_way [PARAMETER...]   a volume is made with these, brought into a
#       state by the case's own enter(), and ended: by rmmod, farmemctl volume and
#       session delete, swapoff, and with everything frozen as before a suspend.
#       Each from the start, each bounded, each with nothing left behind.
#
# The case may define serve_again(), by which the state ends, leave_state(), which undoes
# what enter() did around the server, and settings of the session.

# shellcheck source=tests/vm/cases.sh
. "$FARMEM_TESTS/vm/cases.sh"

# Above all that one of these may wait for: connect_timeout, twice.
BOUND=60

serve_again() { serve; }

leave_state() { :; }

session_settings=()

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
	in_time $BOUND unload
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

# What cannot be read is an error to whoever needs it, and no more.
ends_by_swapoff() {
	begin "$@"
	swap_on
	run_in_cgroup 8M farmem-memory 16 fill touch=/tmp/filled until=/tmp/stop &
	wait_for 60 test -e /tmp/filled
	enter
	set_value volumes/default io_deadline 3
	within $BOUND swapoff /dev/farmem0 || echo "swapoff: status $?"
	pkill -KILL -x farmem-memory || true
	wait $! || true
	within $BOUND swapoff -a
	rm -f /tmp/filled
	in_time $BOUND unload
	end_server
}

reads() {
	until [[ -e /tmp/enough ]]; do
		dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none 2>/dev/null || sleep 0.1
	done
}

# It may be refused because of who waits, and must say so soon.
freeze() {
	echo 5000 >/sys/power/pm_freeze_timeout
	echo freezer >/sys/power/pm_test
	within $BOUND sh -c 'echo freeze >/sys/power/state' 2>/dev/null || echo "suspend: refused"
	echo none >/sys/power/pm_test
}

goes_on_when_thawed() {
	rm -f /tmp/enough
	begin "$@"
	reads &
	enter
	freeze
	serve_again
	: >/tmp/enough
	within $BOUND tail --pid=$! -f /dev/null
	in_time $BOUND unload
	end_server
}

ends_in_every_way() {
	local way

	for way in ends_by_rmmod ends_by_delete ends_by_swapoff goes_on_when_thawed; do
		"$way" "$@"
		echo "$way: ok"
	done
}
