# tests/vm/new writes a case that lint takes and tests/vm/check knows, and refuses what is no name.
mkdir -p tests/vm/cases tests/kernels
cp "$repo"/tests/vm/{new,check,*.sh} tests/vm
cp "$repo/tests/kernels/lib.sh" tests/kernels
cp "$repo/.shellcheckrc" .

new() {
	echo "\$ tests/vm/new $*"
	tests/vm/new "$@" 2>&1
	echo "exit $?"
}

new swap-of-two
bash -n tests/vm/cases/swap-of-two.sh && tests/vm/check --list
# As tests/lint does.
shellcheck -x -s bash -e SC2148,SC2154 tests/vm/cases/swap-of-two.sh && echo "lint takes it"
new swap-of-two
new swap
new Swap-two
new ../swap-two
new "swap two"
new
ls tests/vm/cases
