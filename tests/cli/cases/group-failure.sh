# LONG: yes
# farmemctl group create, grow and delete, when a step fails or is the last: all is taken back,
# or the next command goes on. Each of its commands of mdadm, LVM and for volumes is tried.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
# Hundreds of commands: those of the cases group and group-start run under it.
export VALGRIND=
rack_count_all
servers=(--server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4)

echo "-- create"
for how in fail kill; do
	for ((step = 1; ; step++)); do
		rack_make
		rack_step $step $how group create far --size 64M --chunk 32M --copies 2 "${servers[@]}" || break
		told $step $how
		[ $how = fail ] || quiet group delete far
		rack_left
	done
done
whole 2
echo "-- grow"
for how in fail kill; do
	for ((step = 1; ; step++)); do
		scene --copies 2
		rack_step $step $how group grow far --size 96M || break
		told $step $how
		[ $how = fail ] || quiet group repair far
		whole 2
	done
done
whole 2
echo "-- delete"
for how in fail kill; do
	for ((step = 1; ; step++)); do
		scene --copies 2
		rack_step $step $how group delete far || break
		told $step $how
		[ ! -e "$box/root/var/lib/farmem/groups/far.json" ] || quiet group delete far
		rack_left
	done
done
echo "-- the disk is full"
for ((n = 1; ; n++)); do
	rack_make
	rack_full $n group create far --size 64M --chunk 32M --copies 2 "${servers[@]}" || break
	told "create $n" fail
	[ ! -e "$box/root/var/lib/farmem/groups/far.json" ] || quiet group delete far
	rack_left
done

echo "-- a volume that a server refuses"
rack_make
FAKE_FAIL="volumes/far-3/power=28:the server has no room" ctl group create far --size 64M --chunk 32M --copies 2 "${servers[@]}"
rack_left

echo "-- a volume of that name that somebody else has made"
rack_make
quiet volume create far-1 --size 1G --server 10.0.0.9
ctl group create far --size 64M --chunk 32M --copies 2 "${servers[@]}"
rack_left

echo "-- servers with room for the chunks, but not for their slabs"
scene --copies 2
for n in 2 3 4; do
	echo 134217728 >"$box/config/sessions/10.0.0.$n:7471/server_free"
	echo 67108864 >"$box/config/sessions/10.0.0.$n:7471/slab_size"
done
ctl group grow far --size 192M
whole 2

echo "-- an lvextend that was killed: LVM has the new size, the device has not"
scene --copies 2
rack_asked >/dev/null
echo 100663296 >"$FAKE_RACK/size"
ctl group grow far --size 96M
rack_asked
cat "$box/sys/block/dm-0/size"
echo "-- or is suspended"
scene --copies 2
rack_asked >/dev/null
echo 1 >"$box/sys/block/dm-0/dm/suspended"
ctl group repair far --dry-run
ctl group repair far
rack_asked
cat "$box/sys/block/dm-0/dm/suspended"
