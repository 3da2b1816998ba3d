# Prometheus' text format, of the module and of farmemd.
# Where tests/cli/fetch-prometheus has brought it.
PATH=$PATH:${XDG_CACHE_HOME:-$HOME/.cache}/farmem/prometheus-web/usr/bin
if command -v promtool >/dev/null; then
	valid() { promtool check metrics <"$box/stdout" || echo "promtool: exit $?"; }
	promtool check rules "$repo/packaging/prometheus/farmem.rules.yml" >"$box/rules" 2>&1 || cat "$box/rules"
	promtool test rules "$here/alerts.yml" >"$box/rules" 2>&1 || cat "$box/rules"
else
	valid() { :; }
fi
metrics() {
	ctl metrics --control "$box/sock"
	valid
}

# Neither.
rmdir "$box/sys/module/farmem"
metrics

# farmemd alone, silent at first; no client has such names, but the format could hold them.
mkdir "$box/answers"
mkfifo "$box/leash"	# the fake ends when its other end is closed
"$helpers/fake-farmemd" "$box/sock" "$box/answers" <"$box/leash" &
exec 9>"$box/leash"
until [ -S "$box/sock" ]; do sleep 0.05; done
metrics
cat >"$box/answers/status" <<END
{"ok":true,"version":1,"pid":812,"uuid":"11111111-2222-3333-4444-555555555555","release":"0.2.0","size":8589934592,"free":3221225472,"lent":4294967296,
"dirty":1073741824,"quarantined":67108864,"held":4294967296,"given_back":134217728,"wanted":67108864,"pressure":12,"cordoned":false,"slab_size":67108864,"generation":"5eed0001",
"listen":["0.0.0.0:7471","[::]:7471"],"insecure":true,"uptime_s":93}
END
metrics
cat >"$box/answers/clients" <<'END'
{"ok":true,"version":1,"clients":[
{"name":"node1","identity":"00ff","connected":true,"peer":"10.0.0.1:40000","queues":4,"incarnation":"ab12",
"volumes":2,"bytes":4294967296,"quarantined":67108864,"wanted":67108864,"silent_since_s":null,"lease_s":0},
{"name":"a \"client\\\nof two lines","identity":"11ff","connected":false,"peer":"","queues":0,"incarnation":"cd34",
"volumes":0,"bytes":"many","quarantined":0,"silent_since_s":93600,"lease_s":604800}]}
END
metrics

# The module alone.
mkdir "$box/sys/module/farmem"
echo 0.2.0 >"$box/sys/module/farmem/version"
ctl metrics --control "$box/none"
quiet volume create data --size 4G --server 10.0.0.2
quiet volume create 'o"d\d' --size 1G --server 10.0.0.3
quiet volume create off --size 1G --server 10.0.0.3
quiet volume delete off --keep
mkdir "$box/config/volumes/off"
echo off >"$box/config/volumes/off/state"
echo recovering >"$box/config/volumes/o\"d\\d/state"
echo recovering >"$box/config/sessions/10.0.0.3:7471/state"
echo 11111111-2222-3333-4444-555555555555 >"$box/config/volumes/data/uuid"
number=0
for disk in farmem0 farmem1; do
	for file in reads read_bytes writes write_bytes discards zero_reads zero_writes zero_pages slot_frees polled_reads \
		irq_reads shortages read_errors write_errors lost_pages lost_reads checksum_errors inflight parked; do
		echo $((number += 1)) >"$box/sys/block/$disk/farmem/$file"
	done
done
echo "0 0 600 300 95 0 0 0 0 0 4 0 0 0 0 0 0 0 0 0 0 0 0 0 1" >"$box/sys/block/farmem0/farmem/read_latency"
echo "1 2 three" >"$box/sys/block/farmem1/farmem/read_latency"
echo many >"$box/sys/block/farmem1/farmem/inflight"
echo 0 >"$box/sys/block/farmem1/farmem/latency"
rm "$box"/sys/block/farmem1/farmem/{write,discard,fault}_latency
ctl metrics --control "$box/none"
valid

