# farmemctl group watch: what it repairs by itself, and what it says of that.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
watch=(timeout -k 1 120 env LD_PRELOAD="$helpers/fake-kernel.so" "$build/farmemctl" group watch)
states=$FARMEM_RUN/farmem-groups/groups.json
# tells WHAT - is that true of what the watcher tells of its groups?
tells() { jq -e "$1" "$states" >/dev/null 2>&1; }
state() { [ "$(tool group list -n -o name,state | awk '$1 == "far" { print $2 }')" = "$1" ]; }
# times N LINE - it has said that so often
times() { [ "$(grep -c "$2" said)" = "$1" ]; }

echo "-- no group"
rack_make
ctl group watch
ctl group watch --delay -1

echo "-- a server is lost, and then there is none that could take its chunks"
quiet group create far --size 32M --copies 2 --server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4
quiet group create near --size 32M --server 10.0.0.2
: >said
"${watch[@]}" --delay 0 >said 2>told &
watcher=$!
rack_lose far-1
soon times 1 "far: live$"
state live || echo "NOT LIVE"
cat told
soon tells '[.groups[] | {name, size, copies, state, task, chunks: [.chunks[].state]}] == [
	{name: "far", size: 33554432, copies: 2, state: "live", task: null, chunks: ["live", "live"]},
	{name: "near", size: 33554432, copies: 1, state: "live", task: null, chunks: ["live"]}]'
[ "$(stat -c %a "$states")" = 644 ] || echo "NOT FOR OTHER USERS"
rack_lose far-2
echo 0 >"$box/config/sessions/10.0.0.2:7471/server_free"
soon grep -q "no server can take" told
state degraded || echo "NOT DEGRADED"
echo live >"$box/config/volumes/far-2/state"
soon times 2 "far: live$"
record=$box/root/var/lib/farmem/groups/near.json
cp "$record" "$box/near.json"
echo '{' >"$record"
soon times 1 "near: its record"
soon tells '.groups[1] == {name: "near", state: "unreadable", task: null}'
cp "$box/near.json" "$record"
soon times 1 "near: live"
uniq said | sed 's/in [0-9]* s/in N s/'
tool group chunks far
echo "-- a server was empty for a while, and the pair had nothing to write"
echo 9 >"$box/sys/block/$(cat "$box/config/volumes/far-3/device")/farmem/lost_pages"
soon times 3 "far: live$"
tool group chunks far
echo "-- both copies have lost pages: neither goes before its new chunk has them"
rack_asked >/dev/null
for n in 2 4; do
	echo 1 >"$box/sys/block/$(cat "$box/config/volumes/far-$n/device")/farmem/lost_pages"
done
soon times 4 "far: live$"
tool group chunks far
rack_asked | grep -e --replace
echo "-- it ends with the last group"
quiet group delete far
quiet group delete near
wait $watcher
echo "exit $?"
[ ! -e "$states" ] || echo "IT TELLS OF GROUPS"

echo "-- repair: the server of a new chunk comes back empty before that is whole"
rack_make
quiet group create far --size 32M --copies 2 --server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4
rack_lose far-1
touch "$FAKE_RACK/loses"
ctl group repair far
whole 2

echo "-- repair: the first chunk in the place of a lost one dies before it is whole"
echo 9 >"$box/sys/block/$(cat "$box/config/volumes/far-4/device")/farmem/lost_pages"
touch "$FAKE_RACK/dies"
ctl group repair far
whole 2
echo "-- repair: an mdadm that was killed has left the array frozen"
rack_lose far-6
echo frozen >"$(echo "$box"/sys/block/md*/md/sync_action)"
ctl group repair far
cut -c 1-4 "$box"/sys/block/md*/md/sync_action
echo frozen >"$(echo "$box"/sys/block/md*/md/sync_action)"
ctl group repair far
cut -c 1-4 "$box"/sys/block/md*/md/sync_action
echo "-- repair: md copies nothing, and no try keeps memory"
rack_lose far-2
touch "$FAKE_RACK/stuck"
FAKE_HASTE=200 patience=60 ctl group repair far
volumes | xargs
rm "$FAKE_RACK/stuck"
quiet group repair far
whole 2
echo "-- a repair that takes long: another one waits, chunks of another group move meanwhile"
rack_make
for name in a b c; do
	quiet group create $name --size 32M --copies 2 --server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4
done
mkdir "$box/long"
cp "$build/farmemctl" "$box/long/watcher"
cat >"$box/long/farmemctl" <<EOF
#!/bin/bash
# It does not end by itself.
trap 'echo "ended: \$*" >>"$box/long/ran"; exit 1' TERM
echo "\$*" >>"$box/long/ran"
while :; do
	sleep 0.1
done
EOF
chmod +x "$box/long/farmemctl"
: >"$box/long/ran"
# What ends the watcher ends nothing else by itself.
: >said
timeout --foreground -k 1 120 env LD_PRELOAD="$helpers/fake-kernel.so" "$box/long/watcher" group watch --delay 0 >said 2>told &
watcher=$!
soon tells '[.groups[].state] == ["live", "live", "live"]'
rack_lose a-1
rack_lose b-1
soon grep -q "group repair" "$box/long/ran"
server=$(tool group chunks c -n -o server | head -n 1)
echo 1048576 >"$box/config/sessions/$server/server_wanted"
echo 60 >"$box/config/sessions/$server/server_wanted_within"
soon grep -q "group move [abc] --wanted" "$box/long/ran"
soon tells '([.groups[].task] | sort) == [null, "move", "repair"]'
cat told
kill $watcher
wait $watcher
sed 's/repair [ab]/repair a or b/; s/move [abc]/move one of them/' "$box/long/ran" | sort
echo "-- another command works on the group: its repair begins after that, and other groups do not wait"
rack_make
for name in far near; do
	quiet group create $name --size 32M --copies 2 --server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4
done
far=$box/sys/block/$(basename "$(readlink "$box/root/dev/md/far-p0")")/md
echo check >"$far/sync_action"
tool group scrub far >/dev/null 2>&1 &
scrub=$!
soon grep -q "action=check" "$FAKE_RACK/log"
rack_lose far-1
"${watch[@]}" --delay 0 >said 2>told &
watcher=$!
soon grep -q "far: it needs" said
rack_lose near-1
soon times 1 "near: repair"
# What was left on a server that was away goes back as well.
soon grep -q "near: live$" said
grep "far: repair" said
echo idle >"$far/sync_action"
wait $scrub
soon grep -q "far: live$" said
kill $watcher
wait $watcher
cat told
