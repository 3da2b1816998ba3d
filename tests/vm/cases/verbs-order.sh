# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: completions come in order within a queue, and not across queues
# LONG: yes
# KERNELS: 6.1 6.12 newest
# NODES: 2
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
verbs_client --order --queues 3 --op read --size 65536 --iterations 90 --json ||
	die "farmem-verbs: $SAID"
expect_equal 90 "$(jq .order.completions <<<"$SAID")" "completions"
expect_equal 0 "$(jq .order.swapped_within <<<"$SAID")" "out of order within a queue"
expect_at_least 1 "$(jq .order.overtaken_across <<<"$SAID")" "overtaken across queues"
