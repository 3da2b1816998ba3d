# A script may make its volume again and again: one that is there must be what it asks for.
server=10.0.0.2:7471
echo "node1 000102030405060708090a0b0c0d0e0f" >"$box/keys"
make() { ctl volume create data --size 4G --server 10.0.0.2 --if-absent "$@"; }
state() { echo "$1" >"$box/config/volumes/data/state"; }
reason() { echo "$1" >"$box/config/volumes/data/reason"; }
power() { echo "$1" >"$box/config/volumes/data/power"; }

make --client node1 --key "$box/keys" --source 10.0.0.1 --uuid 11111111-2222-3333-4444-55555555aaaa --checksum crc32c --io-deadline 30.0
asked
make
make --client node1 --key ./keys --source 10.0.0.1 --uuid 11111111222233334444-55555555AAAA --checksum crc32c --io-deadline 30 --queues 0x0 --connect-timeout 20 --reconnect-delay 1 --reconnect-max 30 --heartbeat 5 --peer-timeout 7.000
ctl volume create data --size 4194304K --session $server --if-absent --json
state recovering
make
asked

# What differs is named.
state live
ctl volume create data --size 8G --server 10.0.0.2 --if-absent
ctl volume create data --size 4G --server 10.0.0.3 --if-absent
ctl volume create data --size 4G --session other --if-absent
make --uuid 11111111-2222-3333-4444-55555555bbbb
make --sync
make --checksum none
make --io-deadline 31
make --client other
make --key keyring:farmem
make --source 10.0.0.9
make --queues 4
make --connect-timeout 5
make --reconnect-delay 2
make --reconnect-max 9
make --heartbeat 0
make --peer-timeout 3
make --client ''
make --key "$box/none"

# Nor is it what was asked for when its data cannot be had.
state failed
reason "the server does not answer"
make
state lost
reason "the server no longer has this volume's data"
make
asked
left

# One that is off is switched on. It keeps what is not asked for, and what is right already.
state live
reason ""
quiet volume delete data --keep
quiet session create $server --server 10.0.0.2
quiet volume create data --size 4G --server 10.0.0.2 --uuid 11111111-2222-3333-4444-55555555aaaa
power 0
state off
rm -r "$box/sys/block/farmem0" "$box/log"
make --io-deadline 5
asked
power 0
state off
rm -r "$box/sys/block/farmem0"
FAKE_FAIL="volumes/data/power=28:the pool has too little free memory" make
FAKE_SIGNAL=volumes/data/power make
asked
left

# Whatever a command that was killed has left, the same command goes on from there.
export FAKE_GATE=$box/gate
for ((step = 1; ; step++)); do
	rm -rf "$box"/{config,sys,proc,gate}
	tree_make
	mkdir "$FAKE_GATE"
	FAKE_PAUSE=$step LD_PRELOAD=$helpers/fake-kernel.so \
		"$build/farmemctl" volume create data --size 4G --server $server --if-absent >/dev/null &
	while [ ! -e "$FAKE_GATE/paused" ] && kill -0 $! 2>/dev/null; do sleep 0.005; done
	[ -e "$FAKE_GATE/paused" ] || break
	kill -KILL $!
	wait $! 2>/dev/null
	rm "$FAKE_GATE/paused"
	[ "$(cat "$box/config/sessions/$server/state" 2>/dev/null)" != connecting ] ||
		echo 0 >"$box/config/sessions/$server/power"
	echo "killed at step $step"
	left
	make | head -2
	left
done
