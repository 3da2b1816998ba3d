# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the cases of tests/agent are made of: an etcd, stand-ins for farmemd, agents. run
# ends what a case began.
#
#   $box       a folder of the case's own
#   $endpoint  where its etcd is, once it was started
#
#   die TEXT...                 the case fails
#   soon COMMAND...             wait until it succeeds, a minute at most
#   etcd_start [OPTION...]      and wait until it answers; again after etcd_stop: with its data
#   etcd_stop
#   ctl COMMAND...              etcdctl
#   server NAME [JQ=VALUE...]   a stand-in for farmemd at $box/NAME.sock, with such a status
#   server_gone NAME
#   agent NAME [LINE...]        an agent of that server, with such lines in its file; $endpoints
#                               are its etcds', unless it is the one
#   watcher NAME [GROUP...]     that node's groups, in JSON, as farmemctl group watch writes them
#   agent_signal NAME SIGNAL    and wait for its end, unless it is STOP or CONT
#   has, field, asked, said     see there
#   authority NAME, certificate NAME SUBJECT
#                               $box/NAME.pem and .key: that of "ca", and one that it signed
#   listed                      "HOST FREE CORDONED" of all servers, as farmemctl knows them

die() {
	echo "$*" >&2
	exit 1
}

soon() {
	local end=$((SECONDS + 60))

	until "$@"; do
		((SECONDS < end)) || die "never: $*"
		sleep 0.2
	done
}

