# SPDX-License-Identifier: GPL-2.0
# TEST: nothing listens at the address: refused at once, and the message names farmemd
# CPUS: 1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

in_time 30 expect_no_load "session default: $SERVER: connection refused: nothing listens there; is farmemd running on that address and port? (-111)" \
	server="$SERVER" size=32M connect_timeout=60
