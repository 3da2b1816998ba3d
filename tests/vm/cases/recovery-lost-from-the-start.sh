# SPDX-License-Identifier: GPL-2.0
# TEST: a volume that a client goes on with in other memory has nothing but lost pages, until the client has said which are zeros
. "$FARMEM_TESTS/vm/cases.sh"

CREATE=1 CONTINUE=4

# state_of FLAGS - of the first and the last page of a volume that is opened with them.
state_of() {
	within 60 farmem-peer -n node "$FARMEM_SERVER" 7471 connect hello "open=1,4194304,$1" \
		marked=0 marked=1023 >"$PEER_LOG" || die "the peer: $(<"$PEER_LOG")"
	sed -n 's/^marked //p' "$PEER_LOG" | tr '\n' ' '
}

serve
expect_equal 'ok 2 ok 2 ' "$(state_of $((CREATE | CONTINUE)))" "pages of one that is gone on with"
# Another life of that client finds the same.
expect_equal 'ok 2 ok 2 ' "$(state_of 0)" "pages of the same"
on-memory-node farmemctl server release --force --client node
expect_equal 'ok 0 ok 0 ' "$(state_of $CREATE)" "pages of a new one"
