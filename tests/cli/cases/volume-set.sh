# Settings of a volume that is on; a partner, at first and again, and none.
scene_volume
ctl volume set data
ctl volume set
ctl volume set none --partner other
ctl volume set data --io-deadline 1.5 --partner other
asked
ctl volume show data -o name,io_deadline,partner,stale
echo 1 >"$box/config/volumes/data/stale"
ctl volume show data -J -o partner,stale
ctl volume set /dev/farmem0 --partner other
ctl volume set data --partner ''
asked
ctl volume show data -n -o partner
ctl volume show data -J -o partner
FAKE_FAIL="volumes/data/partner=22:" ctl volume set data --partner data --io-deadline 0
asked

# One that is made names its partner before it is on; the same one is not named again.
quiet volume delete data
ctl volume create data --size 4G --server 10.0.0.2 --partner other --json | grep -e partner -e stale
asked | grep partner
ctl volume create data --size 4G --server 10.0.0.2 --if-absent --partner other
ctl volume create data --size 4G --server 10.0.0.2 --if-absent --partner another
asked | grep partner

# Its I/O is to fail: nobody serves for it any more.
touch "$box/sys/block/farmem0/holders/md0"
ctl volume delete data --force
asked
