# SPDX-License-Identifier: GPL-2.0
# TEST: O_DIRECT reads see a buffered write, buffered reads see a direct one
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
exec {open}<>/dev/farmem0 # keeps the page cache
for round in 1 2; do
	head -c 256k /dev/urandom >/tmp/data
	dd if=/tmp/data of=/dev/farmem0 bs=64k status=none
	dd if=/dev/farmem0 bs=64k count=4 iflag=direct status=none | cmp - /tmp/data
	head -c 256k /dev/urandom >/tmp/data
	dd if=/tmp/data of=/dev/farmem0 bs=64k oflag=direct status=none
	cmp -n 256k /tmp/data /dev/farmem0 || die "round $round: stale in the page cache"
done
exec {open}>&-
expect_idle
