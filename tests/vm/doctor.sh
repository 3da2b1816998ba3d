# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For the cases doctor-*:  . "$FARMEM_TESTS/vm/doctor.sh"  (brings cases.sh along)
#
#   examine ARG...          farmemctl doctor ARG...; what it says is in $REPORT, its
#                           exit code in $CODE, and what it ran for --fix in $RAN
#   expect_code N           of that
#   finds VERDICT CHECK TEXT   it said so
#   offers CHECK COMMAND    it would run that
#   state_of_node           what the doctor might change, to be compared

# shellcheck source=tests/vm/cases.sh
. "$FARMEM_TESTS/vm/cases.sh"

examine() {
	CODE=0
	REPORT=$(within 240 farmemctl doctor --json "$@" 2>/tmp/doctor.ran) || CODE=$?
	RAN=$(</tmp/doctor.ran)
	[[ $REPORT == '{'* ]] || die "farmemctl doctor $*: $CODE, $REPORT $RAN"
}

expect_code() {
	expect_equal "$1" "$CODE" "exit code of the doctor, which says
$(jq -r '.doctor[] | select(.verdict != "ok") | .verdict + " " + .check + " " + .finding' <<<"$REPORT")"
}

# said CHECK - its findings, a line each
said() {
	jq -r --arg check "$1" '.doctor[] | select(.check == $check) | .verdict + " " + .finding' <<<"$REPORT"
}

finds() {
	local line

	# Each of several findings of one check.
	while read -r line; do
		[[ $line != "$1 "*"$3"* ]] || return 0
	done < <(said "$2")
	die "$2: expected '$1' and '$3', is '$(said "$2")'"
}

offers() {
	local fix

	fix=$(jq -r --arg check "$1" '.doctor[] | select(.check == $check) | .fix[]' <<<"$REPORT")
	[[ $'\n'$fix$'\n' == *$'\n'"$2"$'\n'* ]] || die "$1 does not offer '$2' but '$fix'"
}

state_of_node() {
	lsmod | cut -d' ' -f1 | sort
	cat /proc/sys/vm/page-cluster /proc/sys/vm/nr_hugepages /sys/module/zswap/parameters/enabled
	cat /proc/swaps /proc/mounts
	ip -o link show | sed 's/.*\(state [A-Z]*\).*/\1/'
	ip -o address show | cut -d' ' -f2-7
	rdma link
	ls /dev/infiniband 2>/dev/null || true
	[[ ! -d /sys/module/nf_tables ]] || nft list ruleset
}
