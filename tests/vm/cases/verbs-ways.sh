# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: inline, unsignaled, asleep, shared queues and lists of pieces, every byte checked
# LONG: yes
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
verbs --op write --inline --size 64
limit=$(jq '.runs[0].inline_max' <<<"$SAID")
expect_at_least 64 "$limit" "bytes that a work request carries"
verbs --op send --inline --size "$limit"
verbs_refused 3 "farmem-verbs: rxe0 carries at most $limit bytes inline, not $((limit + 1))
  next: use --size $limit, or leave out --inline" --op write --inline --size $((limit + 1))
verbs_client --op write --inline --size all --iterations 8 --verify || die "all sizes, inline or not: $SAID"
expect_text ", at most $limit bytes inline" "$SAID" "the table's head"
# The send queue would overrun if a completion were asked for too seldom.
for op in send write read fadd; do
	verbs --op $op --signal-every 16 --depth 16
	verbs --op $op --signal-every 3 --depth 4
done
verbs_refused 2 "the send queue would be full" --signal-every 17 --depth 16
for op in send write-imm read; do
	verbs --op $op --wait event --queues 3
	verbs --op $op --wait event --queues 3 --shared-cq --setup cm
done
verbs --op write --wait event
expect_equal ack "$(jq -r '.runs[0].latency' <<<"$SAID")" "what the latency is of"
# Of each half as many as are still there.
expect_equal 32 "$(jq -r '.runs[0].verified' <<<"$SAID")" "WRITEs that nobody waited for, looked at"
verbs --op send --srq --queues 3
verbs --op write-imm --srq --queues 3 --shared-cq --setup cm
verbs --op send --sge 5 --remote-sge 3 --size 1001
verbs --op write --sge 4 --size 777
verbs --op read --sge 3 --size 10000
