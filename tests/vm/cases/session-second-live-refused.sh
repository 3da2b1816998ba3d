# SPDX-License-Identifier: GPL-2.0
# TEST: a second live client of one name is refused with the message, and the first one's I/O goes on
. "$FARMEM_TESTS/vm/cases.sh"

serve --listen "$FARMEM_SERVER:7472"
load_volume 32M client=twin
put_data
fio --name=job --filename=/dev/farmem0 --offset=4M --size=1M --rw=randwrite --bs=4k --ioengine=psync \
	--direct=1 --verify=crc32c --verify_fatal=1 --loops=4 --output=/tmp/fio.log &
fio=$!
# As another node.
set_fault fail_know_own 1
make_session second server="$FARMEM_SERVER:7472" client=twin connect_timeout=20
expect_refusal "the server refuses: another live client uses this name; give this one its own name (client=), or fence the other with takeover=1 (it is connected from 10.0.0.1:" \
	sessions/second
expect_log '(-16)'
peer -n twin -i 4242 "$FARMEM_SERVER" 7471 connect hello
peer_said 30 'welcome reason=3'
wait $fio || die "the first one's I/O was disturbed: $(</tmp/fio.log)"
expect_equal live "$(value sessions/default state)" "state of the first"
check_data
rmdir $CONFIG/sessions/second
unload
