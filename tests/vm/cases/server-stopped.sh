# SPDX-License-Identifier: GPL-2.0
# TEST: a farmemd that is stopped (SIGSTOP) delays insmod and rmmod by connect_timeout at most
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# The connection itself may be made or not: the CM of the kernel answers for it.
serve
on-memory-node pkill -STOP -x farmemd
in_time 20 expect_no_load "session default: $SERVER: no answer within 2 s while connecting" \
	server="$SERVER" size=32M connect_timeout=2
on-memory-node pkill -CONT -x farmemd

load server="$SERVER" size=32M connect_timeout=2
put_data
on-memory-node pkill -STOP -x farmemd
# One-sided: the data needs no CPU of the server's.
check_data
in_time 20 unload
on-memory-node pkill -CONT -x farmemd

load server="$SERVER" size=32M connect_timeout=10
check_data
unload
