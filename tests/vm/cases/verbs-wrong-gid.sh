# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: a GID index that is not there, or leads nowhere, is named with what there is and what to do
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
verbs_refused 1 "farmem-verbs: no port with the address $FARMEM_SERVER has GID index 9
  $FARMEM_RDMADEV port 1 GID index 0: fe80:" --gid-index 9
expect_text "  $FARMEM_RDMADEV port 1 GID index 1: ::ffff:$FARMEM_SERVER, RoCE v2" "$SAID" "what there is"
expect_text "  next: leave out --device, --ib-port and --gid-index: farmem-verbs then uses those of the address in use" \
	"$SAID" "what to do"
# As many as the kernel lists: they come and go with the node's addresses.
filled=$(grep -Lx '[0:]*' "/sys/class/infiniband/$FARMEM_RDMADEV"/ports/1/gids/* | wc -l)
expect_equal "$filled" "$(grep -c " GID index [0-9]*: .*, RoCE v2$" <<<"$SAID")" "rows of the GID table"
# The link-local address has no way to the server's: the queue pair does not go to RTR.
verbs_refused 1 "farmem-verbs: moving queue pair 0 to state RTR: " --gid-index 0
expect_text "  This end: rxe0 port 1, GID index 0 (fe80:" "$SAID" "this end"
expect_text "  Other end: GID ::ffff:$FARMEM_SERVER, LID 0, queue pair 0x" "$SAID" "the other end"
expect_text "the index counts rows of each node's own table, and may differ" "$SAID" "what to do"
