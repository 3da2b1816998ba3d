# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: several processes, apart, after a fork and on one shared buffer, check every byte; importing is refused where the driver cannot
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
verbs --processes 3
expect_equal 3 "$(jq '.runs | length' <<<"$SAID")" "processes that have measured"
verbs --processes 2 --setup cm --op read
for op in write send read; do
	verbs --processes 2 --share fork --op $op
done
verbs_client --processes 3 --share shm --op read --verify --iterations $ITERATIONS || die "$SAID"
expect_equal "012" "$(awk '/^ *[0-9]/ { printf "%s", $1 }' <<<"$SAID")" "processes in the table: $SAID"
expect_text "the parent found what 3 processes have READ into shared memory" "$SAID" "the parent"
verbs --processes 2 --share shm --op send
verbs_refused 3 "the driver of rxe0 cannot import the context of another process" \
	--processes 2 --share import
expect_text "next: --share shm" "$SAID" "what to do instead"
