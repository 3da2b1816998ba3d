# SPDX-License-Identifier: GPL-2.0
# A real program: sort(1) with a buffer twice as large as its cgroup.
# LAST: swap takes the data off the disk

# Lines in no order, the same on every machine.
text() {
	[[ -e /tmp/sort.txt ]] || awk -v n="$(fewer 400000)" 'BEGIN {
		for (x = 1; n--; x = (x * 16807) % 2147483647)
			printf "%010d %010d some text that goes with the key\n", x, n
	}' >/tmp/sort.txt
}

# A program that is read from the host while it is counted costs whatever the
# host takes: virtual time leaps until it is there.
warm_up() {
	local program

	program=$(command -v sort)
	ldd "$program" | grep -oE '/[^ ]+' | xargs cat "$program" >/dev/null
	head -n 1000 /tmp/sort.txt | sort --parallel=1 >/dev/null
}

sorting() {
	local start idle took

	echo 3 >/proc/sys/vm/page-cluster
	idle=$(idle_time) start=${EPOCHREALTIME/./}
	run_in_cgroup "$(($(stat -c %s /tmp/sort.txt) * 9 / 10))" \
		sort --parallel=1 --buffer-size=1G /tmp/sort.txt >/tmp/sort.last
	took=$(((${EPOCHREALTIME/./} - start) * 1000)) idle=$(($(idle_time) - idle))
	record "$(executed "$took" "$idle")"
	record "$idle" ns idle
	sort --check /tmp/sort.last || die "not sorted"
}

work() {
	text
	warm_up
	with_swap sorting
}
