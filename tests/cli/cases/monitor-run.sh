# Programs that run for changes of state: what they are told, and which are not run.
scene_volume
cat >"$box/events" <<END
0 change@/module/farmem FARMEM_SESSION=10.0.0.2:7471 FARMEM_STATE=recovering FARMEM_OLD_STATE=live
0 change@/devices/virtual/block/farmem1 FARMEM_VOLUME=new FARMEM_STATE=live
END
export FAKE_EVENTS=$box/events
stamp='s/[0-9]\{4\}-[0-9-]*T[0-9:]*\.[0-9]\{3\}+0000/TIME/'
hooks=$box/events.d

# hook NAME - a program of the folder, from standard input.
hook() {
	{ echo '#!/bin/sh'; cat; } >"$hooks/$1"
	chmod 755 "$hooks/$1"
}

run() { ctl monitor --run "$hooks" "$@" | sed "$stamp"; }

run
mkdir -m 755 "$hooks"
hook 10-says <<'END'
echo "$FARMEM_OBJECT|$FARMEM_NAME|$FARMEM_OLD|$FARMEM_NEW|$FARMEM_TIME"
# SIGTERM ends it, though farmemctl waits for that at one place alone.
grep SigBlk /proc/self/status
END
hook 20-fails <<<'exit 7'
hook 30-last <<<'echo last'
run
run --json
# Its own children end with one that takes too long, and the next one runs.
head -n 1 "$box/events" >"$box/one" && mv "$box/one" "$box/events"
ln -s "$(command -v sleep)" "$box/nap"
hook 20-fails <<<"'$box/nap' 1000 & wait"
FAKE_HASTE=100 run
# Those that somebody else could have written, that are of no program's name, or are none.
hook 20-fails <<<'echo WRONG'
hook 25-foreign <<<'echo WRONG'
hook 27.sh <<<'echo WRONG'
hook .hidden <<<'echo WRONG'
echo "no program" >"$hooks/README"
chmod 775 "$hooks/20-fails"
FAKE_FOREIGN=25-foreign run
chmod 777 "$hooks"
run
chmod 755 "$hooks"
FAKE_FOREIGN=events.d run
# The examples.
rm -r "$hooks"
mkdir -m 755 "$box/bin" "$hooks"
install -m 755 "$repo"/packaging/events.d/* "$hooks"
for name in logger sendmail; do
	printf '#!/bin/sh\necho %s "$@"\n[ %s = logger ] || cat\n' "$name" "$name" >"$box/bin/$name"
	chmod 755 "$box/bin/$name"
done
PATH=$box/bin:$PATH run 2>&1 | sed 's/host: .*/host: HOST/'
