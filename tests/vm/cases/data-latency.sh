# SPDX-License-Identifier: GPL-2.0
# TEST: histograms count each read, write, discard and page fault of a volume whose switch is on
# TIMEOUT: 240
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

# of KIND - what the histogram has counted.
of() {
	local sum=0 count

	for count in $(counter "$1_latency"); do
		sum=$((sum + count))
	done
	echo $sum
}

# not_measured KIND - by how much the counter is ahead of the histogram.
not_measured() {
	echo $(($(counter "$1s") - $(of "$1")))
}

serve
load_volume 48M
echo 0 >/sys/block/farmem0/farmem/latency
put_data
expect_at_least 32 "$(not_measured write)" "writes with the switch off"
echo 1 >/sys/block/farmem0/farmem/latency
reads=$(not_measured read) writes=$(not_measured write) discards=$(not_measured discard)

put_data
check_data
blkdiscard -f -o 4M -l 4M /dev/farmem0
# Zeros are read without the network.
dd if=/dev/farmem0 of=/dev/null bs=64k skip=64 count=16 iflag=direct status=none
expect_equal 0 "$(of fault)" "faults without swap"
expect_at_least 48 "$(of read)" "reads"

swap_on
sysctl -qw vm.page-cluster=0
before=$(of fault)
run_squeezed 16M farmem-memory 24 fill random
expect_at_least $((before + 500)) "$(of fault)" "faults without readahead"
sysctl -qw vm.page-cluster=3
before=$(of fault)
run_squeezed 16M farmem-memory 24 fill random
expect_at_least $((before + 100)) "$(of fault)" "faults with readahead"
swapoff /dev/farmem0
expect_idle

expect_equal "$reads" "$(not_measured read)" "reads that no histogram counts"
expect_equal "$writes" "$(not_measured write)" "writes that no histogram counts"
expect_equal "$discards" "$(not_measured discard)" "discards that no histogram counts"
expect_at_least "$(of fault)" "$(of read)" "reads, which faults are"
# An emulated network takes microseconds for each.
read -r quick _ < <(counter write_latency)
expect_equal 0 "$quick" "writes below 1024 ns"
