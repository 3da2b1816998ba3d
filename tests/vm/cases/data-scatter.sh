# SPDX-License-Identifier: GPL-2.0
# TEST: reads and writes of many small segments, more than a work request holds, keep every byte in its place
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
# 40 pieces of a page, none beside the next in memory.
farmem-pages /dev/farmem0 scatter=3,400,7 check=3,400,7 gather=3,400,7 zeros=0,3 zeros=403,40
# soft-RoCE takes 32 SGEs in a request.
expect_at_least 20 "$(counter writes)" "requests for 10 calls"
expect_idle
