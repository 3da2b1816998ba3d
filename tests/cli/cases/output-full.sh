# On a full disk no verb of any program says that all is well: what it printed is lost.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
mkdir "$box/answers"
cat >"$box/answers/status" <<END
{"ok":true,"version":1,"pid":812,"release":"0.2.0","size":8589934592,"free":3221225472,"lent":0,"cordoned":true,
"uuid":"11111111-2222-3333-4444-555555555555","dirty":0,"quarantined":0,"slab_size":67108864,"generation":"5eed0001","listen":["0.0.0.0:7471"],"insecure":true,"uptime_s":93}
END
cat >"$box/answers/clients" <<END
{"ok":true,"version":1,"clients":[{"name":"a","identity":"00ff","connected":true,"peer":"10.0.0.1:40000",
"queues":4,"incarnation":"ab12","volumes":1,"bytes":1,"silent_since_s":null,"lease_s":0}]}
END
cat >"$box/answers/volumes" <<END
{"ok":true,"version":1,"volumes":[{"client":"a","uuid":"11111111-2222-3333-4444-555555555555",
"name":"data","bytes":3221225472,"regions":1,"open":true}]}
END
for verb in release disconnect cordon drain uncordon reload stop; do
	echo '{"ok":true,"version":1,"released":1073741824}' >"$box/answers/$verb"
done
mkfifo "$box/leash"
"$helpers/fake-farmemd" "$box/sock" "$box/answers" <"$box/leash" &
exec 9>"$box/leash"
until [ -S "$box/sock" ]; do sleep 0.05; done
put "$box/keys" 'node1 000102030405060708090a0b0c0d0e0f'
chmod 600 "$box/keys"
echo '0 FARMEM_SESSION=s FARMEM_OLD_STATE=live FARMEM_STATE=recovering' >"$box/events"

volumes=$FARMEM_ROOT/etc/farmem/volumes.d
mkdir -p "$volumes"
printf '%s\n' 'server = 10.0.0.2' 'size = 1G' >"$volumes/other.conf"

mkdir -p "$FARMEM_ROOT/var/lib/farmem/groups" "$FARMEM_PROC/sys/kernel/random"
echo 01234567-89ab-cdef-0123-456789abcdef >"$FARMEM_PROC/sys/kernel/random/uuid"
cat >"$FARMEM_ROOT/var/lib/farmem/groups/far.json" <<END
{"version":1,"size":67108864,"chunk":67108864,"copies":1,"next":2,"made":true,"options":[],
"servers":[{"address":"10.0.0.2:7471","domain":"a"}],"orphans":[],"chunks":[{"volume":"far-1",
"uuid":"11111111-2222-3333-4444-555555555555","server":"10.0.0.2:7471","pair":0,"size":71303168,"current":true}]}
END

# What each verb needs to succeed.
declare -A arguments=(
	["volume list"]='' ["volume show"]='one' ["volume create"]='new --size 1G --server 10.0.0.2'
	["volume delete"]='one' ["session list"]='' ["session show"]='10.0.0.2:7471'
	["session create"]='other --server 10.0.0.3' ["session delete"]='spare'
	["key generate"]='node1' ["key derive"]="node1 --key $box/keys --uuid 11111111-2222-3333-4444-555555555555"
	["apply"]='--dry-run' ["save"]='one' ["stats"]='' ["top"]='--interval 0.1 --count 1' ["metrics"]="--control $box/sock" ["doctor"]='' ["monitor"]='' ["status"]='' ["ls"]='' ["wait"]='one'
	["group list"]='' ["group show"]='far' ["group chunks"]='far'
	["group create"]='new --size 64M --server 10.0.0.2 --dry-run'
	["server show"]="--control $box/sock" ["server list"]="--control $box/sock"
	["server release"]="--client a --force --control $box/sock"
	["server disconnect"]="--client a --control $box/sock" ["server cordon"]="--control $box/sock"
	["server uncordon"]="--control $box/sock" ["server drain"]="--control $box/sock" ["server stop"]="--control $box/sock"
	["server reload"]="--control $box/sock" ["cluster status"]='' ["cluster servers"]='' ["cluster groups"]=''
)
mkdir "$box/agent"
printf '#!/bin/sh\necho %s\n' "'"'{"version":1,"servers":[{"host":"n1"}],"groups":[{"node":"n1"}]}'"'" >"$box/agent/farmem-agent"
chmod +x "$box/agent/farmem-agent"
export PATH=$box/agent:$PATH

scene() {
	rm -rf "$box/config" "$box/sys/block"/farmem* "$volumes/one.conf"
	mkdir -p "$box/config/sessions" "$box/config/volumes"
	echo "rdma local" >"$box/config/features"
	quiet volume create one --size 4G --server 10.0.0.2
	quiet session create spare --server 10.0.0.9
}

# lost COMMAND... - it must print something, and notice when that is lost
lost() {
	local rc=0

	"$@" >"$box/whole" 2>/dev/null
	[ -s "$box/whole" ] || echo "NOTHING PRINTED: ${*##*/}"
	[ "$2" = --help ] || [ "$1" != tool ] || scene
	"$@" >/dev/full 2>"$box/said" || rc=$?
	[ $rc -eq 1 ] || echo "EXIT $rc: ${*##*/}"
	grep -qs "standard output can't be written" "$box/said" || cat "$box/said"
}

lost tool --help
lost tool --version
tool --help | sed -n '/^Commands:/,/^$/s/^ \([a-z ]*[a-z]\) .*/\1/p' | sed 's/  .*//' >"$box/verbs"
while read -r verb; do
	# What needs mdadm and LVM, and what prints nothing.
	case $verb in
	"group list" | "group show" | "group chunks" | "group create") ;;
	"group "* | "volume set") continue ;;
	esac
	# shellcheck disable=SC2086 # words
	set -- $verb
	[ -v "arguments[$verb]" ] || echo "UNKNOWN HERE: $verb"
	lost tool "$@" --help
	for json in '' --json; do
		[ -z "$json" ] || tool "$@" --help | grep -- ' --json' >/dev/null || continue
		# It prints nothing else.
		[ "$verb$json" != wait ] || continue
		scene
		export FAKE_EVENTS=$box/events
		# shellcheck disable=SC2086 # words
		lost tool "$@" ${arguments[$verb]} $json
		unset FAKE_EVENTS
	done
done <"$box/verbs"
grep -c . "$box/verbs"
lost "$build/farmem-verbs" --help
lost "$build/farmem-verbs" client --help
lost "$build/farmem-verbs" explain all
lost "$build/farmem-verbs" explain all --json
# A step that fails is told, and that was asked for.
lost "$build/farmem-fabric" visit 192.0.2.1:7471 node1 '' ''
lost "$build/farmemd" --help
lost "$build/farmemd" --version
rm "$box/sock"
# This machine may not be fit for a memory server: see tests/vm/cases/verbs-output-full.sh.
rc=0
"$build/farmemd" --check --size 64M --insecure >/dev/full 2>/dev/null || rc=$?
echo "farmemd --check: exit $rc"
