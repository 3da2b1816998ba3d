# farmemctl group repair and delete: memory that chunks left on a server goes back, all of it,
# when no other chunk of the group holds the connection to that server.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
servers=(--server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4)
orphans() { jq -r '"orphans: " + ([.orphans[].volume] | join(" "))' "$box/root/var/lib/farmem/groups/far.json"; }

# server_lost - its two chunks have new places, and nothing uses it any more
server_lost() {
	rack_scene three --size 64M --chunk 32M --copies 2 "${servers[@]}"
	echo recovering >"$box/config/sessions/10.0.0.2:7471/state"
	rack_lose far-1
	rack_lose far-4
	quiet group repair far
	orphans
	rm -rf "$box/config/sessions/10.0.0.2:7471"
}

echo "-- repair, when the server is back"
server_lost
ctl group repair far
orphans
echo "-- delete"
server_lost
ctl group delete far
rack_left
