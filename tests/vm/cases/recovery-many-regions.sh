# SPDX-License-Identifier: GPL-2.0
# TEST: two clients whose server comes back at once, and takes longer to register for both than either waits for a silent one, come back
# CPUS: 1
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool
slow=/tmp/slow-registering

slow_serve() {
	LD_PRELOAD=$(dirname "$(command -v farmem-verify)")/slow-registering.so \
		serve --slab-size 4M --pool $pool
}

both() { [[ $(value sessions/first state)-$(value sessions/second state) == "$1-$1" ]]; }

slow_serve
load
for session in first second; do
	make_session $session client=$session connect_timeout=15
	power_on sessions/$session
done
# All 16 slabs, then every other one is free: a region is one slab.
for n in {1..16}; do
	make_volume "small$n" session=first size=4M
	power_on "volumes/small$n"
done
for n in {1..16}; do
	if ((n % 2)); then
		power_off "volumes/small$n"
	else
		set_value "volumes/small$n" release 1 || die "small$n stays: $(value "volumes/small$n" reason)"
	fi
done
# What was released is free when the session ends.
power_off sessions/first
power_on sessions/first
for session in first second; do
	make_volume $session session=$session size=16M io_deadline=-1
	power_on volumes/$session
	put_data "$(value volumes/$session device)"
done
expect_equal 2 "$(farmemd_log | grep -c "in 4 regions")" "volumes of 4 regions"

touch $slow
stop_farmemd KILL
wait_for 20 both recovering
slow_serve
wait_for 120 both live
rm $slow
# Neither gave up an attempt, to come later to regions that are registered by then.
expect_no_log "(-110); still trying"
for session in first second; do
	check_data "$(value volumes/$session device)"
done
all_off
stop_farmemd
rm $pool
