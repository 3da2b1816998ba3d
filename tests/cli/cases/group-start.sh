# farmemctl group start and stop: a device that is there again after a stop, and after crashes of
# this node, with servers that are away or came back empty.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
servers=(--server 10.0.0.2 --server 10.0.0.3)
away() { export FAKE_FAIL="sessions/$1:7471/power=113:no route to the server"; }
back() { unset FAKE_FAIL; }

# A group of so many copies, its chunks far-1 on the first server and far-2 on the second.
scene() { rack_scene "$1" --size 32M --copies "$1" "${servers[@]}"; }
# far-$1 is thrown out, and then this node crashes.
crash_without() {
	rack_lose "far-$1"
	rack_crash
}

echo "-- stopped, and started"
scene 2
ctl group start far
ctl group stop far --dry-run
ctl group stop far
rack_asked
rack_left
rack_current
# A stop that finds nothing leaves the record alone.
quiet group stop far
rack_current
ctl group list
ctl group grow far --size 64M
ctl group repair far
ctl group stop far
ctl group start far
rack_asked
rack_left
rack_current
ctl group list

echo "-- LVM took the device down before it was stopped"
scene 2
vgchange --activate=n far
ctl group stop far
rack_current
away 10.0.0.3
ctl group start far --timeout 0
back
echo "-- after a crash"
scene 2
rack_crash
ctl group list
ctl group start far --json
rack_asked
rack_current

echo "-- after a crash, a server is away: it may hold newer bytes"
scene 2
rack_crash
away 10.0.0.3
ctl group start far --timeout 0
rack_left
rack_current
ctl group start far --timeout 0 --force
rack_asked
rack_current
back

echo "-- it is back: what it holds is not used"
rack_crash
ctl group start far
rack_asked
ctl group chunks far
rack_current
echo "-- nor if it is alone"
rack_crash
away 10.0.0.2
ctl group start far --timeout 0
rack_current
back

echo "-- after a stop, a server is away: the other one has the same"
scene 2
quiet group stop far
away 10.0.0.2
ctl group start far --timeout 0
rack_current
back

echo "-- one was thrown out before the crash: both are there"
scene 2
crash_without 1
ctl group start far
rack_asked
rack_current
echo "-- the one that went on is there alone"
scene 2
crash_without 1
away 10.0.0.2
ctl group start far --timeout 0
rack_current
back
echo "-- the one that was thrown out is there alone"
scene 2
crash_without 1
away 10.0.0.3
ctl group start far --timeout 0
rack_left
rack_current
back

echo "-- a server came back empty"
scene 2
rack_crash
rack_empty far-1
ctl group start far --timeout 0
rack_left
ctl group start far --timeout 0 --force
rack_current
echo "-- after a stop"
scene 2
quiet group stop far
rack_empty far-2
ctl group start far --timeout 0
rack_current
echo "-- both"
rack_crash
rack_empty far-1
rack_empty far-2
ctl group start far --timeout 0
ctl group start far --timeout 0 --force
rack_left

echo "-- a stop when servers are away"
scene 2
rack_lose far-1
rack_asked >/dev/null
ctl group stop far
rack_asked
rack_current
scene 2
echo recovering >"$box/config/volumes/far-1/state"
echo recovering >"$box/config/volumes/far-2/state"
ctl group stop far
# What holds it waits, too: swapoff(8) ends when that has failed.
cp "$box/proc/swaps" "$box/swaps"
printf '%s partition 65532 0 100\n' "$box/root/dev/dm-0" >>"$box/proc/swaps"
rack_asked >/dev/null
ctl group stop far --force
rack_asked
paste -sd' ' "$box"/config/volumes/far-[12]/io_deadline
# It goes on, and is as patient as it was.
echo live | tee "$box"/config/volumes/far-[12]/state >/dev/null
quiet group repair far
paste -sd' ' "$box"/config/volumes/far-[12]/io_deadline
echo recovering | tee "$box"/config/volumes/far-[12]/state >/dev/null
cp "$box/swaps" "$box/proc/swaps"
ctl group stop far --force
rack_asked
rack_current

echo "-- without copies"
scene 1
ctl group stop far
rack_asked
away 10.0.0.2
ctl group start far --timeout 0
rack_left
back
ctl group start far
rack_asked
ctl group list

echo "-- a group that was never finished"
scene 2
sed -i 's/"made": true/"made": false/' "$box/root/var/lib/farmem/groups/far.json"
ctl group start far

echo "-- repair of a chunk whose server was away at the start"
scene 2
crash_without 1
away 10.0.0.2
quiet group start far --timeout 0
back
rack_asked >/dev/null
ctl group repair far
rack_asked
rack_current
ctl group chunks far

echo "-- one that went on comes back after a start by force without it: it is not taken back"
scene 2
crash_without 1
away 10.0.0.3
quiet group start far --timeout 0 --force 2>/dev/null
back
rack_current
rack_asked >/dev/null
ctl group repair far
rack_asked
rack_current
ctl group chunks far

echo "-- commands that fail, or are killed"
for how in fail kill; do
	for ((step = 1; ; step++)); do
		scene 2
		quiet group stop far
		rack_step $step $how group start far || break
		rack_current
		rack_left
		quiet group start far
		rack_current
	done
	for ((step = 1; ; step++)); do
		scene 2
		rack_step $step $how group stop far || break
		rack_current
		quiet group start far
		rack_current
		[ "$(tool group list -n -o state)" = live ] || echo "NOT LIVE"
	done
done

echo "-- a crash came while a superblock was written"
scene 2
rack_crash
printf '\001' | dd of="$FAKE_RACK/memory-far-2" bs=1 seek=4300 conv=notrunc status=none
ctl group start far --timeout 0

echo "-- grow is killed before the device used the new pair, and that comes back after the start"
scene 2
rack_step 2 kill group grow far --size 64M
tail -n 1 "$FAKE_RACK/log"
rack_crash
export FAKE_FAIL="volumes/far-4/power=28:the server has no room"
tool group start far --timeout 0 >/dev/null 2>&1
back
ctl group list
rack_asked >/dev/null
ctl group repair far
rack_asked
ctl group grow far --size 64M
rack_asked
