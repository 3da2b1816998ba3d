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
# To disconnect the session would end it, or the I/O of another volume: not advised.
quiet session create far --server 10.0.0.3
quiet volume create a --size 1G --session far
quiet volume create b --size 1G --session far
echo 0 >"$box/config/sessions/far/reconnect_delay"
ctl volume delete a
quiet volume create a --size 1G --session far
echo 1 >"$box/config/sessions/far/reconnect_delay"
echo 0 >"$box/config/volumes/b/io_deadline"
ctl volume delete a
quiet volume create a --size 1G --session far
echo 30 >"$box/config/volumes/b/io_deadline"
ctl volume delete a
# A derived session that does not go is not passed over.
scene_volume
touch "$box/config/sessions/10.0.0.2:7471/.fixed"
ctl volume delete data
left
