# SPDX-License-Identifier: GPL-2.0
# TEST: on a full disk no program that has found all well says so: what it printed is lost
# shellcheck source=tests/vm/verbs.sh
. "$FARMEM_TESTS/vm/verbs.sh"

# lost COMMAND... - it succeeds and prints something, and notices when that is lost.
lost() {
	local status=0

	"$@" >/tmp/whole || die "$* fails"
	[[ -s /tmp/whole ]] || die "$* prints nothing"
	"$@" >/dev/full 2>/tmp/said || status=$?
	expect_equal 1 $status "status of $*"
	expect_text "standard output can't be written" "$(</tmp/said)" "what $* says"
}

verbs_serve
lost farmem-verbs client "$FARMEM_SERVER" --connect-timeout 20 --iterations 60
lost farmem-verbs client "$FARMEM_SERVER" --connect-timeout 20 --iterations 60 --json
lost farmem-fabric devices
lost farmemd --check --size 64M --insecure
serve
lost farmem-fabric visit "$SERVER" node1 '' ''
