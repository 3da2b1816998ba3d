# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: its figures stand beside perftest's of the same operations
# LONG: yes
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

listens() { [[ -n $(ss -Hltn 'sport = :18515') ]]; }

# perftest PROGRAM COLUMN ARG... - a column of the last line of figures.
perftest() {
	local program=$1 column=$2
	shift 2

	"$program" "$@" >/dev/null 2>&1 &
	wait_for 20 listens
	within 60 "$program" "$@" "$FARMEM_SERVER" 2>&1 | awk -v n="$column" '$1 == 4096 { print $n }'
}
ours() {
	verbs_client --iterations 200 --json "${@:2}" || die "$SAID"
	jq ".runs[0].$1" <<<"$SAID"
}
beside() {
	[[ $2 =~ ^[0-9.]+$ && $3 =~ ^[0-9.]+$ ]] || die "$1: '$2' beside '$3'"
	awk -v what="$1" -v a="$2" -v b="$3" 'BEGIN {
		printf "%-28s farmem-verbs %10.2f  perftest %10.2f  ratio %.2f\n", what, a, b, b ? a / b : 0
	}' | tee -a "$RESULTS/verbs-perftest.txt"
}
verbs_serve
options=(-d rxe0 -x 1 -s 4096 -n 200 -F)
beside "READ, us, median" "$(ours p50_us --op read)" "$(perftest ib_read_lat 5 "${options[@]}")"
beside "SEND, us, median" "$(ours p50_us --op send)" "$(perftest ib_send_lat 5 "${options[@]}")"
beside "WRITE, us, median" "$(ours p50_us --op write)" "$(perftest ib_write_lat 5 "${options[@]}")"
beside "READ at depth 16, MiB/s" "$(ours mib_s --op read)" "$(perftest ib_read_bw 4 -t 16 "${options[@]}")"
beside "WRITE at depth 16, MiB/s" "$(ours mib_s --op write)" "$(perftest ib_write_bw 4 -t 16 "${options[@]}")"
