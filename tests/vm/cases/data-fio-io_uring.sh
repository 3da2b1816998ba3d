# SPDX-License-Identifier: GPL-2.0
# TEST: fio with io_uring at depth 32 reads back what it wrote, 4k, 64k and 1M, sequential and random
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
fio_verify io_uring 32
