# SPDX-License-Identifier: GPL-2.0
# TEST: pages are swapped out by rw_page, without bios, on the kernels that have it
# KERNELS: 6.1
. "$FARMEM_TESTS/vm/cases.sh"

trace=/sys/kernel/tracing

serve
load_volume 48M
swap_on
device=$(stat -c '%Hr %Lr' /dev/farmem0)
echo "dev == $((${device% *} << 20 | ${device#* }))" >$trace/events/block/block_bio_queue/filter
echo 1 >$trace/events/block/block_bio_queue/enable
: >$trace/trace
before=$(counter writes)
run_squeezed 16M farmem-memory 32 fill random
writes=$(($(counter writes) - before))
echo 0 >$trace/events/block/block_bio_queue/enable
expect_at_least 2000 "$writes" "pages written"
# Those that find the queue full may come as bios, and zeros do.
expect_at_least "$(grep -c ' W' $trace/trace)" $((writes / 2)) "pages written, half of them, beside bios"
swapoff /dev/farmem0
expect_idle
