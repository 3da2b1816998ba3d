# SPDX-License-Identifier: GPL-2.0
# TEST: swap with checksums brings every page back; when the server's memory changes, the program is killed for a page before it reads a wrong byte
# LONG: yes
# KERNELS: 5.10 6.1 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

filled() { [[ -e /tmp/filled ]]; }
over() { ! kill -0 "$1" 2>/dev/null; }

serve --slab-size 4M --pool $pool
load_volume 48M checksum=crc32c
swap_on
run_squeezed 16M farmem-memory 32 fill random sequential random
expect_equal 0 "$(counter checksum_errors)" "mismatches while nothing was wrong"
expect_idle

run_squeezed 16M farmem-memory 32 fill touch=/tmp/filled until=/tmp/never &
program=$!
wait_for 120 filled
# One bit of every page of the volume, which has the pool's first slabs.
perl -e 'open my $p, "+<", $ARGV[0] or die; for (my $at = 77; $at < 48 << 20; $at += 4096) {
	sysseek $p, $at, 0; sysread $p, my $c, 1; sysseek $p, $at, 0; syswrite $p, chr(ord($c) ^ 16) }' $pool
wait_for 120 over $program
status=0
wait $program || status=$?
killed_for_a_page $status || die "the program ended with $status, not by SIGBUS"
expect_at_least 2 "$(counter checksum_errors)" "checksum_errors"
expect_at_least 1 "$(counter read_errors)" "read_errors"
expect_log 'so it reads as an error until it is written again'
swapoff /dev/farmem0
unload
