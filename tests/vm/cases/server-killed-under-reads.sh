# SPDX-License-Identifier: GPL-2.0
# TEST: the server killed (SIGKILL) under reads: each gets the right bytes or an error
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

# The same step 3000 times.
mapfile -t steps < <(yes 'check=0,256,1' | head -n 3000 || true)
reading() { (($(counter reads) > 200)); }

serve
load_volume 16M
farmem-pages /dev/farmem0 write=0,256,1
for reader in 1 2 3 4; do
	farmem-pages /dev/farmem0 "${steps[@]}" 2>"/tmp/reader.$reader" &
	readers+=($!)
done
wait_for 30 reading
stop_farmemd KILL
for reader in 1 2 3 4; do
	! wait "${readers[reader - 1]}" || die "a reader noticed nothing"
	grep -q 'read at page' "/tmp/reader.$reader" ||
		die "reader $reader got no error: $(<"/tmp/reader.$reader")"
done
in_time 20 unload
