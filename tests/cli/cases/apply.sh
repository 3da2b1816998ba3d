# Files of volumes: what is made of them, what is wrong with them, and units of systemd.
# shellcheck source=tests/cli/files.sh
. "$here/files.sh"
export FARMEM_ROOT=$box/root
folder=$FARMEM_ROOT/etc/farmem/volumes.d
programs
ctl apply
ctl apply nothing
units
file data '# of a database' 'server = 10.0.0.2' 'size = 4G' 'peer-timeout = 0.5' 'io-deadline = -1' 'sync = yes' 'checksum = crc32c'
file swap-0 '[volume]' 'server = 10.0.0.2' 'size = 1G' 'client = node1' 'sync = no' '[swap]'
file mem.1 'server = local' 'size = 64M' '[swap]' 'priority = 100' 'discard = once'
ctl apply --dry-run
asked
units
echo "-- all of it, twice"
ctl apply
called
left
asked
echo swap >"$box/content"
ctl apply
called
asked
echo "-- what is on a disk stays there"
echo ext4 >"$box/content"
ctl apply swap-0
called
rm "$box/content"
echo 1 >"$box/mkswap"
ctl apply swap-0
called
rm "$box/mkswap"
echo "-- one that is not what its file says"
file data 'server = 10.0.0.2' 'size = 8G'
ctl apply data
echo "-- away again"
ctl apply --undo swap-0
asked
ctl apply --undo data
asked
ctl apply --undo
ctl apply --undo --dry-run
left
echo "-- a key that systemd hands over"
mkdir -p "$FARMEM_ROOT/run/credentials/farmem-key.service"
touch "$FARMEM_ROOT/run/credentials/farmem-key.service/farmem.key"
ctl apply --dry-run swap-0
file swap-0 'server = 10.0.0.2' 'size = 1G' 'key = keyring:farmem:node1'
ctl apply --dry-run swap-0
rm -r "$FARMEM_ROOT/run"
echo "-- wrong ones, and a right one beside them"
rm "$folder"/*
file wrong-key 'server = 10.0.0.2' 'size = 1G' 'priority = 1'
file wrong-section 'server = 10.0.0.2' 'size = 1G' '[swop]'
file wrong-size 'server = 10.0.0.2' 'size = 0'
file wrong-switch 'server = 10.0.0.2' 'size = 1G' 'sync = 1'
file wrong-number 'server = 10.0.0.2' 'size = 1G' 'queues = many'
file wrong-deadline 'server = 10.0.0.2' 'size = 1G' 'io-deadline = -2'
file wrong-timeout 'server = 10.0.0.2' 'size = 1G' 'peer-timeout = 1.2345'
file wrong-priority 'server = 10.0.0.2' 'size = 1G' '[swap]' 'priority = 32768'
file wrong-discard 'server = 10.0.0.2' 'size = 1G' '[swap]' 'discard = always'
file wrong-uuid 'server = 10.0.0.2' 'size = 1G' 'uuid = 1234'
file wrong-path 'server = 10.0.0.2' 'size = 1G' 'key = key'
file wrong-client 'server = 10.0.0.2' 'size = 1G' 'client = a b'
file wrong-checksum 'server = 10.0.0.2' 'size = 1G' 'checksum = crc64'
file wrong-twice 'server = 10.0.0.2' 'size = 1G' 'size = 2G'
file 'wrong name' 'server = 10.0.0.2' 'size = 1G'
file no-server 'size = 1G'
file no-size 'server = 10.0.0.2'
ctl apply --dry-run
rm "$folder"/wrong-[^s]* "$folder"/wrong-sw* "$folder"/no-* "$folder/wrong name.conf"
file right 'server = 10.0.0.2' 'size = 1G'
ctl apply --dry-run
ctl apply
left
ctl apply wrong-size
units
echo "-- as systemd calls the generator"
mkdir "$FARMEM_ROOT/dev"
: >"$FARMEM_ROOT/dev/kmsg"
"$build/farmem-generator" "$box/units" "$box/early" "$box/late" || echo "exit $?"
cat "$FARMEM_ROOT/dev/kmsg"
"$build/farmem-generator" || echo "exit $?"
