# SPDX-License-Identifier: GPL-2.0
# TEST: every malformed WELCOME is refused as such, and the next connection works
. "$FARMEM_TESTS/vm/cases.sh"

load
make_session s
for wrong in msg.magic=1 msg.version=2 msg.type=4 msg.length=1 msg.length=233 msg.id=0 msg.id=99 bytes=16 bytes=8 \
	bytes=231 generation=1 slab_size=0 slab_size=1048575 slab_size=3145728 slab_size=524288 slab_size=2147483648 slab_size=0xffffffffffffffff; do
	fake_server "welcome.$wrong"
	echo "$wrong"
	expect_refusal "the server's WELCOME does not make sense; is it a farmemd of this version?" sessions/s
	expect_equal down "$(value sessions/s state)" "state"
done
fake_server hangup=hello
expect_refusal "$SERVER: the server closed the connection" sessions/s
fake_server
power_on sessions/s
expect_equal 1048576 "$(value sessions/s slab_size)" "slab size"
power_off sessions/s
rmdir $CONFIG/sessions/s
unload
