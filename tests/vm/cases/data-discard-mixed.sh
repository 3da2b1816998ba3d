# SPDX-License-Identifier: GPL-2.0
# TEST: a read that is partly of discarded pages gets zeros there and the data of the others
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

# discard PAGE COUNT - on the disk, and in what is expected of it.
discard() {
	blkdiscard -f -o $(($1 * 4096)) -l $(($2 * 4096)) /dev/farmem0
	dd if=/dev/zero of=/tmp/data bs=4096 seek="$1" count="$2" conv=notrunc status=none
}

serve
load_volume 16M
put_data
# Reads are of 16 pages: zeros first, last, in the middle, more than once.
discard 16 3
discard 45 3
discard 70 4
discard 97 1
discard 99 2
check_data
expect_equal 13 "$(counter zero_reads)" "pages of zeros served without the network"
reload 16M
check_data
