# SPDX-License-Identifier: GPL-2.0
# TEST: a server comes back with other memory, and there is none for the map of lost pages: nothing is read as zeros, a later attempt succeeds
# LONG: yes
# CPUS: 1
# TIMEOUT: 900
. "$FARMEM_TESTS/vm/cases.sh"

tried() { [[ $(dmesg_since) == *"no connection yet"* ]]; }
struck() { [[ $(dmesg_since) == *"no memory for the lost map"* ]]; }

# While the session recovers. What comes before the map in an attempt is made to fail as
# well, for nobody shall have to count.
for ((n = 6; n <= 30; n++)); do
	serve
	load_volume 32M io_deadline=-1 heartbeat=0 queues=1 reconnect_delay=15
	farmem-pages /dev/farmem0 write=0,1000,1
	mark_dmesg
	stop_farmemd KILL
	# The next attempt is some time away, and is the one that is counted.
	wait_for 20 tried
	set_fault times 1
	set_fault fail_alloc $n
	serve
	wait_for 120 live
	set_fault fail_alloc 0
	farmem-pages /dev/farmem0 lost=0,1000
	! struck || break
	unload
	stop_farmemd KILL
done
struck || die "the map was not reached"
echo "recovering: allocation $n"

# When the volume is made again.
power_off volumes/default
for ((n = 1; n <= 100; n++)); do
	mark_dmesg
	set_fault times 1
	set_fault fail_alloc $n
	error=$(set_value volumes/default power 1) && break
	expect_text 'Cannot allocate memory' "$error" "error of power"
	! struck || seen=yes
done
set_fault fail_alloc 0
[[ -n ${seen-} ]] || die "the map was not reached when the volume went on"
farmem-pages /dev/farmem0 lost=0,1000
unload
