# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What both kinds of chaos run have in common, of guest.sh and rack.sh, after cases.sh.
# Environment: CHAOS_MINUTES, CHAOS_SEED.
#
#   say TEXT...         with the time since the start
#   expect_end WHAT PID   a program of the workload ends in time, and in peace
#   run_faults [ARG...] what `plan SEED COUNT ARG...` says, for $minutes; the run brings a
#                       function for each event, and expect_workload
#   on_nodes WHERE CMD...   compute, memory or both
#
# and the faults that know of no server and no volume. Each undoes itself.

minutes=${CHAOS_MINUTES:-2} seed=${CHAOS_SEED:-1}
# The faults' seconds count from here.
start=$SECONDS events=0

say() {
	printf '+%d s: %s\n' $((SECONDS - start)) "$*"
}

# expect_end WHAT PID - in time, and in peace.
expect_end() {
	local status=0

	wait_for 180 not_there "$2" || die "$1 does not end"
	wait "$2" || status=$?
	((status == 0)) || die "$1 ended with $status: $(tail -n 25 "/tmp/$1.out" 2>/dev/null)"
}

not_there() {
	! kill -0 "$1" 2>/dev/null
}

# More than fit: a fault takes two seconds at the least. Read as it is made, which
# takes the debug kernel minutes.
run_faults() {
	local plan gap event arguments

	exec {plan}< <(exec "$FARMEM_TESTS/chaos/plan" "$seed" $((minutes * 60)) "$@")
	while ((SECONDS - start < minutes * 60)) && read -r -u "$plan" gap event arguments; do
		sleep "$gap"
		say "$event $arguments"
		# shellcheck disable=SC2086 # words
		"$event" $arguments
		expect_workload
		events=$((events + 1))
	done
}

on_nodes() {
	case $1 in
	compute) "${@:2}" ;;
	memory) on-memory-node "${@:2}" ;;
	both) "${@:2}"; on-memory-node "${@:2}" ;;
	esac
}

link-cut() {
	unplug
	sleep "$1"
	plug_in
}

netem() {
	on_nodes "$2" "${NETEM[@]}" "${@:3}" limit 10000
	sleep "$1"
	plug_in
}

pause-node() {
	pause_memory_node
	sleep "$1"
	continue_memory_node
}

completions-lost() {
	injected fail_completion "$@"
}

posts-refused() {
	injected fail_post_hard "$@"
}

injected() {
	[[ ! -e $FAULTS/$1 ]] || echo "$3" >"$FAULTS/$1"
	sleep "$2"
	[[ ! -e $FAULTS/$1 ]] || echo 0 >"$FAULTS/$1"
}
