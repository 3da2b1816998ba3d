# SPDX-License-Identifier: GPL-2.0
# TEST: fio with psync at depth 1 reads back what it wrote, 4k, 64k and 1M, sequential and random
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
fio_verify psync 1
