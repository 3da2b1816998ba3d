# The file of a volume that is there, and that it describes that volume.
export FARMEM_ROOT=$box/root
folder=$FARMEM_ROOT/etc/farmem/volumes.d
ctl save data
scene_volume
ctl save data
mkdir -p "$folder"
ctl save data
cat "$folder/data.conf"
ctl apply --dry-run data
ctl apply data
ctl save data
device=$(cat "$box/config/volumes/data/device")
quiet volume create swap --size 1G --server local --sync --checksum crc32c --io-deadline -1
device=$(cat "$box/config/volumes/swap/device")
printf '/dev/%s                              partition\t1048572\t\t0\t\t7\n' "$device" >>"$box/proc/swaps"
ctl save swap
cat "$folder/swap.conf"
quiet volume create 'odd:name' --size 1G --server 10.0.0.2:7471
ctl save odd:name
ls "$folder"

# That of a group.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
rack_make
folder=$FARMEM_ROOT/etc/farmem/volumes.d
mkdir -p "$folder"
quiet group create far --size 64M --chunk 32M --copies 2 --server 10.0.0.2@row1 --server 10.0.0.3 --server 10.0.0.4 \
	--server '[fe80::1%eth0]:7472' --client node1 --peer-timeout 0.5
quiet group drain 10.0.0.4
ctl save far
cat "$folder/far.conf"
rm "$folder/far.conf"
printf '/dev/dm-0                               partition\t65532\t\t0\t\t100\n' >>"$box/proc/swaps"
ctl save far
tail -n 2 "$folder/far.conf"
ctl save far
ctl save far-1
ctl save "$(cat "$box/config/volumes/far-2/device")"
ls "$folder"
# What apply makes of it, where the group is there and where it is not.
ctl apply --dry-run far
mv "$box/root/var/lib/farmem/groups/far.json" "$box/record"
ctl apply --dry-run far
eval "$(tool apply --dry-run far | sed 's/^farmemctl/tool/') --dry-run" | tail -n 2
mv "$box/record" "$box/root/var/lib/farmem/groups/far.json"
# A volume that has a chunk's name alone is a volume.
echo 11111111-2222-3333-4444-555555555555 >"$box/config/volumes/far-1/uuid"
ctl save far-1
rm "$folder"/*
jq '.servers[].drained = true' "$box/root/var/lib/farmem/groups/far.json" >"$box/record"
cp "$box/record" "$box/root/var/lib/farmem/groups/far.json"
ctl save far
rm -r "$box/root/dev/far"
ctl save far
echo '{' >"$box/root/var/lib/farmem/groups/far.json"
ctl save far
ls "$folder"
