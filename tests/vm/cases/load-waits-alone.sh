# SPDX-License-Identifier: GPL-2.0
# TEST: while a load waits for its server nobody can build upon the module, which is gone when that fails
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

asked() { grep -qx open /tmp/fake.log; }

fake_server silent=open
within 60 modprobe farmem server="$SERVER" size=1M connect_timeout=5 &
wait_for 20 asked
[[ -d /sys/module/farmem ]] || die "the module is gone already"
expect_fail mkdir "$CONFIG/volumes/other" >/tmp/out 2>&1
expect_text 'modprobe waits for its server' "$(expect_fail farmemctl session list 2>&1)" "farmemctl"
status=0
wait $! || status=$?
((status != 0)) || die "it has loaded, without an answer"
nothing_left
