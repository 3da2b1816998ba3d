# farmemd --show-config: what farmemctl doctor reads, whatever the file is like.

# shown FILE OPTION... - a few members, what is said beside them, and the status
shown() {
	local rc=0

	"$build/farmemd" --show-config --config "$@" >"$box/json" 2>"$box/stderr" || rc=$?
	jq -c '{file, error, size, locked, missing, hugepages, pool, port, control}' "$box/json"
	sed 's/^/! /' "$box/stderr"
	echo "exit $rc"
}

conf() { printf '%s\n' '[farmemd]' "$@" >"$box/conf"; }

conf 'size = 1000M' 'keys = /etc/farmem/keys' 'listen = [fd00::1]:99' 'listen = 10.0.0.1' 'control = /run/c'
shown "$box/conf"
shown "$box/conf" --size 64M --listen 10.0.0.1:98
jq -c '[.listen, .keys, .insecure]' "$box/json"
conf 'size = 64M' 'uuid = 5e5e5e5e-0000-4000-8000-0000000000aa' 'insecure = yes' '[client a]' 'quota = 1G' '[client b]' 'quota = 0'
shown "$box/conf"
jq -c '[.uuid, .insecure, .clients, .metrics]' "$box/json"
"$build/farmemd" --show-config --size 1G --insecure --metrics 9471 | jq -c .metrics

# A pool's file has some of it already.
pool=/dev/shm/${box##*/}
conf 'size = 64M' 'insecure = yes' "pool = $pool"
shown "$box/conf" | sed "s|$pool|POOL|"
head -c 1M /dev/zero >"$pool"
shown "$box/conf" | sed "s|$pool|POOL|"
rm "$pool"

echo "-- it is wrong"
shown "$box/none"
conf 'size = 64M' 'sise = 1G'
shown "$box/conf"
conf 'size = 64M'
shown "$box/conf"
shown "$box/conf" --pool /proc/pool --insecure
printf '[farmemd]\n\xe9 = 1\n' >"$box/conf"
shown "$box/conf"

echo "-- of the command line alone"
"$build/farmemd" --show-config --size 64M --insecure | jq -c '{config, file, error}'
"$build/farmemd" --show-config --size 64M --insecure >/dev/full 2>/dev/null || echo "exit $?"
