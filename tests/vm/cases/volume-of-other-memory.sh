# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd refuses who asks for a volume in other memory than it has, also when there is a volume of that UUID
. "$FARMEM_TESTS/vm/cases.sh"

CREATE=1 GENERATION=2

# reason_of FLAGS GENERATION - what it says
reason_of() {
	within 60 farmem-peer -n node "$FARMEM_SERVER" 7471 connect hello "open=1,4194304,$1,$2" \
		>"$PEER_LOG" || die "the peer: $(<"$PEER_LOG")"
	sed -n 's/^grant .*\(reason=[0-9]*\).*/\1/p' "$PEER_LOG"
}

serve
expect_equal reason=0 "$(reason_of $CREATE 0)" "answer to who makes it"
expect_equal reason=14 "$(reason_of $GENERATION 1)" "answer to who knows other memory"
expect_equal reason=14 "$(reason_of $((CREATE | GENERATION)) 1)" "answer to who would make it as well"
expect_equal reason=0 "$(reason_of $CREATE 0)" "answer to who knows none"
