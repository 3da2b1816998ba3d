# SPDX-License-Identifier: GPL-2.0
# TEST: a host name that other nodes may have, or that would be cut, is no client's name; client= is
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

host=$(</proc/sys/kernel/hostname)
# Other cases of this boot have the host's own.
trap 'status=$?; echo "$host" >/proc/sys/kernel/hostname; leave $status' EXIT
long=$(printf 'n%.0s' {1..64})

serve
load
make_session s
for name in '(none)' localhost localhost.localdomain; do
	echo "$name" >/proc/sys/kernel/hostname
	expect_refusal 'the host name is not set, so other nodes may have the same; give client=NAME' sessions/s
	expect_equal '' "$(value sessions/s client)" "client"
done
echo "$long" >/proc/sys/kernel/hostname
expect_refusal 'the host name is longer than 63 bytes; give client=NAME' sessions/s
expect_text 'the host name is longer than 63 bytes' \
	"$(expect_fail farmemctl doctor --server "$SERVER" 2>&1)" "the doctor"

# Said, it may be any; and the host's own name does.
echo localhost >$CONFIG/sessions/s/client
power_on sessions/s
power_off sessions/s
echo >$CONFIG/sessions/s/client
echo "$host" >/proc/sys/kernel/hostname
power_on sessions/s
expect_equal "$host" "$(value sessions/s client)" "client"
all_off
