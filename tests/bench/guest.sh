#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# guest.sh CONTENDER-GLOB WORK-GLOB ROUNDS - the guest's half of run: starts one
# contender after the other and has each do the works. Records land in
# $RESULTS/records: contender, work, value, unit.

shopt -s inherit_errexit
# Not where this file is: run may have copied it.
here=$FARMEM_TESTS/bench
# shellcheck source=tests/bench/lib.sh
. "$here/lib.sh"

# allowed FILE HEAD NAME [GLOBS] - does FILE's head line allow NAME? GLOBS: what
# goes where there is no such line.
allowed() {
	local globs

	globs=$(sed -nE "s/^# $2: *//p" "$1")
	matches "$3" "${globs:-${4:-*}}"
}

# in_order FOLDER - its files, by name, those that want to be last behind the others.
in_order() {
	grep -L '^# LAST:' "$here/$1"/*.sh || true
	grep -l '^# LAST:' "$here/$1"/*.sh || true
}

# chosen FOLDER GLOBS MODES - the files of those that take part on this kernel and
# in this mode; MODES: of those that do not say.
chosen() {
	local file

	for file in $(in_order "$1"); do
		matches "$(basename "$file" .sh)" "$2" || continue
		allowed "$file" KERNELS "$FARMEM_KERNEL" || continue
		! allowed "$file" MODES "$BENCH_MODE" "$3" || echo "$file"
	done
}

# works_of CONTENDER-FILE - the files of the works that it shall do.
works_of() {
	local file

	for file in $(chosen works '*' "$usual_modes"); do
		asked_for "$(basename "$file" .sh)" || continue
		allowed "$1" WORKS "$(basename "$file" .sh)" || continue
		! allowed "$file" CONTENDERS "$CONTENDER" || echo "$file"
	done
}

# all_works FILE...
all_works() {
	local file

	for file; do
		WORK=$(basename "$file" .sh)
		# shellcheck source=/dev/null
		. "$file"
		work "$DISK"
	done
}

# A process of its own, which takes the functions with it.
one_contender() {
	local works
	CONTENDER=$(basename "$1" .sh)
	# shellcheck disable=SC2034 # for ios
	FAST=$(sed -n 's/^# FAST: *//p' "$1")

	mapfile -t works < <(works_of "$1")
	((${#works[@]})) || return 0
	printf '  %s\n' "$CONTENDER"
	# shellcheck source=/dev/null
	. "$1"
	DISK=$(start)
	if [[ -n $DISK ]]; then
		all_works "${works[@]}"
	else
		measure
	fi
	stop
}

# Of works that name none: the others are for scaling alone.
usual_modes='icount wall nodes'
contenders=$1 WORKS=$2 rounds=$3
folio_size 0
for ((round = 1; round <= rounds; round++)); do
	((rounds == 1)) || echo "  round $round of $rounds"
	for file in $(chosen contenders "$contenders" '*'); do
		# Not in a condition, which would turn -e off.
		(one_contender "$file")
	done
done
