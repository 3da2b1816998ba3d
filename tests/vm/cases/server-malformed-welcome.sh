# SPDX-License-Identifier: GPL-2.0
# TEST: every malformed WELCOME is refused as such, and the next connection works
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

answers=(
	msg.magic=1 msg.version=2 msg.type=4 msg.length=1 msg.length=233 msg.id=1000
	bytes=16 bytes=8 bytes=231 generation=1
	slab_size=0 slab_size=524288 slab_size=1048575 slab_size=3145728 slab_size=2147483648
	slab_size=0xffffffffffffffff
)
arguments=()
for answer in "${answers[@]}"; do
	arguments+=("welcome.$answer" ",")
done
fake_server "${arguments[@]}" hangup=hello ,

load
# CM sends a lost disconnect request again, seconds later: time for that.
make_session s connect_timeout=40
for answer in "${answers[@]}"; do
	echo "$answer"
	expect_refusal "the server's WELCOME does not make sense; is it a farmemd of this version?" sessions/s
	expect_equal down "$(value sessions/s state)" "state"
done
expect_refusal "$SERVER: the server closed the connection" sessions/s
power_on sessions/s
expect_equal 1048576 "$(value sessions/s slab_size)" "slab size"
power_off sessions/s
rmdir $CONFIG/sessions/s
unload
