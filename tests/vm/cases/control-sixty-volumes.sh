# SPDX-License-Identifier: GPL-2.0
# TEST: sixty-four volumes on two servers take the queue pairs that one on each takes; each has its own bytes, and all go
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

second=$FARMEM_SERVER:7472
pairs() { rdma resource show qp | grep -cw RC; }
word() { printf '%s' "volume-$1-is-here"; }

serve --slab-size 1M
setsid farmemd --insecure --size 64M --slab-size 1M --listen "$second" --control /run/second.sock \
	>/tmp/second.log 2>&1 </dev/null &
wait_for 30 grep -qw ready /tmp/second.log
load
make_session s0 client=tester
make_session s1 client=tester server="$second"
for n in {0..63}; do
	((n > 1)) || power_on "sessions/s$n"
	make_volume "v$n" session=s$((n % 2)) size=1M
	power_on "volumes/v$n"
	word "$n" | dd of="/dev/$(value "volumes/v$n" device)" conv=notrunc,fsync status=none
	((n != 1)) || before=$(pairs)
done
expect_equal "$before" "$(pairs)" "queue pairs of 64 volumes, and of two"
expect_equal 32 "$(value sessions/s0 volumes)" "volumes of the first session"
echo 3 >/proc/sys/vm/drop_caches
for n in {0..63}; do
	expect_equal "$(word "$n")" "$(head -c "$(word "$n" | wc -c)" "/dev/$(value "volumes/v$n" device)")" "bytes of v$n"
done
all_off
pkill -KILL -f "$second"
