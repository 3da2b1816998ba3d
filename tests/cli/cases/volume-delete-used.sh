# A device in use is never torn away: the holder is named.
scene_volume
echo "/dev/farmem0 partition 4194300 0 100" >>"$box/proc/swaps"
ctl volume delete data
ctl volume delete data --keep
printf 'Filename\n/dev/farmem01 partition 1 0 1\n' >"$box/proc/swaps"
echo '30 21 251:0 / /mnt/far rw - ext4 /dev/farmem0 rw' >>"$box/proc/self/mountinfo"
ctl volume delete data
ctl volume list -o name,use
: >"$box/proc/self/mountinfo"
touch "$box/sys/block/farmem0/holders/dm-3"
ctl volume delete data
rm "$box/sys/block/farmem0/holders/dm-3"
touch "$box/sys/block/farmem0/.open"
asked
ctl volume delete data
ctl volume delete data --keep
asked | uniq
# udev looks at a disk for a moment after swapoff.
(until grep -q busy "$box/log" 2>/dev/null; do sleep 0.1; done; rm "$box/sys/block/farmem0/.open") &
ctl volume delete data
wait
asked | uniq
scene_volume
FAKE_FAIL="volumes/data/release=110:the server does not answer" ctl volume delete data
left
echo "/dev/farmem0 partition 4194300 0 100" >"$box/proc/swaps"
asked
ctl volume delete data --force
asked
# A signal ends the wait for the process that has it open; I/O is as patient as before.
: >"$box/proc/swaps"
touch "$box/sys/block/farmem0/.open"
FAKE_SIGNAL="volumes/data/release" ctl volume delete data --force
asked
