# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# lib.sh - what the cases of tests/cli are made of.  A case writes to standard
# output; run compares that with the golden file.

# An empty tree: the module is loaded, configfs is mounted, nothing is in it.
tree_make() {
	export FARMEM_CONFIGFS=$box/config FARMEM_SYSFS=$box/sys FARMEM_PROC=$box/proc
	export FARMEM_RUN=$box/run FAKE_LOG=$box/log
	mkdir -p "$box/run" "$box/config/sessions" "$box/config/volumes" "$box/proc/self" \
		"$box/sys/module/farmem" "$box/sys/block"
	echo "rdma local" >"$box/config/features"
	printf 'Filename\tType\tSize\tUsed\tPriority\n' >"$box/proc/swaps"
	echo '21 1 8:1 / / rw - ext4 /dev/sda1 rw' >"$box/proc/self/mountinfo"
	unset FAKE_FAIL FAKE_EVENTS
}

tool() {
	if [ -n "${VALGRIND:-}" ]; then
		LD_PRELOAD=$helpers/fake-kernel.so timeout -k 1 120 valgrind --quiet --leak-check=full \
			--show-leak-kinds=all --errors-for-leak-kinds=all --child-silent-after-fork=yes \
			--error-exitcode=99 "${farmemctl-$build/farmemctl}" "$@"
	else
		LD_PRELOAD=$helpers/fake-kernel.so timeout -k 1 "${patience-20}" "${farmemctl-$build/farmemctl}" "$@"
	fi
}

# Run the tool and show everything: stderr behind "! ", an exit code other than
# 0, and whether it broke the rule that a failure prints nothing on stdout.
ctl() {
	local rc=0
	echo "\$ farmemctl $*"
	tool "$@" >"$box/stdout" 2>"$box/stderr" || rc=$?
	cat "$box/stdout"
	sed 's/^/! /' "$box/stderr"
	[ $rc -eq 0 ] || echo "exit $rc"
	if [ $rc -ne 0 ] && [ -s "$box/stdout" ]; then
		echo "RULE BROKEN: output of a command that failed"
	fi
}

# farmem-verbs, shown the same way; it needs no device for what is tested here.
verbs() {
	local rc=0
	echo "\$ farmem-verbs $*"
	timeout -k 1 120 ${VALGRIND:+valgrind --quiet --leak-check=full --error-exitcode=99} \
		"$build/farmem-verbs" "$@" >"$box/stdout" 2>"$box/stderr" || rc=$?
	cat "$box/stdout"
	sed 's/^/! /' "$box/stderr"
	[ $rc -eq 0 ] || echo "exit $rc"
	if [ $rc -ne 0 ] && [ -s "$box/stdout" ]; then
		echo "RULE BROKEN: output of a command that failed"
	fi
}

# The same without a word: to set a scene.
quiet() {
	tool "$@" >/dev/null || echo "SCENE FAILED: farmemctl $*"
}

# What the fake kernel was asked to do since the last call.
asked() {
	echo "kernel:"
	[ ! -f "$box/log" ] || sed 's/^/  /' "$box/log"
	rm -f "$box/log"
}

# What is left in configfs.
left() {
	(cd "$box/config" && shopt -s nullglob && echo "left:" sessions/* volumes/*)
}

# A session and a volume "data" on it.
scene_volume() {
	quiet volume create data --size 4G --server 10.0.0.2:7471
	rm -f "$box/log"
}

# soon COMMAND... - wait until it succeeds
soon() {
	local tries

	for ((tries = 0; tries < 400; tries++)); do
		! "$@" || return 0
		sleep 0.05
	done
	echo "NEVER: $*"
}
