# What is asked of the kernel, in which order, and what the user reads.
ctl volume create data --size 4G --server 10.0.0.2:7471
asked
ctl volume create more --size 512MiB --server 10.0.0.2 --uuid 11111111-2222-3333-4444-555555555555 --sync
asked
left
ctl volume create data --size 4G --server 10.0.0.2:7471
asked
ctl volume create third --size 64M --server 10.0.0.2 --client other
asked
ctl volume create third --size 64M --server 10.0.0.3 --client other --queues 8 --source 10.0.0.1 --takeover --connect-timeout 5 --reconnect-delay 2 --reconnect-max 9 --heartbeat 0 --peer-timeout 0.3 --io-deadline 0.1 --json
asked
ctl volume create fourth --size 1G --server local --checksum crc64
ctl volume create fourth --size 1G --server local --checksum crc32c
asked
left
echo "-- where udevd runs its link is there as well"
export FARMEM_ROOT=$box/root
mkdir -p "$FARMEM_ROOT"/{run/udev,usr/lib/udev/rules.d,dev/farmem/by-name}
touch "$FARMEM_ROOT/run/udev/control" "$FARMEM_ROOT/usr/lib/udev/rules.d/60-farmem.rules"
link=$FARMEM_ROOT/dev/farmem/by-name/fifth
udevd() {
	soon grep -qsx 1 "$box/config/volumes/fifth/power"
	sleep 0.5
	ln -s ../../farmem0 "$link"
}
udevd &
quiet volume create fifth --size 1G --server 10.0.0.2
[ -L "$link" ] || echo "NO LINK"
wait
