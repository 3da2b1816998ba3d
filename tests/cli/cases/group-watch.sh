# farmemctl group watch: what it repairs by itself, and what it says of that.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
watch=(timeout -k 1 120 env LD_PRELOAD="$helpers/fake-kernel.so" "$build/farmemctl" group watch)
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
"${watch[@]}" --delay 0 >said 2>told &
watcher=$!
rack_lose far-1
soon times 1 live
state live || echo "NOT LIVE"
cat told
rack_lose far-2
echo 0 >"$box/config/sessions/10.0.0.2:7471/server_free"
soon grep -q "no server can take" told
state degraded || echo "NOT DEGRADED"
echo live >"$box/config/volumes/far-2/state"
soon times 2 live
record=$box/root/var/lib/farmem/groups/near.json
cp "$record" "$box/near.json"
echo '{' >"$record"
soon times 1 "near: its record"
cp "$box/near.json" "$record"
soon times 1 "near: live"
uniq said | sed 's/in [0-9]* s/in N s/'
tool group chunks far
echo "-- it ends with the last group"
quiet group delete far
quiet group delete near
wait $watcher
echo "exit $?"
