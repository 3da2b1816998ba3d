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
