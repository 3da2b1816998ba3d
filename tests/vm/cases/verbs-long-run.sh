# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: a client that works for longer than --timeout, alone with the server's memory, is waited for
# LONG: yes
# KERNELS: 6.1 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
# A READ tells the server nothing. It would wait 8 s: less than the longer half of this run takes.
count=8000
start=$SECONDS
while ((SECONDS - start < 20)); do
	start=$SECONDS
	verbs_client --op read --size 8 --timeout 3 --iterations $count ||
		die "$count READs failed after $((SECONDS - start)) s: $SAID
the server: $(verbs_log)"
	count=$((2 * count))
done
