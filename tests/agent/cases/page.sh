# SPDX-License-Identifier: GPL-2.0
# The page shows what the directory has, to browsers that only look.

etcd_start
server a 512 lent=$((256 << 20)) wanted=$((64 << 20))
watcher a "$(group big live '"chunks": [{"server": "10.0.0.1:7471", "state": "live"}]')"
port=$((20000 + SRANDOM % 20000))
while ss -ltnH "sport = :$port" | grep .; do
	port=$((20000 + SRANDOM % 20000))
done
url=http://127.0.0.1:$port
# It is not to be forgotten while etcd hangs.
agent a "node = n1" "page = $port" "ttl = 600"
asks() { curl -sS --noproxy '*' --max-time 30 "$@"; }
# shows JQ - is that true of what the page reads?
shows() { asks "$url/cluster.json" | jq -e "$1" >/dev/null; }

soon lists "rack-a $((512 << 20)) no"
soon shows '.servers[0] | .host != null and .lent == 268435456 and .wanted == 67108864 and .free == 536870912'
soon shows '.groups[0] | .node == "n1" and .name == "big" and .chunks[0].state == "live"'
asks "$url/" >"$box/page"
cmp "$box/page" "$build/../tools/agent/page.html" || die "another page"
asks -I "$url/" | grep -i "^content-security-policy: default-src 'none';" >/dev/null || die "no policy"

# A stranger's page, whose name is given this address, reads nothing.
for host in "127.0.0.1:$port" '[::1]' localhost "LOCALHOST:$port"; do
	[[ $(asks -o /dev/null -w '%{http_code}' -H "Host: $host" "$url/cluster.json") == 200 ]] || die "not at $host"
done
for host in evil.example localhost.example 127.0.0.1.example ''; do
	[[ $(asks -o /dev/null -w '%{http_code}' -H "Host;" -H "Host: $host" "$url/cluster.json") != 200 ]] || die "at '$host'"
done

# Nothing else is there, and nothing is changed.
[[ $(asks -o /dev/null -w '%{http_code}' "$url/farmem") == 404 ]] || die "/farmem is there"
[[ $(asks -o /dev/null -w '%{http_code}' -d x "$url/cluster.json") == 405 ]] || die "it takes what is posted"

# Many browsers are one question, and one that goes while it waits is no loss.
waits() { ! timeout 1 curl -sS --noproxy '*' "$url/cluster.json" >/dev/null; }
ranges() { asks "$endpoint/metrics" | awk '$1 == "etcd_debugging_mvcc_range_total" { print $2 }'; }
before=$(ranges)
kill -STOP "$etcd_pid"
soon waits
children=()
for ((i = 0; i < 8; i++)); do
	asks "$url/cluster.json" >"$box/answer.$i" &
	children+=($!)
done
timeout 1 curl -sS --noproxy '*' "$url/cluster.json" >/dev/null || true
kill -CONT "$etcd_pid"
wait "${children[@]}"
# One is four questions, and it may have begun twice.
asked=$(ranges)
((asked - before <= 10)) || die "8 browsers asked $((asked - before)) questions"
# etcd may have been away for too long.
for ((i = 0; i < 8; i++)); do
	jq -e '(.servers | length == 1) or .error' "$box/answer.$i" >/dev/null || die "browser $i: $(<"$box/answer.$i")"
done

# etcd that is away is said, in bounded time; then all is there again.
etcd_stop
soon shows '.error | strings | test("connect")'
etcd_start
soon shows '.servers[0].lent == 268435456'

# The address may be taken: what else the agent does goes on, and it tries again. Or it is no address.
server b 256 uuid='"2"'
agent b "page = $port"
soon grep -q "page: 127.0.0.1:$port: Address already in use; still trying" "$box/b.log"
soon has /farmem/1/load/2 268435456
printf '%s\n' "etcd = $endpoint" "page = node:80" >"$box/two.conf"
chmod 0600 "$box/two.conf"
! "$build/farmem-agent" --check --config "$box/two.conf" 2>"$box/told" || die "a page at a name"
grep -q "two.conf:2: page: 'node:80' is neither a port" "$box/told" || die "$(<"$box/told")"

# It ends while browsers wait.
kill -STOP "$etcd_pid"
soon waits
asks "$url/cluster.json" >/dev/null 2>&1 &
agent_signal a TERM
kill -CONT "$etcd_pid"
soon grep -q "page: http://127.0.0.1:$port/" "$box/b.log"