# Both.
tool metrics --control "$box/sock" >"$box/stdout"
valid
grep -c '^# TYPE' "$box/stdout"
cp "$box/stdout" "$box/all"
# The samples of a metric stand together, those of a histogram under its name, and no line comes twice.
sed -n 's/_seconds_\(bucket\|count\){/_seconds{/; s/^\([a-z_]*\).*/\1/p' "$box/stdout" | grep . | uniq | sort | uniq -d
sort "$box/stdout" | uniq -d

# What the unit runs leaves a whole file that all may read, or none.
mkdir "$box/textfile"
sed -n "s|^ExecStart=||p" "$repo/packaging/farmem-metrics.service" | sed "s|/usr/bin/farmemctl metrics|$build/farmemctl metrics --control $box/none|" >"$box/unit"
(cd "$box/textfile" && umask 022 && sh "$box/unit" && grep -c '^farmem_module_info' farmem.prom; stat -c '%n %a' ./*)
mv "$box/sys/module/farmem" "$box/sys/module/other"
(cd "$box/textfile" && sh "$box/unit" 2>/dev/null || echo "exit $?"; ls)
mv "$box/sys/module/other" "$box/sys/module/farmem"

# No farmemd behind its socket; an older module, which lacks a counter.
exec 9>&-
wait
metrics 2>&1 | grep -v volume
rm "$box/sys/block/farmem0/farmem/lost_pages"
rm "$box/sock"
metrics | grep lost_pages

# Groups, beside the module.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
rack_make
quiet group create lone --size 32M --server 10.0.1.2
quiet group stop lone
quiet group create far --size 64M --copies 2 --chunk 32M --server 10.0.1.2 --server 10.0.1.3
# Its state is that of the pair that is worst off.
echo recover >"$box/sys/block/md0/md/sync_action"
echo "300 / 4000" >"$box/sys/block/md0/md/sync_completed"
ctl metrics --control "$box/none" | grep '_group_\|_volume_\(info\|state\|reads_total\|parked\)'
valid
# group STATE - what is 1, and what is copied
group() {
	echo "-- $1"
	tool metrics --control "$box/none" >"$box/stdout" 2>"$box/stderr" || echo "exit $?"
	sed 's/^/! /' "$box/stderr"
	valid
	cat "$box/stdout" >>"$box/all"
	grep '^farmem_group_\(readable\|state.* 1$\|copied\)' "$box/stdout"
}
echo idle >"$box/sys/block/md0/md/sync_action"
echo check >"$box/sys/block/md1/md/sync_action"
echo "4000 / 4000" >"$box/sys/block/md1/md/sync_completed"
group "comparing, which is no trouble"
rack_lose far-1
group "degraded"
rack_step 1 kill group create half --size 32M --server 10.0.1.3
group "unfinished"
echo '{' >"$box/root/var/lib/farmem/groups/broken.json"
group "a record that can't be read spoils no other, and is no failure"
rack_crash
rm -r "$box/sys/module/farmem"
group "without the module"
rm "$box"/root/var/lib/farmem/groups/*
group "without groups too"

# Each metric that an alert, the console or the board asks for is there, and each state.
jq -e .panels "$repo/packaging/grafana/farmem.json" >/dev/null || echo "the board is no JSON"
for file in prometheus/farmem.rules.yml prometheus/consoles/farmem.html grafana/farmem.json; do
	grep -o '\<farmem_[a-z_]*' "$repo/packaging/$file" | sort -u | while read -r name; do
		grep -q "^${name}[ {]" "$box/all" || echo "$file asks for $name"
	done
done
# shellcheck disable=SC2016 # quotes of Markdown
for object in session volume; do
	sed -n "/^## configfs: a $object/,/^## /s/^| \`state\` | \([^|]*\) |.*/\1/p" "$repo/docs/abi.md" | grep -o '[a-z]*' |
		while read -r state; do
			grep -q "^farmem_${object}_state{.*,state=\"$state\"} [01]$" "$box/all" || echo "no $object state $state"
		done
done
