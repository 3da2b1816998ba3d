# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs sweep: every two values of all options run together, or it says why they cannot
# LONG: yes
# KERNELS: 6.1 6.12 newest
# TIMEOUT: 400
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
within 360 farmem-verbs sweep "$FARMEM_SERVER" --json >/tmp/sweep.json 2>/tmp/sweep.err ||
	die "the sweep failed: $(</tmp/sweep.err) $(jq -c '.sweep[] | select(.result == "FAILED")' /tmp/sweep.json)
the server: $(verbs_log)"
[[ ! -s /tmp/sweep.err ]] || die "it says, though not at a terminal: $(</tmp/sweep.err)"
jq -e '[.sweep[] | select(.result == "ok")] as $ok
	| ($ok | length > 20 and all(.verified >= 1)
	and ([.[].op] | unique | length == 6) and ([.[].transport] | unique | length == 3)
	and ([.[].setup] | unique | length == 2) and any(.srq) and any(.cq1) and any(.inline)
	and ([.[].share] | unique == ["fork", "none", "shm"]))
	and any(.sweep[]; .result == "refused" and .share == "import" and (.why | contains("cannot import")))
	and any(.sweep[]; .result == "refused" and .inline and (.why | contains("carries at most")))
	and any(.apart[]; .value == "--transport ud" and .with == "--op read" and (.why | contains("UD carries SEND alone")))
	and (.pairs | .untried == 0 and .ran > 100 and .apart > 10)
	and any(.apart[]; .value == "--share import" and .with == null and (.why | contains("cannot import")))' \
	/tmp/sweep.json >/dev/null || die "the matrix is not as it should be: $(</tmp/sweep.json)"
