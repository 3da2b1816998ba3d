# SPDX-License-Identifier: GPL-2.0
# TEST: after the process of a client was killed, the next with its name is accepted and finds the volume
. "$FARMEM_TESTS/vm/cases.sh"

uuid=01010101-0101-0101-0101-010101010101
serve
peer -n gone "$FARMEM_SERVER" 7471 connect hello open=1,33554432 write=0,171 sleep=100000
peer_said 20 'write ok'
end_process -KILL "$peer_pid"
load_volume 32M client=gone uuid=$uuid
cmp -s -n 4096 /dev/farmem0 <(head -c 4096 /dev/zero | tr '\0' '\253') || die "the data is not found"
unload