# Somebody else may have the ports.
etcd_start() {
	local tries port

	for ((tries = 0; tries < 20; tries++)); do
		[[ -n ${endpoint-} ]] || port=$((20000 + SRANDOM % 20000))
		port=${port:-${endpoint##*:}}
		endpoint=${scheme:-http}://127.0.0.1:$port
		"$etcd/etcd" --data-dir "$box/etcd" --listen-client-urls "$endpoint" --advertise-client-urls "$endpoint" \
			--listen-peer-urls "http://127.0.0.1:$((port + 1))" --initial-cluster "$box=http://127.0.0.1:$((port + 1))" --name "$box" \
			--initial-advertise-peer-urls "http://127.0.0.1:$((port + 1))" --log-level error "$@" \
			>>"$box/etcd.log" 2>&1 &
		etcd_pid=$!
		while kill -0 "$etcd_pid" 2>/dev/null; do
			! ctl member list 2>/dev/null | grep -F "$box" >/dev/null || return 0
			sleep 0.1
		done
		wait "$etcd_pid" || true
		[[ ! -e $box/etcd.began ]] || die "etcd does not start again: $(tail -n 3 "$box/etcd.log")"
		unset endpoint
		rm -rf "$box/etcd"
	done
	die "etcd does not start: $(tail -n 3 "$box/etcd.log")"
}

etcd_stop() {
	: >"$box/etcd.began"
	kill "$etcd_pid"
	wait "$etcd_pid" || true
}

ctl() {
	# shellcheck disable=SC2086 # words
	ETCDCTL_API=3 "$etcd/etcdctl" --endpoints "$endpoint" ${ctl_options-} "$@"
}

# server NAME FREE [FIELD=JSON...] - of 1 GiB, in a unit of 1 MiB.
server() {
	local name=$1 free=$2 field
	shift 2

	mkdir -p "$box/$name"
	[[ -e $box/$name.sock ]] || : >"$box/$name/requests"
	python3 - "$free" "$@" >"$box/$name/status.new" <<-'EOF'
		import json, sys
		status = {"ok": True, "version": 1, "release": "0.2.0", "size": 1 << 30, "slab_size": 1 << 20,
		          "free": int(sys.argv[1]) << 20, "cordoned": False, "uuid": "1", "listen": ["10.0.0.1:7471"]}
		for word in sys.argv[2:]:
		    name, value = word.split("=", 1)
		    status[name] = json.loads(value)
		print(json.dumps(status))
	EOF
	mv "$box/$name/status.new" "$box/$name/status"
	[[ ! -e $box/$name.sock ]] || return 0
	mkfifo "$box/$name.fifo"
	"$build/tests/cli/fake-farmemd" "$box/$name.sock" "$box/$name" <"$box/$name.fifo" &
	# It ends with its standard input.
	exec {field}>"$box/$name.fifo"
	soon test -S "$box/$name.sock"
	eval "server_$name=$field"
}

server_gone() {
	local fd=server_$1

	exec {fd}>&-
	rm "$box/$1.sock" "$box/$1.fifo"
}

agent() {
	local name=$1
	shift

	printf '%s\n' "etcd = ${endpoints-$endpoint}" "status-socket = $box/$name.sock" "domain = rack-$name" "$@" \
		>"$box/$name.conf"
	[[ " $*" == *" ttl = "* ]] || echo "ttl = 5" >>"$box/$name.conf"
	chmod 0600 "$box/$name.conf"
	FARMEM_RUN="$box/run-$name" ${VALGRIND:+valgrind -q --leak-check=full --error-exitcode=99} \
		"$build/farmem-agent" --config "$box/$name.conf" >>"$box/$name.log" 2>&1 &
	eval "agent_$name=$!"
}

watcher() {
	local folder=$box/run-$1/farmem-groups IFS=,
	shift

	mkdir -p "$folder"
	printf '{"version": 1, "groups": [%s]}' "$*" >"$folder/groups.json.new"
	# A watcher that lives writes again and again.
	touch -d "+1 day" "$folder/groups.json.new"
	mv "$folder/groups.json.new" "$folder/groups.json"
}

# group NAME STATE [FIELD...] - one of them.
group() {
	local more=''

	(($# < 3)) || more=$(printf ', %s' "${@:3}")
	echo "{\"name\": \"$1\", \"size\": 4194304, \"copies\": 2, \"state\": \"$2\", \"servers\": [\"10.0.0.1:7471\"]$more}"
}

agent_signal() {
	local pid=agent_$1 status=0

	kill -"$2" "${!pid}"
	[[ $2 != STOP && $2 != CONT ]] || return 0
	wait "${!pid}" || status=$?
	[[ $2 == KILL || $status == 0 ]] || die "agent $1 ended with $status: $(<"$box/$1.log")"
}

listed() {
	"$build/farmemctl" cluster servers --config "$box/${reader:-a}.conf" --noheadings --bytes \
		--output domain,free,cordoned 2>&1 | awk '{ $1 = $1; print }'
}

# groups_listed [LINE...] - are these the groups, as "NODE NAME STATE"?
groups_listed() {
	[[ $("$build/farmemctl" cluster groups --config "$box/${reader:-a}.conf" --noheadings --output node,name,state 2>&1 |
		awk '{ $1 = $1; print }') == "$(printf '%s\n' "$@")" ]]
}

# lists [LINE...] - are these the servers?
lists() {
	[[ $(listed) == "$(printf '%s\n' "$@")" ]]
}

# has KEY TEXT - is that in the key's value?
has() {
	[[ $(ctl get --print-value-only "$1") == *"$2"* ]]
}

# field KEY NAME - a number that etcd has of a key: mod_revision, version, lease.
field() {
	ctl get -w json "$1" | grep -o "\"$2\":[0-9]*"
}

# asked NAME COUNT - has the stand-in been asked so often since it began?
asked() {
	(($(wc -l <"$box/$1/requests") >= $2))
}

# said NAME COUNT TEXT - has an agent said so that often?
said() {
	(($(grep -c -- "$3" "$box/$1.log") == $2))
}

# What a case believes, and what it signs for 127.0.0.1.
authority() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" \
		-keyout "$box/$1.key" -out "$box/$1.pem" 2>/dev/null
}

certificate() {
	openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "$2" \
		-keyout "$box/$1.key" -out "$box/$1.csr" 2>/dev/null
	openssl x509 -req -in "$box/$1.csr" -CA "$box/ca.pem" -CAkey "$box/ca.key" -CAcreateserial -days 2 \
		-extfile <(echo "subjectAltName=IP:127.0.0.1") -out "$box/$1.pem" 2>/dev/null
}
