# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: a sweep over sizes is a table, JSON with the same figures in order, and a plot
# LONG: yes
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
verbs --op read --size all
jq -e '.version == 1 and [.runs[].size] == [range(0; 17) | pow(2; .)]
	and all(.runs[]; .min_us <= .p50_us and .p50_us <= .p99_us and .p99_us <= .p999_us
		and .p999_us <= .max_us and .min_us > 0 and .ops_s > 0 and .mib_s >= 0
		and .op == "read" and .transport == "rc" and .device == "rxe0")' <<<"$SAID" >/dev/null ||
	die "the JSON is not as it should be: $SAID"
echo "$SAID" >/tmp/read.json
gnuplot -e "files='/tmp/read.json'; output='/tmp/sizes.png'" "$FARMEM_TESTS/../tools/verbs/plot.gnuplot"
expect_equal PNG "$(dd if=/tmp/sizes.png bs=1 skip=1 count=3 status=none)" "the plot"
verbs --transport ud --size all
expect_equal 4096 "$(jq '.runs[-1].size' <<<"$SAID")" "the largest datagram"
verbs_client --size 512 --iterations $ITERATIONS
expect_equal 3 "$(wc -l <<<"$SAID")" "lines of a table"
expect_text "rxe0, GID index 1 (::ffff:$FARMEM_SERVER), MTU 4096" "$SAID" "its head"
