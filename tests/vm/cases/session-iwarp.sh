# SPDX-License-Identifier: GPL-2.0
# TEST: an adapter that speaks iWARP is refused by its name, with the reason; another one is not
. "$FARMEM_TESTS/vm/cases.sh"

load
adapter_says iwarp=1
expect_log "$FARMEM_RDMADEV: not used: it speaks iWARP"
serve
make_session s
expect_refusal "RDMA device $FARMEM_RDMADEV speaks iWARP, which farmem does not support" sessions/s
stop_farmemd
adapter_says iwarp=0
serve
power_on sessions/s
all_off
