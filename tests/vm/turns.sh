# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# How the guests of several checks that name the same file share few cores. Two cores
# carry two emulated CPUs: with more, one that spins for a lock keeps its holder from
# running, and all take three times as long. So what runs either has all cores, or its
# CPUs take turns on one.
#
#   turns_begin FILE    before the first guest of a check: those that need all cores come
#                       first, and while any check has such guests nobody takes one core,
#                       lest the others stand idle until that guest is done
#   turns_all_cores FILE, turns_one_core FILE   wait; it is given back when the process ends
#   turns_no_more_all_cores   this check has no such guest any more
#
# FILE is a lock that all cores are behind; FILE.wanted is held, shared, by each check
# that still wants them; FILE.N is core N; FILE.begun is there once a check has begun.

# shellcheck source=tests/vm/pause.sh
. "$(dirname "${BASH_SOURCE[0]}")/pause.sh"
turns_cores_here=$(nproc)

turns_begin() {
	exec {turns_wanted}>>"$1.wanted"
	flock -s "$turns_wanted"
	# The check that came first goes on first.
	take_core "$1" || true
	: >"$1.begun"
}

turns_no_more_all_cores() {
	[[ -z ${turns_wanted-} ]] || flock -u "$turns_wanted"
}

turns_all_cores() {
	exec {turns_cores}>>"$1"
	flock -x "$turns_cores"
}

turns_one_core() {
	local gate

	exec {turns_cores}>>"$1" {gate}>>"$1.wanted"
	until take_core "$1" && flock -n -x "$gate"; do
		pause 1
	done
	flock -s "$turns_cores"
	flock -u "$gate"
}

# One that has been taken is kept.
take_core() {
	local number

	[[ -z ${turns_core-} ]] || return 0
	for ((number = 0; number < turns_cores_here; number++)); do
		exec {turns_core}>>"$1.$number"
		! flock -n -x "$turns_core" || return 0
		exec {turns_core}>&-
	done
	turns_core=''
	return 1
}
