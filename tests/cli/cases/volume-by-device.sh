# The device stands for the volume's name, by its path or a link to it; and without a name
# some commands take the only volume.
export FARMEM_ROOT=$box/root
folder=$FARMEM_ROOT/etc/farmem/volumes.d
mkdir -p "$folder" "$box/dev/by-name"
touch "$box/dev/farmem0"
ln -s ../farmem0 "$box/dev/by-name/some"

ctl volume show
ctl wait
scene_volume
ctl volume show -n -o name
ctl wait --timeout 0
ctl wait --json --timeout 0 --state off
for name in /dev/farmem0 "$box/dev/by-name/some"; do
	ctl volume show "$name" -n -o name
	ctl stats "$name" -n -o volume
	ctl save "$name"
	ctl apply --dry-run "$name"
	ctl apply "$name"
	rm "$folder/data.conf"
done
ctl wait /dev/farmem0 --timeout 0
ctl save /dev/farmem7
ctl apply --dry-run /dev/farmem7
# A name is that of the file, even if a disk has it.
printf '%s\n' '[volume]' 'server = 10.0.0.2' 'size = 1G' >"$folder/farmem0.conf"
ctl apply --dry-run farmem0

quiet volume create more --size 1G --server 10.0.0.2
ctl volume show
ctl wait
ctl volume delete
ctl save
ctl volume delete "$box/dev/by-name/some"
ctl volume show -n -o name,device
rm -r "$box/config" "$box/sys/module/farmem"
ctl volume show
ctl wait
