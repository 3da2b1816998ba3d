# farmemctl group move --wanted: chunks leave servers that want memory back, as much as these want;
# with copies, and if it is urgent, the chunk goes first. group watch does it by itself.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
servers=(--server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4)
# wants SERVER BYTES SECONDS - it is asked for them, until then
wants() {
	echo "$2" >"$box/config/sessions/$1:7471/server_wanted"
	echo "$3" >"$box/config/sessions/$1:7471/server_wanted_within"
}
full() { echo 0 >"$box/config/sessions/$1:7471/server_free"; }
on() { tool group chunks far -n -o volume,server,state; }

for copies in 2 1; do
	echo "-- $copies copies"
	scene --copies $copies
	ctl group move far --wanted
	rack_asked
	wants 10.0.0.3 1048576 60
	ctl group move far --wanted --dry-run
	ctl group move far --wanted
	rack_asked
	on
	whole $copies
done
echo "-- urgent; md copies faster than it would beside other I/O, in that array alone, and no longer"
scene --copies 2
wants 10.0.0.3 1048576 0
ctl group move far --wanted --dry-run
for md in md0 md1; do
	rm "$box/sys/block/$md/md/sync_speed_min"
	mkfifo "$box/sys/block/$md/md/sync_speed_min"
done
exec 7<>"$box/sys/block/md0/md/sync_speed_min" 8<>"$box/sys/block/md1/md/sync_speed_min"
ctl group move far --wanted
echo "md0: $(dd bs=64 count=1 iflag=nonblock <&7 2>/dev/null) md1: $(dd bs=64 count=1 iflag=nonblock <&8 2>/dev/null)"
exec 7<&- 8<&-
rack_asked
on
whole 2
echo "-- nobody else has room: the chunk stays"
scene --copies 2
wants 10.0.0.3 1048576 0
full 10.0.0.2
full 10.0.0.4
ctl group move far --wanted
rack_asked
on
echo "-- a server that wants memory gets no chunk"
scene --copies 2
wants 10.0.0.3 1048576 60
ctl group move far --from 10.0.0.4
wants 10.0.0.3 0 0
ctl group move far --from 10.0.0.4
on
echo "-- all that it has"
scene --copies 1
wants 10.0.0.3 1073741824 60
quiet group move far --wanted
on
echo "-- what does not go together"
ctl group move far
ctl group move far --from 10.0.0.2 --wanted
ctl group move far --wanted --to 10.0.0.2

echo "-- the watcher"
scene --copies 2
: >said
timeout -k 1 120 env LD_PRELOAD="$helpers/fake-kernel.so" "$build/farmemctl" group watch --delay 0 >said 2>told &
watcher=$!
wants 10.0.0.3 1048576 60
soon grep -q 'chunks leave' said
moved() { [[ $(tool group chunks far -n -o server) != *10.0.0.3* ]]; }
soon moved
soon grep -q live said
kill $watcher
wait $watcher
cat told
uniq said
whole 2
echo "-- the watcher, while another pair waits for its repair"
scene --copies 2
rack_lose far-3
: >said
timeout -k 1 120 env LD_PRELOAD="$helpers/fake-kernel.so" "$build/farmemctl" group watch --delay 1000 >said 2>told &
watcher=$!
soon grep -q 'needs a repair' said
wants 10.0.0.3 1048576 60
soon moved
soon grep -q 'chunks leave' said
kill $watcher
wait $watcher
cat told
sed 's/in .*/later/' said
on
echo "-- a pair that lacks a copy keeps what it has, and the others give"
scene --copies 2
rack_lose far-1
wants 10.0.0.2 1073741824 0
ctl group move far --wanted
on
