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
