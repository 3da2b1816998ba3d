# SPDX-License-Identifier: GPL-2.0
# TEST: where a DMA mapping may have a page and no more, large pieces of memory and page states are mapped in parts
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

load
adapter_says max_mapping=4096
serve
make_session s
make_volume v session=s size=32M
power_on sessions/s
power_on volumes/v
expect_equal 4096 "$(</sys/block/farmem0/queue/max_segment_size)" "bytes of a segment"
expect_equal 32 "$(</sys/block/farmem0/queue/max_segments)" "segments of a bio"
# Of huge pages each is one piece of memory.
echo always >/sys/kernel/mm/transparent_hugepage/enabled
head -c 16M /dev/urandom >/tmp/data
within 60 dd if=/tmp/data of=/dev/farmem0 bs=16M oflag=direct iflag=fullblock status=none
within 60 dd if=/dev/farmem0 bs=16M count=1 iflag=direct status=none | cmp - /tmp/data
echo never >/sys/kernel/mm/transparent_hugepage/enabled
farmem-pages /dev/farmem0 scatter=4096,400,7 check=4096,400,7 gather=4096,400,7
within 60 blkdiscard -f -o 20M -l 8M /dev/farmem0
# 8192 page states, two mappings, go to the server and come back.
within 60 sh -c "echo 0 >$CONFIG/volumes/v/power"
within 60 sh -c "echo 1 >$CONFIG/volumes/v/power"
dd if=/dev/farmem0 bs=1M count=16 iflag=direct status=none | cmp - /tmp/data
farmem-pages /dev/farmem0 check=4096,400,7 zeros=5120,2048
expect_idle
all_off
