# SPDX-License-Identifier: GPL-2.0
# TEST: a group's server dies and comes back empty before anything is read or written: md notices nothing, and repair makes the copy anew before the other server dies
# LONG: yes
# TIMEOUT: 600
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"

RACK=3 RACK_SIZE=192M
modprobe -a raid1 dm-mod
load reconnect_max=2
mkdir -p /dev/shm/rack
for n in 1 2 3; do
	rack_serve "$n" --pool "/dev/shm/rack/$n"
done
group_make far 32M --chunk 32M --copies 2
dd if=/dev/urandom of=/tmp/data bs=1M count=32 status=none
dd if=/tmp/data of=/dev/far/volume bs=1M oflag=direct status=none
# md writes its bitmap some seconds after the last write, and then nothing more.
is_clean() { [[ $(</proc/mdstat) == *"bitmap: 0/"* && $(</sys/block/"$(basename "$(readlink -f /dev/md/far-p0)")"/md/array_state) == clean ]]; }
writes() { awk '{ sum += $5 } END { print sum }' /sys/block/farmem*/stat; }
# Its last superblock may be under way.
is_quiet() {
	local before

	before=$(writes)
	pause 6
	is_clean && [[ $(writes) == "$before" ]]
}
for ((try = 0; ; try++)); do
	wait_for 120 is_quiet
	mapfile -t servers < <(for n in 1 2 3; do group_has_left far $n || echo $n; done)
	rack_kill "${servers[0]}"
	rm -f /dev/shm/rack/"${servers[0]}"*
	rack_serve "${servers[0]}" --pool "/dev/shm/rack/${servers[0]}"
	wait_for 60 live "$(rack_address "${servers[0]}")"
	wait_for 60 group_is far degraded || die "the group is $(group_state far): $(farmemctl group chunks far)"
	[[ $(farmemctl group chunks far) != *" lost"* ]] || break
	# md has written by itself just then, and noticed.
	((try < 4)) || die "no chunk is lost: $(farmemctl group chunks far)"
	farmemctl group repair far
	group_is far live || die "the group is $(group_state far)"
done
# As a replacement leaves it that has failed.
chunk=$(farmemctl group chunks far --noheadings --output volume,state | awk '$2 == "lost" { print $1 }')
echo want_replacement >"$(echo /sys/block/md*/md/dev-"$(value "volumes/$chunk" device)"/state)"

farmemctl group watch --delay 2 >/tmp/watch.log 2>&1 &
watcher=$!
wait_for 240 grep -q -x "Group far: live" /tmp/watch.log || die "$(cat /tmp/watch.log; farmemctl group chunks far)"
group_apart far
rack_kill "${servers[1]}"
cmp <(dd if=/dev/far/volume bs=1M iflag=direct status=none) /tmp/data || die "the data is not there"
rack_serve "${servers[1]}" --pool "/dev/shm/rack/${servers[1]}"
farmemctl group delete far
wait $watcher
cat /tmp/watch.log
rack_gone
unload
pkill -KILL -f "/run/rack"
rm -rf /dev/shm/rack
