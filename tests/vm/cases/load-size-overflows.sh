# SPDX-License-Identifier: GPL-2.0
# TEST: a size= beyond 64 bits is refused, not cut to what fits
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# Taken modulo 2^64 these are 1T, 2M and 7766279631452241919.
for wrong in 16777217T 18014398509481986M 99999999999999999999 26214400000000M; do
	expect_no_load "size=$wrong is not a size; write for example size=4G" \
		server=local size="$wrong"
done

load
make_volume v
for wrong in 16777217T 99999999999999999999; do
	expect_error 'Invalid argument' volumes/v size "$wrong"
done
rmdir "$CONFIG/volumes/v"
unload
