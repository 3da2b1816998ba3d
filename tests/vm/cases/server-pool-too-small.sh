# SPDX-License-Identifier: GPL-2.0
# TEST: a volume larger than the pool, or than what is free of it, is refused with what was asked for and what is free
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
expect_no_load "the server refuses: the server's pool has too little free memory; lower size=" \
	server="$SERVER" size=80M connect_timeout=10
expect_log '80M'
expect_log '64M'
expect_log '(-28)'
expect_equal 0 "$(farmemctl server show --json | jq '.server[0].lent')" "memory lent"

load_volume 48M
make_volume more session=default size=17M
expect_refusal "too little free memory" volumes/more
expect_text '16M' "$(value volumes/more reason)" "reason"
echo 16M >$CONFIG/volumes/more/size
power_on volumes/more
echo 1 >$CONFIG/volumes/more/release
rmdir $CONFIG/volumes/more
unload
