# SPDX-License-Identifier: GPL-2.0
# TEST: each workqueue that I/O may wait for has a thread in reserve, for when no new one can be made for want of memory, and no session waits for another's
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
expect_equal 'farmem farmem_connect farmem_error farmem_io ' "$(threads | sed 's/.*R-//' | sort | tr '\n' ' ')" "rescuers"
# What waits for one session's server holds up no other.
make_session second client=second
expect_equal 'farmem farmem_connect farmem_connect farmem_error farmem_error farmem_io farmem_io ' "$(threads | sed 's/.*R-//' | sort | tr '\n' ' ')" "rescuers of two sessions"
rmdir $CONFIG/sessions/second
unload
no_threads_left
