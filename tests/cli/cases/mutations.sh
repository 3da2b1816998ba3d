# tests/lint mutations says what is wrong with a mutation; tests/mutations/run finds those of
# a file. On a tree of two sources.
# break_it FOLDER/NAME FILE... - a mutation that makes each FILE say two.
break_it() {
	local patch=tests/mutations/$1.patch file

	mkdir -p "${patch%/*}"
	printf 'Promise: one is said\nTrips: cli:\n\n' >"$patch"
	for file in "${@:2}"; do
		printf -- '--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-one\n+two\n' "$file" "$file"
	done >>"$patch"
}

lint() {
	echo "\$ tests/lint mutations"
	tests/lint mutations 2>&1
	echo "exit $?"
}

run() {
	echo "\$ tests/mutations/run $*"
	tests/mutations/run "$@" 2>&1
	echo "exit $?"
}

mkdir -p kernel/disk tests/mutations
cp "$repo/tests/lint" tests
cp "$repo/tests/mutations/run" tests/mutations
echo one >kernel/disk/io.c
echo one >kernel/disk/io.h
echo one >tool
break_it kernel/disk/io/source kernel/disk/io.c
break_it kernel/disk/io/header kernel/disk/io.h
break_it tool/both tool kernel/disk/io.c
lint
run --list
run --list --file kernel/disk/io.c
run --list --file ./kernel/disk/io.c 's*'
run --list --file kernel/disk/io
run --list --file

break_it kernel/disk/aside kernel/disk/io.c
break_it tool/source tool
echo three >kernel/disk/io.h
sed -i '/^Trips/d' tests/mutations/tool/both.patch
lint
