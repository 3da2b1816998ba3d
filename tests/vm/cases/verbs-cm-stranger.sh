# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: at the server's port of rdma_cm a stranger is refused, and the client still awaited
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
# A client that says what the run is, and then takes its time.
exec 4<>"/dev/tcp/$FARMEM_SERVER/7472"
echo "run setup=cm op=read size=64 depth=1 timeout=$((10 * FARMEM_SLOWNESS))" >&4
answer() { IFS= read -r -t $((40 * FARMEM_SLOWNESS)) -u 4 line || die "the server says nothing: $(verbs_log)"; }
answer
expect_equal ok "$line" "first answer"
answer
port=${line#listen port=}
for ((i = 0; i < 2; i++)); do
	status=0
	SAID=$(within 30 rping -c -a "$FARMEM_SERVER" -p "$port" -C 1 2>&1) || status=$?
	((status != 0)) || die "a stranger was let in: $SAID"
	expect_text RDMA_CM_EVENT_REJECTED "$SAID" "what the stranger hears"
done
answer
expect_equal "failed rdma_cm: no RDMA_CM_EVENT_CONNECT_REQUEST within $((10 * FARMEM_SLOWNESS)) s" "$line" \
	"what the server waited for"
