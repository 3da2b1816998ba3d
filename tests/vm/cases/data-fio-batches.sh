# SPDX-License-Identifier: GPL-2.0
# TEST: writes that are submitted many at once, and go as chains of which only the last is signaled, all arrive
# PARALLEL: yes
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
fio_verify libaio 32 --iodepth_batch_submit=16 --iodepth_batch_complete_min=1
# What is lost on the way would be sent again by the next session.
expect_no_log 'session default failed'
