# SPDX-License-Identifier: GPL-2.0
# Bytes of the compute node's memory: for a volume, for each GiB of it, for a
# session with one queue, for a second queue. Measured, and beside that
# computed from what is allocated. On a node of its own, or the server's memory
# would count as well.
# CONTENDERS: farmem
# MODES: nodes
# LAST: it lets go of caches that others use

CONFIG=/sys/kernel/config/farmem
# So many at once that a slab more or less does not show.
SESSIONS=16

# held_now - bytes in slabs, in per-CPU memory, and in vmalloc areas of farmem and
# of the RDMA core. What is only kept for later is let go of first.
held_now() {
	local cache

	echo 2 >/proc/sys/vm/drop_caches
	for cache in /sys/kernel/slab/*/shrink; do
		echo 1 >"$cache"
	done
	{
		awk 'NR > 2 { print $6 * 4096, $15 }' /proc/slabinfo
		awk '/^Percpu/ { print $2, 1024 }' /proc/meminfo
		sed -nE '/\[(farmem|rdma_rxe|ib_core|rdma_cm)\]/s/.* pages=([0-9]+).*/\1 4096/p' \
			/proc/vmallocinfo
	} | awk '{ n += $1 * $2 } END { printf "%.0f\n", n }'
}

# held - the least of many readings: what is freed in the background goes a grace
# period later, and a slab more or less comes and goes with every program run. At
# rest is what ten readings in a row found nothing less than.
held() {
	local least is since=0 try

	least=$(held_now)
	for ((try = 0; try < 200 && since < 10; try++)); do
		sleep 0.2
		is=$(held_now)
		since=$((since + 1))
		if ((is < least)); then
			least=$is since=0
		fi
	done
	((since == 10)) || die "the node's memory does not come to rest"
	echo "$least"
}

# make_object OBJECT KEY=VALUE... - in configfs, and powers it on.
make_object() {
	local setting

	mkdir "$CONFIG/$1"
	for setting in "${@:2}" power=1; do
		echo "${setting#*=}" >"$CONFIG/$1/${setting%%=*}"
	done
}

drop_object() {
	echo 0 >"$CONFIG/$1/power"
	rmdir "$CONFIG/$1"
}

make_sessions() {
	local n

	for ((n = 0; n < SESSIONS; n++)); do
		make_object "sessions/bench-$1-$n" "server=$FARMEM_SERVER:7471" \
			"client=bench-$1-$n" "queues=$1" "connect_timeout=$CONNECT_TIMEOUT"
	done
}

drop_sessions() {
	local object

	for object in "$CONFIG"/sessions/bench-*; do
		drop_object "sessions/${object##*/}"
	done
}

# volume SIZE - what one of that size holds.
volume() {
	local before

	before=$(held)
	make_object volumes/bench session=default "size=$1"
	echo $(($(held) - before))
	echo 1 >"$CONFIG/volumes/bench/release"
	rmdir "$CONFIG/volumes/bench"
}

measure_volumes() {
	local small big slab

	slab=$(<"$CONFIG/sessions/default/slab_size")
	small=$(volume 16M)
	big=$(volume 1040M)
	record "$small" bytes volume
	record "$((big - small))" bytes per-gib
	# Two bits for each page, a pointer for each slab.
	record "$(((1 << 30) * 2 / 4096 / 8 + (1 << 30) * 8 / slab))" bytes per-gib-computed
}

# ring ENTRIES BYTES - of soft-RoCE: powers of two, an entry always free, a head.
ring() {
	local entries=1 bytes=64

	while ((entries < $1 + 1)); do entries=$((entries * 2)); done
	while ((bytes < $2)); do bytes=$((bytes * 2)); done
	echo $(((384 + entries * bytes + 4095) / 4096 * 4096))
}

# computed_queue RECEIVES - send and receive queue and CQ: 128 work requests of 32
# SGEs and two to spare.
computed_queue() {
	echo $(($(ring 130 $((208 + 32 * 16))) + $(ring "$1" $((40 + 16))) + $(ring $((130 + $1)) 64)))
}

# Requests, message buffers, and the queue that takes messages.
computed_session() {
	local request

	request=$(awk '$1 == "farmem_request" { print $4 }' /proc/slabinfo)
	echo $((64 * request + 9 * 4096 + $(computed_queue 8)))
}

measure_sessions() {
	local none one two

	none=$(held)
	make_sessions 1
	one=$(held)
	make_sessions 2
	two=$(held)
	drop_sessions
	record "$(((one - none) / SESSIONS))" bytes session
	record "$(computed_session)" bytes session-computed
	record "$(((two - one - (one - none)) / SESSIONS))" bytes per-queue
	record "$(computed_queue 1)" bytes per-queue-computed
}

work() {
	farmem_stop
	LEND_MIB=1408 farmem_start >/dev/null
	measure_volumes
	measure_sessions
	farmem_stop
	farmem_start >/dev/null
}
