# What volumes, sessions and clients do, interval for interval.
top=(timeout -k 1 60 env LD_PRELOAD="$helpers/fake-kernel.so" "$build/farmemctl" top)
none="0 0 0 0 0 0 0 0 0 0 0 0 0 0"
still='s/"time":"[^"]*"/"time":"TIME"/; s/"seconds":[0-9.]*/"seconds":1.0/'

mv "$box/config" "$box/unloaded"
mv "$box/sys/module/farmem" "$box/module"
ctl top
ctl top data
mv "$box/unloaded" "$box/config"
mv "$box/module" "$box/sys/module/farmem"
ctl top --interval 0.1 --count 2
ctl top --count 2.5
ctl top none

scene_volume
quiet volume create more --size 1G --server 10.0.0.2
quiet session create idle --server 10.0.0.3
echo recovering >"$box/config/sessions/idle/state"
disk=$box/sys/block/farmem0/farmem
mkdir "$box/answers"
mkfifo "$box/leash"	# the fake ends when its other end is closed
mkdir -p "$box/run/farmem"
cat >"$box/answers/clients" <<END
{"ok":true,"version":1,"clients":[{"name":"node1","connected":true,"bytes":4294967296},
{"name":"node2","connected":false,"bytes":0}]}
END
"$helpers/fake-farmemd" "$box/run/farmem/farmemd.sock" "$box/answers" <"$box/leash" &
exec 9>"$box/leash"
soon test -S "$box/run/farmem/farmemd.sock"
echo 7 >"$disk/reads"
echo "0 0 500 400 90 0 0 0 0 0 9 $none" >"$disk/read_latency"

# Into a pipe: one behind the other, the headings once; nothing has happened.
ctl top --interval 0.1 --count 2
ctl top more data --interval 0.1 --count 1 --json | sed "$still"

# has FILTER - is it so in the last report?
has() { [ "$(tail -n 1 lines 2>/dev/null | jq "$1" 2>/dev/null)" = true ]; }
value() { echo "$1: $(tail -n 1 lines | jq -c "$1")"; }

# Rates are of the interval, whatever it took; a change is seen once.
"${top[@]}" data --json --interval 0.5 >lines &
soon has '.top[0].reads == 0'
echo 100007 >"$disk/reads"
echo "0 0 500 400 90 0 0 5 0 0 9 $none" >"$disk/read_latency"
soon has '.top[0].reads > 0'
jq -c '.top[0] | select(.reads > 0) | [.r50, .r99, .w50]' lines
jq -c 'select(.top[0].reads > 0) | .top[0].reads * .seconds / 1000 | round' lines
soon has '.top[0].reads == 0'
# A disk whose counters began anew has no rates until the next report.
echo 3 >"$disk/reads"
soon has '.top[0].reads == null'
soon has '.top[0].reads == 0'
# Nor has another disk of that name, whatever its counters say.
echo 4711 >"$disk/../diskseq"
echo 900000 >"$disk/reads"
soon has '.top[0].reads == null'
soon has '.top[0].reads == 0'
# One that is off, or gone, and comes back.
mv "$box/config/volumes/data" "$box/aside"
soon has '.top == []'
mv "$box/aside" "$box/config/volumes/data"
soon has '.top[0].reads == 0'
kill -INT $!
wait $!
echo "exit $?"
jq -s 'map(.top[]?.reads) | map(select(. != null and . != 0)) | length' lines

# On a terminal the reports are written over each other, as wide and high as it is.
export -f tool
screen() {
	script -qec "stty cols $1 rows $2; TERM=${3:-xterm} tool top --interval 0.1 --count 1" /dev/null |
		tr -d '\r' | sed 's/\x1b/^/g'
}
screen 200 24
NO_COLOR=1 screen 80 5
screen 20 24 | tail -n 6
screen 200 24 dumb

# With the module it ends.
rm lines
"${top[@]}" --interval 0.1 >lines 2>told &
soon test -s lines
mv "$box/config" "$box/unloaded"
mv "$box/sys/module/farmem" "$box/module"
wait $!
echo "exit $?"
cat told
# The memory node's clients are shown without it, until farmemd ends.
rm lines
# A look that has begun when it ends says so.
"${top[@]}" --interval 0.1 --json >lines 2>ended &
soon has '.top | length == 2'
value '.top[0] | .object, .name, .state, .lent'
exec 9>&-
rm "$box/run/farmem/farmemd.sock"
soon has '.top == []'
kill -INT $!
wait $!
echo "exit $?"

# Groups stand above the volumes; the kernel counts what their devices do.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
rack_make
quiet group create far --size 64M --copies 2 --server 10.0.1.2 --server 10.0.1.3
rack_lose far-2
device=$box/sys/block/dm-0
echo "    100        0      800       10      200        0     1600       20        0       30       30" >"$device/stat"
echo "       2        3" >"$device/inflight"
echo 4711 >"$device/diskseq"
echo '{' >"$box/root/var/lib/farmem/groups/torn.json"
ctl top --interval 0.1 --count 1
ctl top far far-1 torn --interval 0.1 --count 1 --output object,name,state
ctl top fare
rm lines
"${top[@]}" far --json --interval 0.5 >lines &
soon has '.top[0].writes == 0'
echo "  10100        0    40800       10    30200        0   481600       20        0       30       30" >"$device/stat"
soon has '.top[0].writes > 0'
jq -c 'select(.top[0].writes > 0) | .seconds as $s | .top[0] | [.reads, .writes, .rbytes, .wbytes] | map(. * $s / 1000 | round)' lines
jq -c 'select(.top[0].writes > 0) | .top[0] | [.object, .state, .r99, .inflight, .parked]' lines
soon has '.top[0].writes == 0'
# Off, and made anew.
mv "$box/root/dev/far" "$box/aside"
soon has '.top[0].state == "off"'
value '.top[0].writes'
echo 4712 >"$device/diskseq"
mv "$box/aside" "$box/root/dev/far"
soon has '.top[0].writes == 0'
kill -INT $!
wait $!
echo "exit $?"
