# Two commands at once: while the first is at each of its steps in turn, the second
# runs to its end, or until it waits for the first.  What both print, and what they
# leave, must be what one after the other, in either order, prints and leaves.
server=10.0.0.2:7471
# Some hundreds of commands, each of which another case runs under valgrind.
export VALGRIND=
export FAKE_GATE=$box/gate FAKE_FAIL="volumes/bad/uuid=22"

# begin VERB... - what the second command may meet.
one() { quiet volume create one --size 4G --server $server; }
off() { one; quiet volume delete one --keep; quiet session create far --server $server; }
none() { :; }

# said NAME COMMAND... - run it; its output and exit code go to $box/NAME.said
said() {
	local rc=0

	# shellcheck disable=SC2086 # the command's words
	tool $2 >"$box/$1.said" 2>&1 || rc=$?
	echo "exit $rc" >>"$box/$1.said"
}

# setting SCENE - begin anew
setting() {
	rm -rf "$box"/{config,sys,proc,gate,*.said}
	if [ -d "$box/scene-$1" ]; then
		cp -a "$box/scene-$1"/* "$box"
	else
		tree_make
		"$1"
		mkdir "$box/scene-$1"
		cp -a "$box"/{config,sys,proc} "$box/scene-$1"
	fi
	mkdir "$FAKE_GATE"
}

result() {
	cat "$box"/{first,second}.said
	(cd "$box/config" && grep -r . sessions volumes | sort)
}

# until_there FILE PID - or until the process has ended
until_there() {
	while [ ! -e "$1" ] && kill -0 "$2" 2>/dev/null; do sleep 0.005; done
}

# together SCENE FIRST SECOND
together() {
	local step first second wrong=0 orders=()

	setting "$1"
	said first "$2"
	said second "$3"
	orders[0]=$(result)
	setting "$1"
	said second "$3"
	said first "$2"
	orders[1]=$(result)
	for ((step = 1; ; step++)); do
		setting "$1"
		FAKE_PAUSE=$step said first "$2" &
		first=$!
		until_there "$FAKE_GATE/paused" $first
		[ -e "$FAKE_GATE/paused" ] || break
		said second "$3" &
		second=$!
		until_there "$FAKE_GATE/waiting" $second
		touch "$FAKE_GATE/go"
		wait $first $second
		case $(result) in "${orders[0]}" | "${orders[1]}") continue ;; esac
		wrong=$((wrong + 1))
		[ $wrong -gt 1 ] || cat "$box"/*.said
	done
	wait $first
	echo "with $1: $2 | $3: $wrong of $((step - 1)) as in no order"
}

create="volume create one --size 4G --server $server"
create2="volume create two --size 1G --server $server"
bad="volume create bad --size 1G --uuid bad --server $server"
for second in "$create" "$create2" "session create $server --server $server"; do
	together none "$create" "$second"
done
together none "$bad" "$create"
together none "$create" "$bad"
for second in "$create" "$create2" "volume delete one" "session delete $server"; do
	together one "volume delete one" "$second"
done
together one "$create2" "volume delete one"
together one "$create2" "session delete $server"
together off "session delete far" "volume create two --size 1G --session far"
together off "volume create two --size 1G --session far" "session delete far"
for second in "session create a --server $server" "session create b --server $server" "$create"; do
	together none "session create a --server $server" "$second"
done
together none "$create" "volume delete one --force"
together one "session create a --server $server --client other" "volume delete one"
together one "volume delete one" "volume delete one --keep"
together one "volume delete one --force" "volume delete one"
together one "volume delete one --force" "session delete $server"
for second in "session delete far" "session create far --server $server" "$create2"; do
	together off "session delete far" "$second"
done
# By force I/O fails before the command waits for the one that works on the volume.
setting none
FAKE_PAUSE=8 said first "$create" &
until_there "$FAKE_GATE/paused" $!
said second "volume delete one --force" &
until_there "$FAKE_GATE/waiting" $!
grep -r . "$box/config/volumes/one/io_deadline"
touch "$FAKE_GATE/go"
wait
cat "$box"/{first,second}.said
