# SPDX-License-Identifier: GPL-2.0
# TEST: nothing listens at the address: refused at once, and the message names farmemd
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

start=$SECONDS
expect_no_load "session default: $SERVER: connection refused: nothing listens there; is farmemd running on that address and port? (-111)" \
	server="$SERVER" size=32M connect_timeout=60
((SECONDS - start < 30)) || die "refused only after $((SECONDS - start)) s"
