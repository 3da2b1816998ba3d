# SPDX-License-Identifier: GPL-2.0
# TEST: a farmemd that is stopped and not dead loses nobody: its adapter answers, to heartbeats and to I/O
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M heartbeat=1 peer_timeout=1
put_data
on-memory-node pkill -STOP -x farmemd
# Longer than any clock of the session's, three times over.
deadline=$((SECONDS + 12))
while ((SECONDS < deadline)); do
	check_data
	live || die "the session ended: $(value sessions/default reason)"
done
on-memory-node pkill -CONT -x farmemd
expect_no_log "session default failed"
unload
