# SPDX-License-Identifier: GPL-2.0
# TEST: every wrong parameter is refused with its own message, and nothing is left
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

name32=$(printf 'n%.0s' {1..32})
address='write 192.0.2.1:7471 or [2001:db8::1]:7471, or local (-22)'
size='write for example size=4G'
bytes='give a multiple of 4096 bytes, from 1M to 64T (-22)'

for server in nonsense 300.0.0.1 10.0.0.1:0 10.0.0.1:65536 10.0.0.1:x 10.0.0.1: '[fd00::1' 'fd00::g'; do
	expect_no_load "session default: server=$server is not an address; $address" \
		server="$server" size=1M
done
expect_no_load "server= is longer than" server="$name32$name32$name32" size=1M

expect_no_load "size= is not a size; $size" server=local
for wrong in garbage 0 4k5 -1 1Q 1.5 1.5GB 16777216T; do
	expect_no_load "size=$wrong is not a size; $size" server=local size="$wrong"
done
expect_no_load 'size= needs server=ADDR:PORT (or server=local)' size=1M
expect_no_load "volume default: size=1048577: $bytes" server=local size=1048577
expect_no_load "volume default: size=4096: $bytes" server=local size=4096
expect_no_load "volume default: size=$((65 << 40)): $bytes" server=local size=65T

for wrong in '' a/b .hidden "$name32"; do
	expect_no_load "name=$wrong: give 1 to 31 visible ASCII characters without a slash, not starting with a dot" \
		server=local size=1M name="$wrong"
done
expect_no_load 'client= is longer than 63 characters' server=local size=1M client="$name32$name32"
for wrong in garbage 12345678-1234-1234-1234-12345678901 12345678-1234-1234-1234-12345678901g; do
	expect_no_load "uuid=$wrong is not a UUID" server=local size=1M uuid="$wrong"
done
expect_no_load 'queues=1025: give at most 1024' server=local size=1M queues=1025
expect_no_load "invalid for parameter \`queues'" server=local size=1M queues=-1
for wrong in 0 301; do
	expect_no_load "connect_timeout=$wrong: give 1 to 300 seconds" \
		server=local size=1M connect_timeout=$wrong
done
expect_no_load 'heartbeat=61: give at most 60 seconds' server=local size=1M heartbeat=61
for wrong in 0 0.2 61 7s; do
	expect_no_load "peer_timeout=$wrong: give 0.25 to 60 seconds, such as 7 or 0.5" \
		server=local size=1M peer_timeout=$wrong
done
for wrong in -2 86401 soon 0.0001; do
	expect_no_load "io_deadline=$wrong: give 0 to 86400 seconds, such as 30 or 0.5, or -1" \
		server=local size=1M io_deadline=$wrong
done
expect_no_load 'source=nonsense is not an address; write 192.0.2.1 or 2001:db8::1 (-22)' \
	server=10.0.0.1 size=1M source=nonsense
no_threads_left
