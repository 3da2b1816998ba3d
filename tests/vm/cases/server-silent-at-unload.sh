# SPDX-License-Identifier: GPL-2.0
# TEST: rmmod ends in time, and complete, when the server answers CLOSE not at all, wrongly, or by hanging up
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

for how in silent=close hangup=close done.msg.type=2 'done.uuid[0]=1' done.bytes=20 done.reason=10; do
	echo "$how"
	fake_server "$how"
	load server="$SERVER" size=1M connect_timeout=2
	in_time 20 unload
done
