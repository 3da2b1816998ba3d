# SPDX-License-Identifier: GPL-2.0
# TEST: fio with libaio at depth 32 reads back what it wrote, 4k, 64k and 1M, sequential and random
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
fio_verify libaio 32
