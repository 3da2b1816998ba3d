# SPDX-License-Identifier: GPL-2.0
# TEST: when a chain of writes cannot be posted the session fails, and what was acknowledged is there
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M queues=1 reconnect_delay=0
farmem-pages /dev/farmem0 write=0,128,1
# Every second one is refused: not this one, but the first chain of the burst. The
# chain behind it would be taken, and with one CPU be over before the session's end
# is under way.
set_fault fail_post_hard 2
farmem-pages /dev/farmem0 write=127,1,3
farmem-pages /dev/farmem0 burst=0,127,2 >/tmp/steps
wait_for 20 failed
expect_log 'posting failed'
[[ ! -s /tmp/steps ]] || die "$(wc -l </tmp/steps) writes were acknowledged behind one that was refused"
reload 16M
farmem-pages /dev/farmem0 check=127,1,3
unload
