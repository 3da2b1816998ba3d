# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For the cases verbs-*:  . "$FARMEM_TESTS/vm/verbs.sh"  (brings cases.sh along)
#
#   verbs_serve [ARG...]    a farmem-verbs server on the memory node, listening by now
#   verbs ARG...            a client of it, few operations, every byte checked: must succeed
#   verbs_refused STATUS TEXT ARG...  must end so, and say that on standard error
#   shows WORDS CODE ARG... a fault shown on purpose: what was done, the completion or event
#                           that came of it, and its explanation, word by word
#   SAID                    what the last of these has written, errors too

# shellcheck source=tests/vm/cases.sh
. "$FARMEM_TESTS/vm/cases.sh"

VERBS_LOG=/tmp/verbs-server.log
ITERATIONS=60

verbs_log() {
	on-memory-node cat $VERBS_LOG
}

verbs_listening() {
	on-memory-node grep -q '^listening' $VERBS_LOG
}

verbs_serve() {
	# shellcheck disable=SC2016 # expanded on the memory node
	on-memory-node sh -c '
		pkill -x farmem-verbs
		setsid farmem-verbs server "$@" >'$VERBS_LOG' 2>&1 </dev/null &' server "$@"
	wait_for 20 verbs_listening || die "farmem-verbs server does not listen: $(verbs_log)"
}

# It ends with the case, wherever it is.
trap 'status=$?; on-memory-node pkill -x farmem-verbs || true; leave $status' EXIT

verbs_client() {
	local status=0

	SAID=$(within 60 farmem-verbs client "$FARMEM_SERVER" --connect-timeout 20 "$@" 2>&1) || status=$?
	return "$status"
}

# With at least one operation's bytes looked at, and none lost on the way.
verbs() {
	verbs_client --verify --iterations $ITERATIONS --json "$@" ||
		die "farmem-verbs $* failed: $SAID
the server: $(verbs_log)"
	jq -e '.runs | length > 0 and all(.verified >= 1 and .lost == 0)' <<<"$SAID" >/dev/null ||
		die "farmem-verbs $*: not all was verified: $SAID"
}

verbs_refused() {
	local wanted=$1 text=$2 status=0
	shift 2

	verbs_client --iterations $ITERATIONS "$@" || status=$?
	expect_equal "$wanted" $status "status of farmem-verbs $* ($SAID)"
	expect_text "$text" "$SAID" "what farmem-verbs $* says"
}

# The explanation of a code, as it stands below an error.
explanation() {
	farmem-verbs explain "$1" --json |
		jq -r '.codes[0] | "  means:  " + .means, "  causes: " + .causes, "  check:  " + .check'
}

shows() {
	local words=$1 code=$2 number
	shift 2

	number=$(farmem-verbs explain "$code" --json | jq '.codes[0].number')
	verbs_client --show "$@" || die "farmem-verbs --show $* failed: $SAID"
	expect_equal "$words: $code ($number)
$(explanation "$code")" "$SAID" "what --show $* shows"
}
