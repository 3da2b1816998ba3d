# SPDX-License-Identifier: GPL-2.0
# TEST: when a chain of writes cannot be posted the session fails, and what was acknowledged is there
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M queues=1
farmem-pages /dev/farmem0 write=0,128,1
# The second chain is refused; those behind it would be taken, and with one CPU
# be over before the session's end is under way.
set_fault fail_post_hard 2
farmem-pages /dev/farmem0 burst=0,128,2 >/tmp/steps
wait_for 20 failed
expect_log 'posting failed'
# The first chain may have been acknowledged before: 32 requests.
(($(wc -l </tmp/steps) <= 32)) || die "$(wc -l </tmp/steps) writes were acknowledged"
reload 16M
# shellcheck disable=SC2046 # a list of steps
farmem-pages /dev/farmem0 check=120,1,1 $(</tmp/steps)
unload
