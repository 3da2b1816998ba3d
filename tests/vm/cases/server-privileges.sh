# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd keeps CAP_IPC_LOCK alone, locks its memory, and lends it, also through a device that came back
. "$FARMEM_TESTS/vm/cases.sh"

# Large enough for several threads to take its memory.
serve --size 600M
load_volume 32M io_deadline=-1
# shellcheck disable=SC2016 # expanded on the memory node
status=$(on-memory-node sh -c 'cat "/proc/$(cat /run/farmemd.test.pid)"/task/*/status')
# CAP_IPC_LOCK is number 14; of each thread.
expect_equal "$(printf '%016x' $((1 << 14)))" \
	"$(awk '$1 ~ /^Cap(Eff|Prm)/ { print $2 }' <<<"$status" | sort -u)" "capabilities"
expect_equal 0000000000000000 \
	"$(awk '$1 ~ /^Cap(Inh|Bnd|Amb)/ { print $2 }' <<<"$status" | sort -u)" "capabilities for others"
expect_equal 1 "$(awk '$1 == "NoNewPrivs:" { print $2 }' <<<"$status" | sort -u)" "NoNewPrivs"
# A mapping's line, then its figures; "lo" among its flags says that it is locked. The
# sanitizers' runtime does not lock anything.
# shellcheck disable=SC2016 # expanded on the memory node
on-memory-node sh -c 'cat "/proc/$(cat /run/farmemd.test.pid)"/smaps' >/tmp/smaps
grep -F libasan /tmp/smaps >/dev/null ||
	expect_equal '' "$(awk '/^[0-9a-f]+-/ { mapping = $0 }
		/^VmFlags:/ && mapping ~ / rw-p / && !/ lo / { print mapping }' /tmp/smaps)" \
		"mappings that are not locked"
put_data
check_data
unload

rdma link delete "$FARMEM_RDMADEV"
rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
heard() { [[ $(farmemd_log) == *"listening on $SERVER again"* ]]; }
wait_for 30 heard
load_volume 32M
check_data
unload
