# Files of groups: what is made of them at boot, after a crash, and at shutdown.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
# shellcheck source=tests/cli/files.sh
. "$here/files.sh"
servers=('server = 10.0.0.2@rack1' 'server = 10.0.0.3@rack2' 'server = 10.0.0.4@rack2')
rack_make
programs

echo "-- what is wrong with them"
file far '[group]' 'server = 10.0.0.2'
ctl apply far
file far '[group]' 'size = 64M' 'server = 10.0.0.2' 'copies = 3'
ctl apply far
file far '[group]' 'size = 64M' 'server = 10.0.0.2' 'start-timeout = 501'
ctl apply far
file far '[group]' 'size = 64M' 'server = 10.0.0.2' 'io-deadline = 3'
ctl apply far
file far 'size = 64M' '[group]' 'server = 10.0.0.2'
ctl apply far
file far '[group]' 'size = 64M' 'server = 10.0.0.2' '[volume]'
ctl apply far
file far 'size = 64M' 'server = 10.0.0.2' 'server = 10.0.0.3'
ctl apply far
file far '[group]' 'server = 10.0.0.2' 'size = 64M' 'size = 65M'
ctl apply far
file far.1 '[group]' 'server = 10.0.0.2' 'size = 64M'
ctl apply far.1
rm "$FARMEM_ROOT/etc/farmem/volumes.d/far.1.conf"

echo "-- of a file system"
file far '[group]' 'size = 64M' 'chunk = 32M' 'copies = 2' "${servers[@]}" 'peer-timeout = 0.5'
ctl apply --dry-run
units
ctl apply far
rack_asked
ctl apply --dry-run far
ctl apply far
rack_asked
ctl apply --undo far
rack_asked
rack_left
ctl apply far
rack_asked
echo "-- a crash, and a server that is away"
rack_crash
export FAKE_FAIL="sessions/10.0.0.3:7471/power=113:no route to the server"
timeout -k 1 20 env LD_PRELOAD="$helpers/fake-kernel.so" "$build/farmemctl" group start far --timeout 0 2>&1 | tail -n 2
unset FAKE_FAIL
ctl apply far
rack_left
ctl apply --undo far
echo 'start-timeout = 7' >>"$FARMEM_ROOT/etc/farmem/volumes.d/far.conf"
ctl apply --dry-run far
quiet group start far
quiet group delete far >/dev/null
rack_asked >/dev/null

echo "-- of swap"
file far '[group]' 'size = 32M' 'copies = 2' "${servers[@]}" '[swap]' 'priority = 100'
units
ctl apply far
rack_asked
called
ctl apply --undo far
rack_asked
rack_left
echo "-- after a crash its bytes are of no use"
quiet apply far 2>/dev/null
rack_crash
echo swap >"$box/content"
rack_asked >/dev/null
called >/dev/null
FAKE_FAIL="sessions/10.0.0.3:7471/power=113:no route to the server" quiet apply far 2>/dev/null
rack_asked
called
ctl group list
echo "-- and if its servers have lost them it is made anew"
rack_crash
rack_empty far-1
rack_empty far-2
called >/dev/null
rack_asked >/dev/null
ctl apply far
rack_asked
called
ctl group list
echo "-- one that was never finished"
sed -i 's/"made": true/"made": false/' "$box/root/var/lib/farmem/groups/far.json"
rm "$box/content"
ctl apply far
rack_left
