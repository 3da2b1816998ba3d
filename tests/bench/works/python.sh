# SPDX-License-Identifier: GPL-2.0
# A real program, and readahead as everybody has it: Python fills 48 MiB in a cgroup of
# 36 MiB, touches its pages at random, then in order.
# MODES: icount wall
# LAST: swap takes the data off the disk

PROGRAM=$FARMEM_TESTS/bench/helpers/pages.py
TOUCHES=8192

python() {
	local cluster start idle took

	# What comes from the host comes before the clock runs.
	python3 "$PROGRAM" 1 16
	for cluster in 0 3; do
		echo "$cluster" >/proc/sys/vm/page-cluster
		idle=$(idle_time) start=${EPOCHREALTIME/./}
		run_in_cgroup 36M python3 "$PROGRAM" 48 "$TOUCHES"
		took=$(((${EPOCHREALTIME/./} - start) * 1000)) idle=$(($(idle_time) - idle))
		record "$(executed "$took" "$idle")" '' "pc$cluster"
		record "$idle" ns "pc$cluster-idle"
	done
}

work() {
	with_swap python
}
