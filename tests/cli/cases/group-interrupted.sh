# LONG: yes
# farmemctl group move, drain, repair and stop, when a step fails or is the last, or the disk is
# full: the next command goes on. Each of the commands of mdadm, LVM and for volumes is tried.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
export VALGRIND=
rack_count_all
servers=(--server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4)

for copies in 2 1; do
	echo "-- move, $copies copies"
	for how in fail kill; do
		for ((step = 1; ; step++)); do
			scene --copies $copies
			rack_step $step $how group move far --from 10.0.0.3 || break
			told $step $how
			quiet group repair far
			whole $copies
		done
	done
	whole $copies
done
for server in back empty away; do
	echo "-- repair, server $server"
	for how in fail kill; do for ((step = 1; ; step++)); do
		scene --copies 2
		rack_lose far-1
		[ $server = away ] || echo live >"$box/config/volumes/far-1/state"
		[ $server != empty ] || touch "$FAKE_RACK/empty"
		rack_step $step $how group repair far || break
		told $step $how
		quiet group repair far
		whole 2
	done; done
	whole 2
	tool group chunks far
done
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
