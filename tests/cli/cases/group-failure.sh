# farmemctl group, when a step fails or is the last: all is taken back, or the next command
# goes on. Each of its calls of mdadm and LVM is tried.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
# Hundreds of commands: those of the cases group and group-start run under it.
export VALGRIND=
servers=(--server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4)

scene() { rack_scene "$2" --size 64M --chunk 32M "$@" "${servers[@]}"; }

# told STEP HOW - what the command said at it, in one line, if it came to say something
told() {
	if [ "$2" = kill ]; then
		echo "$1: killed"
	else
		echo "$1: $(tail -n 1 "$box/stderr")"
	fi
}

volumes() { find "$box/config/volumes" -mindepth 1 -maxdepth 1 -printf "%f\n" | sort; }

# whole COPIES - the group is live, each pair is of two chunks apart from each other, and
# nothing is there that it does not have
whole() {
	local pairs

	[ "$(tool group list -n -o state)" = live ] || echo "NOT LIVE: $(tool group list -n)"
	pairs=$(tool group chunks far -n -o array,server | sort | uniq -c | awk '$1 > 1')
	[ -z "$pairs" ] || [ "$1" = 1 ] || echo "NOT APART: $pairs"
	[ "$(tool group chunks far -n -o volume | sort)" = "$(volumes)" ] ||
		echo "LEFT BEHIND: $(volumes)"
	[ "$1" = 1 ] || [ "$(tool group chunks far -n | wc -l)" = $((2 * $(find "$box/root/dev/md" -type l | wc -l))) ] ||
		echo "COPIES MISS: $(tool group chunks far -n)"
}

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
for copies in 2 1; do
	echo "-- move, $copies copies"
	for ((step = 1; ; step++)); do
		scene --copies $copies
		rack_step $step kill group move far --from 10.0.0.3 || break
		told $step kill
		quiet group repair far
		whole $copies
	done
	whole $copies
done
for server in back empty away; do
	echo "-- repair, server $server"
	for ((step = 1; ; step++)); do
		scene --copies 2
		rack_lose far-1
		[ $server = away ] || echo live >"$box/config/volumes/far-1/state"
		[ $server != empty ] || touch "$FAKE_RACK/empty"
		rack_step $step kill group repair far || break
		told $step kill
		quiet group repair far
		whole 2
	done
	whole 2
	tool group chunks far
done
echo "-- delete"
for ((step = 1; ; step++)); do
	scene --copies 2
	rack_step $step kill group delete far || break
	told $step kill
	quiet group delete far
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
