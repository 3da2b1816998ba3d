# LONG: yes
# farmemctl group grow, move, drain, repair and stop, when a step fails or is the last, or the
# node crashes after it, or the disk is full: the next command goes on. Each of the commands of
# mdadm, LVM and for volumes is tried.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
export VALGRIND=
rack_count_all
servers=(--server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4)

# interrupted HOW COPIES SCENE ARGUMENT... - a command that ends so at each of its steps
interrupted() {
	local how=$1 copies=$2 step

	for ((step = 1; ; step++)); do
		scene --copies "$copies"
		"$3"
		rack_step $step "${how/crash/kill}" group "${@:4}" || break
		told $step "$how"
		if [ "$how" = crash ]; then
			rack_crash
			quiet group start far
		fi
		quiet group repair far
		whole "$copies"
	done
}
as_it_is() { :; }
server_away() { rack_lose far-1; }
server_back() {
	rack_lose far-1
	echo live >"$box/config/volumes/far-1/state"
}
server_empty() {
	server_back
	touch "$FAKE_RACK/empty"
}

server_lost() { echo 9 >"$box/sys/block/$(cat "$box/config/volumes/far-1/device")/farmem/lost_pages"; }

for copies in 2 1; do
	echo "-- grow, $copies copies"
	interrupted crash $copies as_it_is grow far --size 96M
	whole $copies
	echo "-- move, $copies copies"
	for how in fail kill crash; do
		interrupted $how $copies as_it_is move far --from 10.0.0.3
	done
	whole $copies
done
echo "-- move, 1 copy, LVM ended while it wrote"
interrupted tear 1 as_it_is move far --from 10.0.0.3
for server in back empty away lost; do
	echo "-- repair, server $server"
	for how in fail kill crash; do
		interrupted $how 2 server_$server repair far
	done
	whole 2
	tool group chunks far
done
echo "-- repair, server lost, ended again and again before its new chunk is whole"
scene --copies 2
server_lost
for ((n = 1; n < 4; n++)); do
	rack_step 2 kill group repair far
	volumes | wc -l
	[ $n != 1 ] || ctl group repair far --dry-run
done
quiet group repair far
whole 2
# wants SERVER SECONDS - it is asked for memory, until then
wants() {
	echo 1048576 >"$box/config/sessions/$1:7471/server_wanted"
	echo "$2" >"$box/config/sessions/$1:7471/server_wanted_within"
}
for others in keep want; do
	echo "-- repair, no server has room but for what an ended try has left; they $others memory"
	scene --copies 2
	server_away
	rack_step 3 kill group repair far
	volumes | xargs
	for n in 2 3 4; do
		echo 0 >"$box/config/sessions/10.0.0.$n:7471/server_free"
		[ $others = keep ] || wants 10.0.0.$n 60
	done
	ctl group repair far
	volumes | xargs
done
wanted() { wants 10.0.0.3 0; }
echo "-- move, a server wants memory back at once"
for how in fail kill crash; do
	interrupted $how 2 wanted move far --wanted
done
echo "-- repair, a copy stands still until a server is back: other pairs do not wait"
scene --copies 2
md=$box/sys/block/md1/md
echo recover >"$md/sync_action"
echo spare >"$md/dev-$(cat "$box/config/volumes/far-3/device")/state"
echo recovering | tee "$box/config/volumes/far-4/state" >"$box/sys/block/$(cat "$box/config/volumes/far-4/device")/farmem/state"
rack_lose far-1
FAKE_HASTE=200 patience=60 ctl group repair far
tool group chunks far
echo "-- the disk is full"
for what in "grow far --size 96M" "move far --from 10.0.0.3" "drain 10.0.0.3" "repair far" "stop far"; do
	for ((n = 1; ; n++)); do
		scene --copies 2
		[ "$what" != "repair far" ] || rack_lose far-1
		# shellcheck disable=SC2086
		rack_full $n group $what || break
		told "${what% far*} $n" fail
		quiet group start far
		quiet group repair far
		whole 2
	done
done
