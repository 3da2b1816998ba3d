# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: a GID index that is not there, or leads nowhere, is named with what there is and what to do
# KERNELS: 6.1 6.12 7.2
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
gids=$(for index in 0 1 2; do
	gid=$(ip -6 -br addr show "$FARMEM_NETDEV" | awk '{ for (n = 3; n <= NF; n++) print $n }' | cut -d/ -f1)
	case $index in
	0) echo "  rxe0 port 1 GID index 0: $(grep ^fe80 <<<"$gid"), RoCE v2" ;;
	1) echo "  rxe0 port 1 GID index 1: ::ffff:$FARMEM_SERVER, RoCE v2" ;;
	2) echo "  rxe0 port 1 GID index 2: $(grep ^fd00 <<<"$gid"), RoCE v2" ;;
	esac
done)
advice="  next: leave --device, --ib-port and --gid-index away: what belongs to the address in use is chosen"
verbs_refused 1 "farmem-verbs: no device has GID index 9
$gids
$advice" --gid-index 9
# The link-local address has no way to the server's: the queue pair does not go to RTR.
verbs_refused 1 "farmem-verbs: queue pair 0 does not go to RTR: " --gid-index 0
expect_text "  This end: rxe0 port 1, GID index 0 (fe80:" "$SAID" "this end"
expect_text "  Other end: GID ::ffff:$FARMEM_SERVER, LID 0, queue pair 0x" "$SAID" "the other end"
expect_text "the index counts rows of each node's own table and need not be the same" "$SAID" "what to do"
