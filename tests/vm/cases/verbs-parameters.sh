# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: connection parameters are settable, and a lost connection ends both ends in time
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
in_force() {
	jq -r '.runs[0] | "\(.responder_resources) \(.initiator_depth) \(.retry_count) \(.rnr_retry)"' <<<"$SAID"
}
for setup in hand cm; do
	verbs --setup $setup --op read --responder-resources 1 --initiator-depth 1 --retry-count 2 --rnr-retry 1
	expect_equal "1 1 2 1" "$(in_force)" "parameters in force, by $setup"
	# No more under way than the server answers.
	verbs --setup $setup --op read --responder-resources 4 --initiator-depth 16 --rnr-retry 7
	expect_equal "4 4 6 7" "$(in_force)" "parameters in force, by $setup"
	# Each alone, too: what one end answers bounds what the other asks.
	verbs --setup $setup --op read --initiator-depth 2
	expect_equal 2 "$(jq '.runs[0].initiator_depth' <<<"$SAID")" "--initiator-depth alone, by $setup"
	verbs --setup $setup --op read --responder-resources 8
	expect_equal 8 "$(jq '.runs[0].initiator_depth' <<<"$SAID")" "--responder-resources alone, by $setup"
done
# A client that dies half way: the server's process for it ends, and others are served. It
# knows from the control connection alone: UC sees no error, and there is an hour left.
farmem-verbs client "$FARMEM_SERVER" --iterations 10000000 --transport uc --op send --timeout 3600 >/dev/null 2>&1 &
client=$!
busy() { (($(pgrep -c -x farmem-verbs) == 3)); }
idle() { (($(pgrep -c -x farmem-verbs) == 1)); }
wait_for 20 busy
end_process -KILL $client
wait_for 60 idle
verbs
# A server that dies half way: the client says so, in time.
farmem-verbs client "$FARMEM_SERVER" --iterations 10000000 --op send >/dev/null 2>/tmp/client.err &
client=$!
wait_for 20 busy
pkill -KILL -x -n -P "$(pgrep -o -x farmem-verbs)" farmem-verbs
wait_for 60 idle
status=0
wait $client || status=$?
expect_equal 1 $status "status of the client"
[[ -s /tmp/client.err ]] || die "it says nothing"
