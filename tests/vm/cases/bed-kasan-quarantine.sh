# SPDX-License-Identifier: GPL-2.0
# TEST: what KASAN keeps of freed memory does not fill a memory node that only serves
# NODES: 2
# KERNELS: 6.1-debug
. "$FARMEM_TESTS/vm/cases.sh"

BOUND_KIB=$((16 * 1024))

start_farmemd --size 64M --listen "$SERVER"
load
make_session default
power_on sessions/default
make_volume v session=default size=16M
power_on volumes/v
device=/dev/$(value volumes/v device)

# Looks twice a second without starting a program, which would make room.
# shellcheck disable=SC2016 # expanded there
on-memory-node bash -c 'mkfifo /tmp/never && {
	exec 3<>/tmp/never
	until read -r -t 0.5 -u 3; do
		mapfile -t lines </proc/meminfo
		printf "%s\n" "${lines[@]}"
	done >/tmp/meminfo 2>/dev/null &
}'
generation=0 began=$SECONDS
until ((SECONDS - began >= 30)); do
	generation=$((generation + 1))
	farmem-pages "$device" write=0,4096,"$generation" check=0,4096,"$generation"
done
mapfile -t kept < <(on-memory-node sed -nE 's/^SUnreclaim: *([0-9]+) kB/\1/p' /tmp/meminfo)
looks=${#kept[@]}
((looks > 40)) || die "only $looks looks"
# It is emptied every three seconds.  So the least of the third quarter, eight seconds, is
# near what there was at first, however much comes in between.
least=$(printf '%s\n' "${kept[@]:looks / 2:looks / 4}" | sort -n | head -n 1)
((least - kept[0] < BOUND_KIB)) || die "$((least - kept[0])) KiB have piled up"
all_off
