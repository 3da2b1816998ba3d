# SPDX-License-Identifier: GPL-2.0
# 4 KiB reads that a program waits for, one at a time, beside another's that are
# 32 at once: what a wait is then, and what a read of either costs.
# CONTENDERS: brd nvme-rdma shell farmem

# waited - nanoseconds of a read of the one at a time: p50, p99.
waited() {
	jq -r '.jobs[] | select(.jobname == "waits") | .read.clat_ns.percentile
		| .["50.000000"], .["99.000000"]' /tmp/fio.json | paste -sd ' '
}

# cost_of_all - run time by reads of both.
cost_of_all() {
	jq -r '[.jobs[].read] | (map(.runtime) | max) * 1e6 / (map(.total_ios) | add)
		* 10 | round / 10' /tmp/fio.json
}

work() {
	local p50 p99

	prefill "$1"
	fio --output-format=json --name=global --filename="$1" --size="${SIZE_MIB}M" --io_size=1T \
		--direct=1 --thread --norandommap --rw=randread --bs=4k --exitall \
		--name=waits --ioengine=psync --number_ios="$(fewer 8192)" \
		--name=flood --ioengine=libaio --iodepth=32 >/tmp/fio.json || die "fio: $(</tmp/fio.json)"
	read -r p50 p99 < <(waited)
	record "$p50" '' p50
	record "$p99" '' p99
	record "$(cost_of_all)" '' each
}
