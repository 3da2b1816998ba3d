# What takes long says so on a terminal: what it waits for, for how long, and no more than that.
export FAKE_GATE=$box/gate
server=10.0.0.2:7471

# on_terminal HASTE STEP COMMAND... - begin it; it pauses at that step of what it asks the kernel.
# Its clock runs HASTE times as fast.  BEFORE and BEHIND stand around it in the shell.
on_terminal() {
	local run="env FAKE_HASTE=$1 FAKE_PAUSE=$2 LD_PRELOAD=$helpers/fake-kernel.so $build/farmemctl ${*:3}"

	expected=connecting
	rm -rf "$FAKE_GATE" "$box/screen" "$box/pid"
	mkdir "$FAKE_GATE"
	script -qfec "stty cols ${COLS:-100} rows 24; export TERM=${KIND:-xterm}; ${BEFORE:-}
		(echo \$BASHPID >$box/pid; exec $run) ${BEHIND:-}" "$box/screen" >/dev/null &
	echo "\$ farmemctl ${*:3}"
}

# What is on the terminal, one line above the other where one was written over.  A busy machine
# may be slow elsewhere, too: a line that is not of what the scene waits for was erased again.
screen() {
	sed '/^Script \(started\|done\) on/d; s/\r$//' "$box/screen" |
		sed -zE "s/\r([0-9]+ s: $expected)/\n\1/g; s/(\r[0-9]+ s: [^\r\n]*)+\r\x1b\[K//g" |
		tr '\r' '\n' | sed 's/\x1b/^/g; s/^[0-9]* s: /N s: /' | uniq
}

says() {
	expected=$1
	grep -q " s: $1" "$box/screen" 2>/dev/null
}

let_go() {
	touch "$FAKE_GATE/go"
	wait $!
	screen
}

# long TEXT STEP COMMAND... - it says TEXT while it waits
long() {
	on_terminal 10 "${@:2}"
	soon says "$1"
	let_go
}

# threads - how many the command has: one more draws
threads() {
	local all=(/proc/"$(cat "$box/pid")"/task/*)

	echo "threads: ${#all[@]}"
}

# Do all of them sleep?
asleep() { ! grep -qv ') S ' /proc/"$(cat "$box/pid")"/task/*/stat; }

long connecting 4 volume create data --size 4G --server $server
quiet volume create more --size 1G --server $server
long "volume data ends" 1 volume delete data --keep
long "$server reserves 4G" 4 volume create data --size 4G --server $server
long "$server takes back" 1 volume delete data
quiet volume delete more

# Nor is the kernel all that is waited for: a state, another command, farmemd and programs.
quiet volume create data --size 4G --server $server
on_terminal 10 0 wait data --state lost
soon says "waiting until data"
echo lost >"$box/config/volumes/data/state"
let_go
echo live >"$box/config/volumes/data/state"
mkdir "$box/other"
FAKE_GATE=$box/other FAKE_PAUSE=1 tool volume delete data >/dev/null &
soon test -e "$box/other/paused"
on_terminal 10 0 volume delete data
soon says "waiting until data is let go"
touch "$box/other/go"
let_go
mkdir -p "$box/answers" "$box/run/farmem"
mkfifo "$box/answers/status" "$box/leash"	# the fake ends when the other end is closed
"$helpers/fake-farmemd" "$box/run/farmem/farmemd.sock" "$box/answers" <"$box/leash" &
exec 9>"$box/leash"
soon test -S "$box/run/farmem/farmemd.sock"
on_terminal 10 0 server show
soon says "waiting for farmemd"
echo '{"ok":false,"version":1,"error":"not now"}' >"$box/answers/status"
let_go
exec 9>&-

# A program of that name waits to be let go, and says that.
slow_program() {
	mkdir -p "$box/bin"
	# shellcheck disable=SC2016 # for the program itself
	printf '#!/bin/sh\n[ "$1" = devices ] || until [ -e %s/go ]; do sleep 0.05; done\necho %s\n' \
		"$FAKE_GATE" "${2:-}" >"$box/bin/$1"
	chmod +x "$box/bin/$1"
}
export FARMEM_ROOT=$box/root FARMEM_FABRIC=$box/bin/fabric PATH=$box/bin:$PATH
slow_program blkid swap
slow_program fabric
mkdir -p "$FARMEM_ROOT/etc/farmem/volumes.d"
printf '%s\n' 'server = local' 'size = 64M' '[swap]' >"$FARMEM_ROOT/etc/farmem/volumes.d/mem.conf"
long looking 0 apply
quiet volume delete mem
BEHIND=">/dev/null" long trying 0 doctor --server 10.0.0.2

# Nothing is said before two seconds are over.
on_terminal 0 4 session create s --server $server
soon test -e "$FAKE_GATE/paused"
soon asleep
threads
let_go

# Nor to a program that reads, to a terminal that cannot be written over, or into a shell's prompt.
in_silence() {
	quiet session delete s
	on_terminal 10 4 session create s --server $server "$@"
	soon test -e "$FAKE_GATE/paused"
	threads
	let_go
}
in_silence --json | sed 's/^  *"[^n].*/  .../' | uniq
KIND=dumb in_silence
BEHIND="2>&1 | cat" in_silence
BEFORE="set -m;" BEHIND="& wait" in_silence | sed '/  Done  /d'

# The terminal is narrow; a signal takes the line away, and the message stands alone.
quiet session delete s
COLS=20 on_terminal 10 4 session create s --server $server
soon says connecting
kill -INT "$(cat "$box/pid")"
let_go
# One that is killed takes what draws with it, and the next one works.
on_terminal 10 4 session create s --server $server
soon says connecting
kill -KILL "$(cat "$box/pid")"
let_go >killed
# A busy machine may write the line a second time before the program is gone.
sed 's/bash: line .* Killed .*/^KILLED/' killed | sed -zE 's/(N s: [^\n]*)\n\1\^KILLED/\1^KILLED/'
echo 0 >"$box/config/sessions/s/power"
quiet session delete s
