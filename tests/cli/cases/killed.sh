# A command that is killed leaves what it has made so far.  Whatever its last step was,
# the next command for that server works, and what is left can be deleted.
server=10.0.0.2:7471
export FAKE_GATE=$box/gate

# killed STEP - volume create, killed as it asks the kernel for the STEPth time
killed() {
	rm -rf "$box"/{config,sys,proc,gate}
	tree_make
	mkdir "$FAKE_GATE"
	FAKE_PAUSE=$1 LD_PRELOAD=$helpers/fake-kernel.so \
		"$build/farmemctl" volume create one --size 4G --server $server >/dev/null &
	while [ ! -e "$FAKE_GATE/paused" ] && kill -0 $! 2>/dev/null; do sleep 0.005; done
	[ -e "$FAKE_GATE/paused" ] || return
	kill -KILL $!
	wait $! 2>/dev/null
	rm "$FAKE_GATE/paused"
	# The module ends an attempt whose command is killed.
	for state in "$box"/config/sessions/*/state; do
		[ "$(cat "$state" 2>/dev/null)" != connecting ] || echo 0 >"${state%state}power"
	done
}

for ((step = 1; ; step++)); do
	killed $step || break
	echo "killed at step $step"
	left
	ctl volume create two --size 1G --server $server
	[ ! -d "$box/config/volumes/one" ] || quiet volume delete one
	quiet volume delete two
	left
done

# What it left stays out of the way of a session that somebody has made since.
killed 5
echo 0 >"$box/config/sessions/$server/power"
unset FAKE_GATE
quiet session create default --server $server
ctl volume create two --size 1G --server $server
ctl volume list -o name,session

# A name that a person gave to a session to another server.
rm -rf "$box"/{config,sys,proc,gate}
tree_make
quiet session create $server --server 10.0.0.9
ctl volume create two --size 1G --server $server
left
