# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: a server that is not there yet is waited for; one that never comes is explained in time
# LONG: yes
# KERNELS: 6.1 6.12 newest
# NODES: 2
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_refused 1 "farmem-verbs: no server at $FARMEM_SERVER port 7472 within 2 s: Connection refused
  next: on $FARMEM_SERVER: farmem-verbs server --port 7472" --connect-timeout 2
status=0
SAID=$(within 30 farmem-verbs client 10.0.0.77 --setup cm --connect-timeout 3 2>&1) || status=$?
expect_equal 1 $status "status with an absent node, by rdma_cm"
expect_text "farmem-verbs: rdma_cm, " "$SAID" "by rdma_cm"
expect_text ": RDMA_CM_EVENT_ADDR_ERROR (1)
$(explanation RDMA_CM_EVENT_ADDR_ERROR)" "$SAID" "the event, explained"
status=0
SAID=$(within 30 farmem-verbs client 10.0.0.77 --connect-timeout 5 2>&1) || status=$?
expect_equal 1 $status "status with an absent node"
expect_text "farmem-verbs: no server at 10.0.0.77 port 7472 within 5 s: " "$SAID" "by TCP"
expect_text "next: ping 10.0.0.77" "$SAID" "what to do"

# Connections that were refused.
refused() { awk '/^Tcp: [0-9]/ { print $8 }' /proc/net/snmp; }
tried() { (($(refused) > $1)); }

# The client first.
before=$(refused)
farmem-verbs client "$FARMEM_SERVER" --iterations $ITERATIONS --verify --connect-timeout 60 >/tmp/early 2>&1 &
early=$!
wait_for 60 tried "$before"
kill -0 $early 2>/dev/null || die "it did not wait for the server: $(</tmp/early)"
verbs_serve --once
wait $early || die "it did not find the server: $(</tmp/early)"
