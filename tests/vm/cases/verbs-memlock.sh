# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: memory beyond the limit of locked memory is refused with the limit and how to raise it
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
chmod 666 /dev/infiniband/uverbs*
# Programs of the test bed are root's alone.
install -m 755 "$(command -v farmem-verbs)" /tmp/farmem-verbs
limited() { # KIB: not root, and no more than that may be locked
	bash -c "ulimit -l $1 && exec setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
		/tmp/farmem-verbs client $FARMEM_SERVER --iterations $ITERATIONS --verify --depth 4" 2>&1
}
SAID=$(limited 8192) || die "with enough it failed: $SAID"
status=0
SAID=$(limited 48) || status=$?
expect_equal 1 $status "status"
expect_equal "farmem-verbs: registering 64 KiB of memory: Cannot allocate memory
  This process may lock 48 KiB: registered memory is locked, and only root, or a process with CAP_IPC_LOCK, may lock more.
  next: ulimit -l unlimited; for good a line in /etc/security/limits.conf, or LimitMEMLOCK=infinity of a service" \
	"$SAID" "what it says"

# At the server: its reason reaches the client, not the rejection that follows from it.
chmod 666 /dev/infiniband/rdma_cm
bash -c "ulimit -l 48 && exec setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
	/tmp/farmem-verbs server --port 7473" >/tmp/limited.log 2>&1 &
wait_for 20 grep -q '^listening' /tmp/limited.log
for setup in hand cm; do
	verbs_refused 1 "farmem-verbs: the other end: registering 64 KiB of memory: Cannot allocate memory" \
		--port 7473 --depth 4 --setup $setup
	[[ $SAID != *REJECTED* ]] || die "it says more: $SAID"
done
