# SPDX-License-Identifier: GPL-2.0
# packaging/examples/etcd: clusters of one, three and five members, as the examples say, of which
# as many may be away as these promise.
examples=$here/../../packaging/examples/etcd

# member EXAMPLE NUMBER - that of the example, here
member() {
	local name=$1 number=$2 folder=$box/$1-$2

	mkdir -p "$folder"
	sed -E "/^ETCD_INITIAL_CLUSTER=/! s/192.0.2.11/192.0.2.$((10 + number))/; s/^(ETCD_NAME=node).*/\1$number/
		s|/etc/etcd/|$box/|; s/^ETCD_INITIAL_CLUSTER_TOKEN=.*/&-$name/" "$examples/$name" |
		sed -E ":again; s/192\.0\.2\.1([1-5]):23(79|80)/127.0.0.1:$((base))\1\2/; t again" >"$folder/default"
	# What systemd does with the file.
	# shellcheck disable=SC2046 # words
	env $(grep -v '^#' "$folder/default") ETCD_DATA_DIR="$folder/data" "$etcd/etcd" --log-level error >>"$folder/log" 2>&1 &
	members[number]=$!
}

# address_of NUMBER
address_of() { echo "https://127.0.0.1:$base${1}79"; }
is_well() { ctl endpoint health >/dev/null 2>&1; }

authority ca
certificate client /O=farmem
certificate peer /O=farmem
# shellcheck disable=SC2034 # of lib.sh
ctl_options="--cacert $box/ca.pem"
server a 512
for name in one three five; do
	case $name in one) count=1 ;; three) count=3 ;; five) count=5 ;; esac
	[[ $(grep -c . <(grep '^ETCD_INITIAL_CLUSTER=' "$examples/$name" | grep -o 'https://')) == "$count" ]] ||
		die "$name: not of $count members"
	# Ports that nobody has, as far as can be seen: base, member, 79 or 80.
	base=$((20 + SRANDOM % 30))
	members=()
	for ((n = 1; n <= count; n++)); do
		member $name $n
	done
	all=$(for ((n = 1; n <= count; n++)); do address_of $n; done | paste -sd,)
	# shellcheck disable=SC2034 # of lib.sh
	endpoint=$all
	soon is_well
	# shellcheck disable=SC2034 # of lib.sh
	endpoints=${all//,/$'\n'etcd = }
	agent a "ca = $box/ca.pem"
	soon lists "rack-a $((512 << 20)) no"
	# The first ones, which the agent asks first.
	for ((n = 1; n <= (count - 1) / 2; n++)); do
		kill -KILL "${members[n]}"
	done
	server a 256
	soon lists "rack-a $((256 << 20)) no"
	# A single one is there again, with what it was told.
	if ((count == 1)); then
		agent_signal a KILL
		kill "${members[1]}"
		wait "${members[1]}" || true
		member one 1
		soon lists "rack-a $((256 << 20)) no"
	else
		agent_signal a TERM
	fi
	server a 512
	kill -KILL "${members[@]}" 2>/dev/null || true
done
