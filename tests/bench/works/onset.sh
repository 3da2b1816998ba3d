# SPDX-License-Identifier: GPL-2.0
# The onset of pressure: a program fills twice its cgroup and then touches its pages in
# random order. All of that is one figure, since what reclaim spares in one part it may
# pay for in the other.
# LAST: swap takes the data off the disk

MIB=64
TOUCHES=4096

onset() {
	local fill touch filled touches out idle

	echo 0 >/proc/sys/vm/page-cluster
	read -r fill touch filled touches out idle < <(run_in_cgroup $((MIB / 2))M \
		"$MEMORY_PROGRAM" onset $MIB $TOUCHES)
	record "$(executed $((fill + touch)) "$idle")"
	record "$(quotient "$fill" "$filled")" '' fill
	record "$(quotient "$touch" "$touches")" '' touch
	record "$out" pages pages-out
	record "$idle" ns idle
}

work() {
	with_swap onset
}
