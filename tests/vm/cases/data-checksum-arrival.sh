# SPDX-License-Identifier: GPL-2.0
# TEST: with checksum=crc32c a READ whose last bytes never came, and of which the adapter says nothing, is done once more
# KERNELS: 5.10 6.1 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

load
# Of soft-RoCE itself such READs are found without checksums.
adapter_says adapter=1
serve
# Heartbeats are READs, too.
make_session default heartbeat=0
make_volume default session=default size=16M checksum=crc32c
power_on sessions/default
power_on volumes/default
farmem-pages /dev/farmem0 write=0,64,1 check=0,64,1
mark_dmesg
before=$(counter checksum_errors)
set_fault times 1
set_fault fail_arrival 1
farmem-pages /dev/farmem0 check=7,1,1
expect_equal 0 "$(<"$FAULTS/times")" "faults left"
expect_at_least $((before + 1)) "$(counter checksum_errors)" "mismatches"
expect_log 'it is read once more'
expect_equal 0 "$(counter read_errors)" "reads that failed"
all_off
