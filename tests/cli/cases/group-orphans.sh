# farmemctl group repair and delete: memory that chunks left on a server goes back, all of it,
# when no other chunk of the group holds the connection to that server; and the watcher sees to it.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
servers=(--server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4)
orphans() { jq -r '"orphans: " + ([.orphans[].volume] | join(" "))' "$box/root/var/lib/farmem/groups/far.json"; }

# server_lost [GENERATION LAST] - of the memory that its chunks had, and that it had when it was seen last; its
# two chunks have new places, and nothing uses it any more
server_lost() {
	rack_scene three --size 64M --chunk 32M --copies 2 "${servers[@]}"
	echo recovering >"$box/config/sessions/10.0.0.2:7471/state"
	[ $# = 0 ] || echo "$2" >"$box/config/sessions/10.0.0.2:7471/generation"
	rack_lose far-1
	rack_lose far-4
	for volume in far-1 far-4; do
		[ $# = 0 ] || echo "$1" >"$box/sys/block/$(cat "$box/config/volumes/$volume/device")/farmem/generation"
	done
	quiet group repair far
	orphans
	rm -rf "$box/config/sessions/10.0.0.2:7471"
}

echo "-- repair, when the server is back"
server_lost
ctl group repair far
orphans
for memory in '5eed0001 5eed0001' '5eed0000 5eed0000' '5eed0000 5eed0001'; do
	echo "-- repair, when a server has no room for what it held in memory ${memory/ /, and was seen with }"
	# shellcheck disable=SC2086 # words
	server_lost $memory
	FAKE_FAIL="volumes/far-1/power=28:the server has no room" ctl group repair far
	orphans
done
echo "-- the watcher, with a server that is drained"
server_lost
quiet group drain 10.0.0.2
is_clean() { [ -z "$(jq -r '.orphans[].volume' "$box/root/var/lib/farmem/groups/far.json")" ]; }
timeout -k 1 120 env LD_PRELOAD="$helpers/fake-kernel.so" "$build/farmemctl" group watch --delay 0 >said 2>&1 &
watcher=$!
soon is_clean || orphans
# It may have tried while the server was not there yet.
soon grep -qx "Group far: live" said
uniq said
kill $watcher
wait $watcher
ctl group delete far
rack_left
echo "-- delete"
server_lost
ctl group delete far
rack_left
