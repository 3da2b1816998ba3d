# The default gives the memory back, --keep does not; a derived session goes too.
scene_volume
quiet volume create more --size 1G --server 10.0.0.2
rm -f "$box/log"
ctl volume delete data
asked
left
ctl volume delete more --keep
asked
left
ctl volume delete more
# Off already: nothing to release.
scene_volume
echo 0 >"$box/config/volumes/data/power"
: >"$box/config/volumes/data/device"
ctl volume delete data
asked
left
# Without heartbeats the server is not told that nothing is under way to that memory.
quiet session create far --server 10.0.0.3 --heartbeat 0
quiet volume create a --size 1G --session far
quiet volume create b --size 1G --session far
ctl volume delete a
# A derived session that does not go is not passed over.
scene_volume
touch "$box/config/sessions/10.0.0.2:7471/.fixed"
ctl volume delete data
left
